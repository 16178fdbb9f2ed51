/**
 * The pairs on the felt, left to right in order of play. A picked card turns what it can beat into buttons.
 *
 * @import { Pair } from '../core/wire.js'
 */

import { stitchedPip } from '../parts/cards.js';
import { h, own } from '../parts/dom.js';
import { face } from '../parts/parts.js';
import { say } from '../text/text.js';

/**
 * @param {object} shown
 * @param {string} shown.trump
 * @param {Pair[]} shown.pairs
 * @param {boolean} shown.taking the defender takes: no answer is expected
 * @param {string | null} shown.picked
 * @param {Set<string>} shown.targets what the picked card beats
 * @param {(target: string) => void} choose
 */
export function feltZone({ trump, pairs, taking, picked, targets }, choose) {
  return h('section', { class: 'felt', key: 'felt', 'data-zone': 'felt', 'aria-label': say('zone.felt') },
    own(`stitch-${trump}`, () => stitchedPip(trump)),
    h('ol', { class: 'pairs', key: 'pairs' }, pairs.map((pair) => pairItem(pair, taking, picked !== null && targets.has(pair.attack) ? picked : null, choose))));
}

/** @param {Pair} pair @param {boolean} taking @param {string | null} picked @param {(target: string) => void} choose */
function pairItem(pair, taking, picked, choose) {
  const { attack, beaten } = pair;
  const open = beaten === null && !taking;
  const attackCard = picked
    ? h('button', { type: 'button', class: 'card attack target', key: attack, 'data-card': attack,
      'aria-label': say('card.target', { target: attack, card: picked }), on: { click: () => choose(attack) } }, face(attack))
    : h('div', { class: 'card attack', key: attack, 'data-card': attack, 'aria-hidden': 'true' }, face(attack));
  return h('li', { class: open ? 'pair open' : 'pair', key: attack },
    attackCard,
    beaten === null
      ? open && h('span', { class: 'place', key: 'place', 'aria-hidden': 'true' })
      : h('div', { class: 'card defence', key: beaten, 'data-card': beaten, 'aria-hidden': 'true' }, face(beaten)),
    h('span', { class: 'unseen', key: 'spoken' }, !picked && say('card.on_table', { attack, beaten })));
}
