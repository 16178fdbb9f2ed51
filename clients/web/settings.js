/**
 * What a person has chosen for this browser: kept in its storage, applied to the document.
 *
 * @typedef {object} Settings
 * @property {'system' | 'dark' | 'light'} theme
 * @property {boolean} fourColour
 * @property {boolean} singleKeys
 */

const KEY = 'durak.settings';

/** @type {Settings} */
const DEFAULTS = { theme: 'system', fourColour: false, singleKeys: true };

/** @type {Settings} */
let current = { ...DEFAULTS, ...stored(KEY, {}) };

/** @template T @param {string} key @param {T} otherwise @returns {T} */
export function stored(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text ? JSON.parse(text) : otherwise;
  } catch {
    return otherwise;
  }
}

/** A browser that forbids storage plays all the same. @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* private mode, full disk */ }
}

/** @returns {Readonly<Settings>} */
export const settings = () => current;

/** @param {Partial<Settings>} changes */
export function change(changes) {
  current = { ...current, ...changes };
  keep(KEY, current);
  apply();
}

/** Let the document follow the settings. */
export function apply() {
  const root = document.documentElement;
  if (current.theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = current.theme;
  if (current.fourColour) root.dataset.suits = 'four';
  else delete root.dataset.suits;
}

/** How cards are drawn. */
export const look = () => ({ indices: /** @type {'latin'} */ ('latin'), fourColour: current.fourColour });
