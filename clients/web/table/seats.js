/**
 * The others at the table, clockwise from my left: backs and count, name, role.
 *
 * @import { GameView, TableView } from '../core/wire.js'
 */

import { chairOfSeat, nameOf, placeOf } from '../core/view.js';
import { cardBack } from '../parts/cards.js';
import { h, own } from '../parts/dom.js';
import { face, pill, sign } from '../parts/parts.js';
import { say } from '../text/text.js';
import { fanAngles } from './layout.js';
import { roleOf, seatsAround } from './situation.js';

/** @param {TableView} view @param {GameView} game @param {boolean} narrow a phone */
export function seatsZone(view, game, narrow) {
  const seats = seatsAround(view);
  const most = narrow && seats.length > 3 ? 5 : 7;
  return h('ol', { class: 'seats', key: 'seats', 'data-zone': 'seats', 'aria-label': say('zone.seats') }, seats.map((seat) => seatItem(view, game, seat, most)));
}

/** A back of a fan. @param {number} angle degrees */
function leaf(angle) {
  const back = cardBack(true);
  back.style.setProperty('--angle', `${angle}deg`);
  return back;
}

/** @param {TableView} view @param {GameView} game @param {number} seat @param {number} most backs shown */
function seatItem(view, game, seat, most) {
  const chair = chairOfSeat(view, seat);
  const role = roleOf(view, seat);
  const place = placeOf(game, seat);
  const name = nameOf(view, seat);
  const away = chair?.away === true && !chair.left;
  const shown = game.shown_trump?.seat === seat ? game.shown_trump : game.opening_trump?.seat === seat ? game.opening_trump : null;
  const word = say(`role.${role}`);
  const angles = fanAngles(game.counts[seat], most);
  return h('li', { class: `seat ${role === 'takes' ? 'defends' : role}${away && role !== 'away' ? ' away' : ''}`, key: seat, 'data-seat': seat, 'data-role': role },
    place === null
      ? h('div', { class: 'fan', key: 'fan', 'aria-hidden': 'true' }, angles.map((angle, i) => own(`back-${i}-of-${angles.length}`, () => leaf(angle))))
      : h('span', { class: 'medal', key: 'medal', 'aria-hidden': 'true' }, say('place', { place })),
    place === null && h('span', { class: 'badge', key: 'badge', 'aria-hidden': 'true', 'data-count': game.counts[seat] }, String(game.counts[seat])),
    h('div', { class: 'plate', key: 'plate', 'aria-hidden': 'true' },
      h('span', { class: 'name' }, away && role !== 'away' && sign('moon'), h('span', {}, name)),
      pill(role, word)),
    shown && h('figure', { class: 'shown', key: 'shown', 'aria-hidden': 'true' },
      h('div', { class: 'card', 'data-shown': shown.card }, face(shown.card)),
      h('figcaption', {}, say(game.shown_trump === shown ? 'seat.shown' : 'seat.opening'))),
    h('p', { class: 'unseen', key: 'spoken' }, say('seat.spoken', { name, place, cards: game.counts[seat], role: word, away, shown: shown?.card ?? null })));
}
