/** Single keys at the table: T take, P pass, F finish, Escape unpick, I repeat the situation. They can be switched off. */

import { announce } from './announce.js';
import { controlsOf, nameOf, roleOf, seatsAround, situationOf, sortedHand } from './situation.js';
import { settings } from './settings.js';
import { say } from './text.js';

/** @typedef {import('./types.js').TableView} TableView */

/**
 * @param {object} needs
 * @param {() => import('./store.js').State} needs.state
 * @param {(action: import('./types.js').Action) => void} needs.act
 * @param {() => void} needs.unpick
 */
export function listenForKeys({ state, act, unpick }) {
  document.addEventListener('keydown', (event) => {
    const { view, screen, picked } = state();
    const target = /** @type {HTMLElement} */ (event.target);
    if (screen !== 'table' || !view?.game || event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (document.querySelector('dialog[open]') || target.closest?.('input:not([type="checkbox"]), select, textarea')) return;
    if (event.key === 'Escape') {
      if (picked) unpick();
      return;
    }
    if (!settings().singleKeys) return;
    const key = event.key.toUpperCase();
    if (key === 'I') {
      announce(spoken(view));
      return;
    }
    const control = controlsOf(view).find((one) => one.key === key || (key === 'P' && one.act === 'pass'));
    if (control) act({ act: control.act });
  });
}

/** The whole situation in a few sentences. @param {TableView} view */
function spoken(view) {
  const game = /** @type {import('./types.js').GameView} */ (view.game);
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
