/**
 * The table: all its zones from one view. `render` describes; `settle` arranges, moves and keeps the focus.
 *
 * @import { GameView } from '../core/wire.js'
 * @import { TableView } from '../core/state.js'
 * @import { Screen } from '../screens/screens.js'
 */

import { byCard, targetOf } from '../core/view.js';
import { h } from '../parts/dom.js';
import { bar } from '../parts/parts.js';
import { say } from '../text/text.js';
import { arrange } from './arrange.js';
import { feltZone } from './felt.js';
import { handZone } from './hand.js';
import { capture, play } from './motion.js';
import { seatsZone } from './seats.js';
import { seatsAround } from './situation.js';
import { statusZone } from './status.js';
import { discardZone, stockZone } from './stock.js';
import { runTimer, timerBar } from './timer.js';

/** @type {Screen} */
export const tableScreen = {
  matches: ({ screen, view }) => screen === 'table' && !!view?.game,

  render(state, dispatch) {
    const view = /** @type {TableView} */ (state.view);
    const game = /** @type {GameView} */ (view.game);
    const { picked, pending, link } = state;
    const claimed = new Set([...pending.values()].map((one) => one.target));
    const targets = new Set((picked && link === 'online' ? byCard(view).get(picked) ?? [] : []).flatMap((action) => targetOf(action) ?? [])
      .filter((target) => !claimed.has(target)));
    const pairs = state.afterglow && game.table.length === 0 ? state.afterglow : game.table;
    const watching = game.hand === null;
    return h('main', {
      class: watching ? 'table watching' : 'table', key: 'table', 'aria-label': say('zone.table'), 'data-phase': game.phase,
      'data-opponents': seatsAround(view).length, 'data-bout': game.bout, 'data-seq': state.seq,
    },
    bar(view, state.watchers, dispatch),
    h('section', { class: 'ring', key: 'ring' }, stockZone(game), seatsZone(view, game, !state.desktop), discardZone(game)),
    feltZone({ trump: game.trump, pairs, taking: game.taking, picked, targets }, (target) => picked && dispatch({ type: 'act', action: { act: 'beat', card: picked, target } })),
    statusZone(state, view, game, dispatch, watching && timerBar()),
    !watching && h('section', { class: 'rail', key: 'rail' }, timerBar(), handZone(state, view, game, dispatch)));
  },

  settle(root, { still }) {
    const before = still ? null : capture(root);
    const focused = document.activeElement;
    const held = focused !== null && root.contains(focused);
    return (drawn, state) => {
      arrange(drawn, state.view?.game?.trump ?? '');
      runTimer(drawn, state);
      if (before) play(drawn, before, state.happened);
      // Played by keyboard, and what had the focus is gone: back to the hand.
      if (state.byKeyboard && ((held && !drawn.contains(focused)) || document.activeElement === document.body)) focusHand(drawn);
    };
  },
};

/** @param {Element} root */
function focusHand(root) {
  /** @type {HTMLElement | null} */ (root.querySelector('.hand [tabindex="0"]'))?.focus({ preventScroll: true });
}
