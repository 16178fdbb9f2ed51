/**
 * What the tests begin from: a table, the page that shows it, and what may be said of both.
 *
 * @import * as wire from '../../../../clients/web/core/wire.js'
 * @import { Effect, Input, State } from '../../../../clients/web/core/state.js'
 * @import { Child, Described } from '../../../../clients/web/parts/dom.js'
 */

import { readFileSync } from 'node:fs';

import { PRESETS } from '../../../../clients/web/core/presets.js';
import { reduce } from '../../../../clients/web/core/reduce.js';
import { initial } from '../../../../clients/web/core/state.js';
import { speak } from '../../../../clients/web/text/text.js';

speak(JSON.parse(readFileSync(new URL('../../../../clients/words/en.json', import.meta.url), 'utf8')));

/** Anna (seat 0), Boris and a bot. @type {wire.ChairView[]} */
const CHAIRS = ['Anna', 'Boris', 'Normal bot'].map((name, i) => ({
  chair: i, name, kind: i < 2 ? 'person' : 'bot', level: i < 2 ? null : 'normal', seat: i, host: i === 0, away: false, left: false, vote: false,
  score: { wins: 0, losses: 0, epaulettes: 0 },
}));

/** The game in which Anna defends: 8H and 8S are open, diamonds are trumps. @type {wire.GameView} */
const GAME = {
  players: 3, phase: 'bout', trump: 'D', trump_card: '7D', stock: 2, discard: 0, bout: 3, epoch: 7, attacker: 2, defender: 0, throwers: [1, 2], limit: 6, taking: false,
  table: [{ attack: '8H', by: 2, beaten: null }, { attack: '8S', by: 2, beaten: null }],
  counts: [6, 5, 4], passed: [], out: [], left: [], shown_trump: null, opening_trump: null,
  hand: ['10D', '6S', '6C', '9H', 'JC', 'QS'],
  legal: [
    { act: 'beat', card: '10D', target: '8H' }, { act: 'beat', card: '10D', target: '8S' }, { act: 'beat', card: '9H', target: '8H' },
    { act: 'beat', card: 'QS', target: '8S' }, { act: 'take' },
  ],
  result: null,
};

/** A part of the wire as no version of ours sends it: from a newer server. @template T @param {unknown} strange @returns {T} */
export const newer = (strange) => /** @type {T} */ (strange);

/** @param {Partial<wire.GameView>} [changes] @returns {wire.GameView} */
export const game = (changes) => ({ ...GAME, ...changes });

/** The table as Anna sees it. @param {Partial<wire.GameView> | null} [inGame] changes of the game; null: none has begun
 *  @param {Partial<wire.TableView>} [changes] @returns {wire.TableView} */
export function view(inGame = {}, changes = {}) {
  return {
    table: 'ABC123', name: 'Kitchen', status: inGame ? 'playing' : 'open', private: false, rules: { ...PRESETS.classic, max_players: 3 }, chairs: CHAIRS, persons: 2,
    games: 0, clock: { kind: 'turn', ms: 20_000, total_ms: 30_000, seats: [0] },
    you: { chair: 0, seat: inGame ? 0 : null, auto_pass: false, can: inGame ? ['leave', 'auto_pass'] : ['leave', 'start'] },
    game: inGame && game(inGame), ...changes,
  };
}

/** @param {wire.TableView} seen @param {Partial<wire.TableState>} [changes] @returns {Input} */
export const attached = (seen, changes = {}) => ({ type: 'heard', at: 1_000, message: { t: 'table', seq: 10, resumed: 'snapshot', missed: [], watchers: 0, view: seen, ...changes } });

/** @param {wire.TableView} seen @param {wire.ViewerEvent[]} [events] @param {number} [seq] @returns {Input} */
export function updated(seen, events = [], seq = 11) {
  const { clock, you, game: played, status, chairs, persons, games } = seen;
  return { type: 'heard', at: 2_000, message: { t: 'update', seq, events, view: { clock, you, game: played, status, chairs, persons, games } } };
}

/** The page before anything has happened. @returns {State} */
export const page = () => initial({
  name: 'Anna', settings: { theme: 'system', fourColour: false, singleKeys: true }, root: 'https://durak.example/', canShare: false, desktop: false,
});

export const GUEST = { name: 'Anna', token: 'a token', player: 'guest:anna' };

/** The state after these inputs, and the effects of the last. @param {State} state @param {...Input} inputs */
export function after(state, ...inputs) {
  /** @type {Effect[]} */
  let effects = [];
  for (const input of inputs) ({ state, effects } = reduce(state, input));
  return { state, effects };
}

/** Anna's page with a table, connected. @param {wire.TableView} seen @returns {State} */
export function at(seen) {
  return after(page(), { type: 'address', code: seen.table, guest: GUEST }, attached(seen), { type: 'link', status: 'online', code: null }, { type: 'drawn' }).state;
}

/** All that is described, from the outside in. @param {Child} described @returns {Described[]} */
export function inside(described) {
  return described && typeof described === 'object' ? [described, ...described.kids.flatMap(inside)] : [];
}

/** The text of what is described. @param {Child} described @returns {string} */
export function text(described) {
  if (!described) return '';
  return typeof described === 'object' ? described.kids.map(text).join(' ') : String(described);
}

/** What has this attribute. @param {Child} described @param {string} name @param {unknown} [value] any value if left out */
export const having = (described, name, value) => inside(described).filter(({ attributes }) => (value === undefined ? attributes[name] !== undefined : attributes[name] === value));
