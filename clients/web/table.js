/**
 * The table: all its zones from one view. `tableScreen` describes, `drawTable` draws, arranges, moves and keeps the focus.
 */

import { arrange, isDesktop } from './arrange.js';
import { h, patch } from './dom.js';
import { feltZone } from './felt.js';
import { handZone } from './hand.js';
import { capture, play } from './motion.js';
import { bar } from './parts.js';
import { seatsZone } from './seats.js';
import { byCard, legalOf, seatsAround } from './situation.js';
import { statusZone } from './status.js';
import { discardZone, stockZone } from './stock.js';
import { runTimer, timerBar } from './timer.js';
import { say } from './text.js';

/**
 * @typedef {import('./types.js').TableView & { game: import('./types.js').GameView }} PlayedView
 * @typedef {import('./store.js').State & { view: PlayedView }} TableState
 *
 * @typedef {object} TableHandlers
 * @property {(action: import('./types.js').Action) => void} act
 * @property {(card: string, byKey: boolean) => void} press
 * @property {(card: string) => void} reach
 * @property {(on: boolean) => void} autoPass
 * @property {() => void} join
 * @property {() => void} leave
 * @property {() => void} settings
 */

/** Whether the person's last deed was on the keyboard; a finger or a mouse wants no focus moved. */
let byKeyboard = false;
document.addEventListener('keydown', () => { byKeyboard = true; }, true);
document.addEventListener('pointerdown', () => { byKeyboard = false; }, true);

/** @param {TableState} state @param {TableHandlers} handlers */
export function tableScreen(state, handlers) {
  const { view, picked, pending, link } = state;
  const game = view.game;
  const claimed = new Set([...pending.values()].map((one) => one.target));
  const targets = new Set((picked && link === 'online' ? byCard(legalOf(view)).get(picked) ?? [] : [])
    .flatMap((action) => (action.target && !claimed.has(action.target) ? [action.target] : [])));
  const pairs = state.afterglow && game.table.length === 0 ? state.afterglow : game.table;
  const watching = game.hand === null;
  return h('main', {
    class: watching ? 'table watching' : 'table', key: 'table', 'aria-label': say('zone.table'), 'data-phase': game.phase,
    'data-opponents': seatsAround(view).length, 'data-bout': game.bout, 'data-seq': state.seq,
  },
  bar(view, state.watchers, handlers),
  h('section', { class: 'ring', key: 'ring' }, stockZone(game), seatsZone(view, !isDesktop()), discardZone(game)),
  feltZone({ trump: game.trump, pairs, taking: game.taking, picked, targets }, (target) => picked && handlers.act({ act: 'beat', card: picked, target })),
  statusZone(state, handlers, watching && timerBar()),
  !watching && h('section', { class: 'rail', key: 'rail' }, timerBar(), handZone(state, handlers)));
}

/**
 * Draw a table into `root`.
 * @param {Element} root
 * @param {TableState} state
 * @param {TableHandlers} handlers
 * @param {import('./types.js').GameEvent[]} [events] what has just happened, for the movement
 * @param {import('./dom.js').Child[]} [around] described beside the table: a banner
 * @param {boolean} [still] only the window has changed: nothing moves
 */
export function drawTable(root, state, handlers, events = [], around = [], still = false) {
  const before = still ? null : capture(root);
  const focused = document.activeElement;
  const held = focused !== null && root.contains(focused);
  patch(root, [...around, tableScreen(state, handlers)]);
  arrange(root, state.view.game.trump);
  runTimer(root, state.view, state.deadline, state.link === 'online');
  if (before && root.querySelector('.table')) play(root, before, events);
  // Played by keyboard, and what had the focus is gone: back to the hand.
  if (byKeyboard && ((held && !root.contains(focused)) || document.activeElement === document.body)) focusHand(root);
}

/** @param {Element} root */
export function focusHand(root) {
  /** @type {HTMLElement | null} */ (root.querySelector('.hand [tabindex="0"]'))?.focus({ preventScroll: true });
}
