/** Small described things that several screens share. */

import { h, own } from './dom.js';
import { icon } from './icons.js';
import { cardFace } from './cards.js';
import { say, sayOr, sayRefusal } from '../text/text.js';

/**
 * @import { Dispatch, State, TableView } from '../core/state.js'
 *
 * @typedef {'attacks' | 'defends' | 'takes' | 'adds' | 'passed' | 'out' | 'left' | 'away' | 'waits'} Role
 */

/** What a pill looks like: its class and its icon. @type {Record<Role, { kind: string, icon: string | null }>} */
const PILLS = {
  attacks: { kind: 'attacks', icon: 'attack' },
  defends: { kind: 'defends', icon: 'shield' },
  takes: { kind: 'defends', icon: 'take' },
  adds: { kind: 'adds', icon: 'plus' },
  passed: { kind: 'plain', icon: 'check' },
  out: { kind: 'plain', icon: 'flag' },
  left: { kind: 'plain', icon: 'leave' },
  away: { kind: 'plain', icon: 'moon' },
  waits: { kind: 'plain', icon: null },
};

/** @param {string} name of an icon */
export const sign = (name) => own(`icon-${name}`, () => icon(name));

/** The face of a card, for the element around it. @param {string} card */
export const face = (card) => own(`face-${card}`, () => cardFace(card));

/** A role as icon and word. @param {Role} role @param {string} word @param {string} [tag] */
export function pill(role, word, tag = 'span') {
  const { kind, icon: name } = PILLS[role];
  return h(tag, { class: `pill ${kind}`, 'data-role': role }, name && sign(name), h('span', {}, word));
}

/**
 * A quiet button of a header: icon and, where there is room, its word.
 * @param {string} name of the icon @param {string} word @param {() => void} press @param {string} [more] classes
 */
export function quiet(name, word, press, more = '') {
  return h('button', { type: 'button', class: `button quiet ${more}`.trim(), 'aria-label': word, on: { click: press } },
    sign(name), h('span', { class: 'word' }, word));
}

/** Full and empty dots. @param {number} full @param {number} all */
export function dots(full, all) {
  return h('span', { class: 'dots', 'aria-hidden': 'true' }, Array.from({ length: all }, (_, i) => h('i', { class: i < full ? 'full' : '' })));
}

/** The header of a table. @param {TableView} view @param {number} watchers @param {Dispatch} dispatch */
export function bar(view, watchers, dispatch) {
  const players = view.game?.players ?? view.rules.max_players;
  return h('header', { class: 'bar', key: 'bar' },
    quiet('leave', say('bar.leave'), () => dispatch({ type: 'leave' })),
    h('div', { class: 'bar-title' },
      h('h1', {}, view.name),
      h('p', { class: 'note' }, say('table.about', { preset: view.rules.preset, players }), watchers > 0 && ` · ${say('table.watchers', { watchers })}`)),
    h('div', { class: 'bar-tools' }, quiet('menu', say('bar.menu'), () => dispatch({ type: 'settings' }), 'iconic')));
}

/** A refusal, said at once. @param {State['refusal']} refusal */
export const alertLine = (refusal) => h('p', { class: 'refusal', role: 'alert', key: 'alert' }, refusal && sayRefusal(refusal));

/** How a bot plays; nothing for a level that this page does not know. @param {string} level */
export const levelWord = (level) => sayOr(`level.${level}`, '');

/** A choice among few: a labelled select. @param {string} label @param {string} value @param {[string, string][]} choices
 *  @param {(value: string) => void} choose @param {Record<string, any>} [more] attributes */
export function choice(label, value, choices, choose, more = {}) {
  return h('label', { class: 'field', key: label },
    h('span', {}, label),
    h('select', { ...more, on: { change: (/** @type {any} */ event) => choose(event.target.value) } },
      choices.map(([name, word]) => h('option', { value: name, key: name, selected: name === value, props: { selected: name === value } }, word))));
}

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} set @param {Record<string, any>} [more] */
export function toggle(label, on, set, more = {}) {
  return h('label', { class: 'switch', key: label, ...more },
    h('input', { type: 'checkbox', role: 'switch', props: { checked: on }, on: { change: (/** @type {any} */ event) => set(event.target.checked) } }),
    h('span', {}, label));
}
