/**
 * The end of a game: who is the durak, the order of going out, the score, and whether there is another.
 *
 * @import * as wire from '../core/wire.js'
 * @import { TableView } from '../core/state.js'
 * @import { Screen } from './screens.js'
 */

import { chairOfSeat, nameOf, statusOf } from '../core/view.js';
import { cardBack, jesterCap } from '../parts/cards.js';
import { h, own } from '../parts/dom.js';
import { alertLine, bar, dots, sign } from '../parts/parts.js';
import { sortedHand } from '../table/situation.js';
import { say } from '../text/text.js';
import { spread } from './home.js';

const SHOWN = 4;

/** @type {Screen} */
export const resultScreen = {
  matches: ({ screen, view, lingers }) => screen === 'table' && view !== null && statusOf(view) === 'finished' && !!view.game?.result && !lingers,

  render(state, dispatch) {
    const view = /** @type {TableView} */ (state.view);
    const game = /** @type {wire.GameView} */ (view.game);
    const result = /** @type {wire.GameResult} */ (game.result);
    const live = state.link === 'online';
    const seated = view.you.chair !== null;
    const votes = view.chairs.filter((chair) => chair.vote && !chair.left).length;
    const can = view.you.can;
    return h('main', { class: 'duo result', key: 'result', 'data-screen': 'result' },
      bar(view, state.watchers, dispatch),
      hero(view, game, result),
      h('div', { class: 'panels', key: 'panels' },
        h('section', { class: 'panel', key: 'order' },
          h('div', { class: 'panel-head' }, h('h2', {}, say('result.order')), h('span', { class: 'note' }, say('result.games', { games: view.games }))),
          h('ol', { class: 'places' }, rows(view, result)),
          result.giver !== null && h('p', { class: 'note', key: 'epaulettes' },
            say('result.epaulettes', { name: nameOf(view, result.durak), giver: nameOf(view, result.giver) })),
          view.persons > 0 && h('p', { class: 'line soft', key: 'votes', 'data-votes': votes }, dots(votes, view.persons), say('result.votes', { votes, total: view.persons })),
          alertLine(state.refusal),
          h('div', { class: 'line', key: 'buttons' },
            seated && view.persons > 0 && h('button', {
              type: 'button', class: 'button primary grow', key: 'rematch', 'data-act': 'rematch',
              'aria-disabled': live && can.includes('rematch') ? null : 'true',
              on: { click: () => live && can.includes('rematch') && dispatch({ type: 'command', command: { t: 'rematch' } }) },
            }, say('result.rematch')),
            can.includes('join') && h('button', {
              type: 'button', class: 'button primary grow', key: 'join', 'data-act': 'join', on: { click: () => live && dispatch({ type: 'command', command: { t: 'join', table: view.table } }) },
            }, say('result.sit')),
            h('button', { type: 'button', class: 'button grow', key: 'home', 'data-act': 'home', on: { click: () => dispatch({ type: 'leave' }) } }, say('result.home'))))));
  },
};

/** @param {TableView} view @param {wire.GameView} game @param {wire.GameResult} result */
function hero(view, game, result) {
  const { durak } = result;
  const bouts = say('result.holding', { cards: durak === null ? 0 : game.counts[durak], bouts: game.bout });
  if (durak === null) {
    const what = result.draw ? 'result.draw' : 'result.none';
    return h('section', { class: 'hero', key: 'hero' },
      h('h1', { class: 'loser', tabindex: -1 }, say(what)), h('p', { class: 'about' }, say(`${what}.about`)), h('p', { class: 'about' }, bouts));
  }
  const mine = durak === view.you.seat;
  const cards = mine ? sortedHand(game.hand ?? [], game.trump).slice(-SHOWN) : [];
  return h('section', { class: 'hero', key: 'hero' },
    cards.length ? spread(cards, 'short') : backs(Math.min(SHOWN, game.counts[durak])),
    own('cap', () => jesterCap()),
    h('p', { class: 'motto' }, say(mine ? 'result.durak_you' : 'result.durak')),
    h('h1', { class: 'loser', tabindex: -1, 'data-durak': durak }, nameOf(view, durak)),
    h('p', { class: 'about' }, bouts));
}

/** The durak's cards stay hidden from the others. @param {number} count */
function backs(count) {
  return h('div', { class: 'spread short', key: 'backs', 'aria-hidden': 'true' }, Array.from({ length: count }, (_, i) =>
    h('div', { class: 'card', key: i, vars: { '--angle': `${(i - (count - 1) / 2) * 12}deg` } }, own('back', () => cardBack()))));
}

/** @param {TableView} view @param {wire.GameResult} result */
function rows(view, result) {
  let place = 1;
  return result.places.flatMap((group) => {
    const at = place;
    place += group.length;
    return group.map((seat) => row(view, result, seat, at));
  });
}

/** @param {TableView} view @param {wire.GameResult} result @param {number} seat @param {number} place */
function row(view, result, seat, place) {
  const me = seat === view.you.seat;
  const durak = seat === result.durak;
  const score = chairOfSeat(view, seat)?.score;
  const notes = [
    me && say('result.you'), durak && say('result.is_durak'), result.forfeits.includes(seat) && say('result.left'),
    seat === result.giver && say('result.epaulettes_given'),
  ].filter(Boolean).join(', ');
  return h('li', { class: `place-row${me ? ' me' : ''}${durak ? ' durak' : ''}`, key: seat, 'data-seat': seat, 'data-place': place },
    durak ? sign('cap') : h('span', { class: 'number serif' }, String(place)),
    h('b', {}, nameOf(view, seat)),
    h('span', { class: 'note' }, notes),
    view.rules.series && score ? h('span', { class: 'score digits' }, say('result.score', score)) : h('span', {}));
}
