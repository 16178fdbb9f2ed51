/**
 * What a person has chosen for this browser.
 *
 * @typedef {object} Settings
 * @property {'system' | 'dark' | 'light'} theme
 * @property {boolean} fourColour
 * @property {boolean} singleKeys
 */

import { keep, storedEntries } from './storage.js';

const KEY = 'durak.settings';

/** What was kept, as far as it is understood; the rest as for somebody new. @returns {Settings} */
export function keptSettings() {
  const kept = storedEntries(KEY);
  const theme = kept.get('theme');
  return {
    theme: theme === 'dark' || theme === 'light' ? theme : 'system',
    fourColour: kept.get('fourColour') === true,
    singleKeys: kept.get('singleKeys') !== false,
  };
}

/** @param {Settings} settings */
export const keepSettings = (settings) => keep(KEY, settings);
