/**
 * Stock, trump and discard: pile with the trump card crosswise beneath, a chip with the trump's pip that stays to the end.
 *
 * @import { GameView } from '../core/wire.js'
 */

import { cardBack, pip } from '../parts/cards.js';
import { h, own } from '../parts/dom.js';
import { face } from '../parts/parts.js';
import { say } from '../text/text.js';

const HEAP = 3;

/** @param {GameView} game */
export function stockZone(game) {
  const lies = game.stock > 0 ? game.trump_card : null;
  return h('div', { class: game.stock ? 'stock' : 'stock empty', key: 'stock', 'data-zone': 'stock', 'data-stock': game.stock, 'data-trump': game.trump },
    h('div', { class: 'pile', 'aria-hidden': 'true' },
      lies && h('div', { class: 'card trump', key: 'trump', 'data-trump-card': lies }, face(lies)),
      game.stock > 1 && h('div', { class: 'card top', key: 'top' }, own('back', () => cardBack())),
      h('span', { class: 'chip', key: 'chip' }, own(`pip-${game.trump}`, () => pip(game.trump)))),
    h('p', { class: 'note', 'aria-hidden': 'true' },
      game.stock ? [h('b', {}, String(game.stock)), ` ${say('stock.left')}`] : say('stock.empty')),
    h('p', { class: 'unseen' }, say('stock.spoken', { stock: game.stock, card: lies, trump: game.trump })));
}

/** @param {GameView} game */
export function discardZone(game) {
  const shown = Math.min(HEAP, Math.ceil(game.discard / 4));
  return h('div', { class: 'discard', key: 'discard', 'data-zone': 'discard' },
    h('div', { class: 'heap', 'aria-hidden': 'true' }, Array.from({ length: shown }, (_, i) => own(`back-${i}`, () => cardBack()))),
    h('p', { class: 'note' }, game.discard > 0 && say('discard', { cards: game.discard })));
}
