/**
 * Single keys at the table: T take, P pass, F finish, Escape unpick, I repeat the situation. They can be switched off.
 *
 * @import { Dispatch, State, TableView } from '../core/state.js'
 * @import { GameView } from '../core/wire.js'
 */

import { nameOf } from '../core/view.js';
import { announce } from '../text/announce.js';
import { say } from '../text/text.js';
import { controlsOf, roleOf, seatsAround, situationOf, sortedHand } from './situation.js';

/** @param {() => State} state @param {Dispatch} dispatch */
export function listenForKeys(state, dispatch) {
  document.addEventListener('keydown', (event) => {
    const { view, screen, picked, settings, dialog } = state();
    const target = /** @type {HTMLElement} */ (event.target);
    if (screen !== 'table' || !view?.game || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (dialog !== null || target.closest?.('input:not([type="checkbox"]), select, textarea')) return;
    if (event.key === 'Escape') {
      if (picked) dispatch({ type: 'unpick' });
      return;
    }
    if (!settings.singleKeys) return;
    const key = event.key.toUpperCase();
    if (key === 'I') {
      announce(spoken(view, view.game));
      return;
    }
    const control = controlsOf(view).find((one) => one.key === key || (key === 'P' && one.action.act === 'pass'));
    if (control) dispatch({ type: 'act', action: control.action });
  });
}

/** The whole situation in a few sentences. @param {TableView} view @param {GameView} game */
function spoken(view, game) {
  const { role, code, params } = situationOf(view);
  return say('status.spoken', {
    role: `${say(view.you.seat === null ? 'me.watching' : `me.${role}`)}.`,
    sentence: say(code, params),
    hand: sortedHand(game.hand ?? [], game.trump),
    table: game.table.map(({ attack, beaten }) => say('card.on_table', { attack, beaten })).join('; '),
    trump: game.trump,
    stock: game.stock,
    others: seatsAround(view).map((seat) => `${say('seat.spoken', {
      name: nameOf(view, seat), place: null, cards: game.counts[seat], role: say(`role.${roleOf(view, seat)}`), away: false, shown: null,
    })}.`).join(' '),
  });
}
