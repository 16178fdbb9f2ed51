/**
 * The form that creates a table: its draft, and the command that comes of it. Pure.
 *
 * @import * as wire from './wire.js'
 *
 * @typedef {wire.Fill['bots'][number]} Level
 *
 * @typedef {object} Draft
 * @property {wire.Ruleset} rules
 * @property {boolean} watch all bots
 * @property {string} name
 * @property {boolean} isPrivate
 * @property {'watch' | 'fast'} speed
 * @property {(Level | 'free')[]} seats one per seat; mine is the first when I play
 */

import { PRESETS, changesOf } from './presets.js';

const SEATS_AT_FIRST = { classic: 4, gameweave: 4, challenge: 2 };

/** The rules of a new table of this variant. @param {wire.Ruleset['preset']} preset @returns {wire.Ruleset} */
export const rulesAtFirst = (preset) => ({ ...PRESETS[preset], max_players: SEATS_AT_FIRST[preset] });

/** @returns {Draft} */
export function newDraft() {
  return { rules: rulesAtFirst('classic'), watch: false, name: '', isPrivate: false, speed: 'watch', seats: ['free', 'free', 'free', 'free', 'free', 'free'] };
}

/** The bots of a draft, in the order of their seats. @param {Draft} draft @returns {Level[]} */
function botsOf(draft) {
  const seats = draft.seats.slice(draft.watch ? 0 : 1, draft.rules.max_players);
  return seats.flatMap((seat) => (seat !== 'free' ? [seat] : draft.watch ? ['normal'] : []));
}

/** True if nobody has to be waited for. @param {Draft} draft */
export const isFull = (draft) => draft.watch || botsOf(draft).length === draft.rules.max_players - 1;

/** The command of a draft. @param {Draft} draft */
export function commandOf(draft) {
  return /** @type {const} */ ({
    t: 'create',
    name: draft.name.trim(),
    preset: draft.rules.preset,
    options: { ...changesOf(draft.rules), max_players: draft.rules.max_players },
    bots: botsOf(draft),
    sit: !draft.watch,
    start: isFull(draft),
    private: draft.isPrivate,
    speed: draft.watch ? draft.speed : 'watch',
  });
}

/** A game against bots that begins at once. */
export const AGAINST_BOTS = {
  t: /** @type {const} */ ('create'), preset: 'classic', options: { max_players: 4 }, bots: /** @type {Level[]} */ (['normal', 'normal', 'normal']),
  sit: true, start: true, private: true,
};
