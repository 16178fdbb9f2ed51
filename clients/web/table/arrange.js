/** Sizes and places that depend on the window: measured after drawing, set as custom properties. */

import { handAllowance, handRows, pairGrid } from './layout.js';

/** True if the seats have room around the felt: the same query as in table.css. */
export const isDesktop = () => matchMedia('(min-width: 60em) and (min-height: 43.01em)').matches;

/** @param {HTMLElement} element @param {Record<string, string>} vars */
function setVars(element, vars) {
  for (const [name, value] of Object.entries(vars)) if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value);
}

/** @param {Element} root @param {string} trump */
export function arrange(root, trump) {
  const hand = /** @type {HTMLElement | null} */ (root.querySelector('.hand'));
  if (hand) arrangeHand(hand, trump);
  const felt = /** @type {HTMLElement | null} */ (root.querySelector('.felt'));
  const pairs = /** @type {HTMLElement | null} */ (root.querySelector('.pairs'));
  if (felt && pairs) arrangePairs(felt, pairs);
}

/** @param {HTMLElement} hand @param {string} trump */
function arrangeHand(hand, trump) {
  const cards = /** @type {HTMLElement[]} */ ([...hand.children]);
  const trumps = cards.filter((card) => card.dataset.card?.endsWith(trump)).length;
  const desktop = isDesktop();
  const allowed = handAllowance(innerHeight);
  const laid = handRows(cards.length, hand.clientWidth, allowed, { card: desktop ? 108 : 88, trumps, gap: desktop ? 20 : 8 });
  setVars(hand, { '--card-w': `${laid.cardWidth}px`, '--hand-h': `${laid.height}px`, '--hand-allowed': `${allowed}px` });
  hand.classList.toggle('dense', laid.dense);
  hand.classList.toggle('scrolls', laid.scrolls);
  cards.forEach((card, i) => setVars(card, { '--x': `${laid.places[i].x.toFixed(1)}px`, '--y': `${laid.places[i].y}px` }));
}

/** @param {HTMLElement} felt @param {HTMLElement} pairs */
function arrangePairs(felt, pairs) {
  const inset = getComputedStyle(pairs);
  const width = felt.clientWidth - 2 * parseFloat(inset.left);
  const height = felt.clientHeight - 2 * parseFloat(inset.top);
  const grid = pairGrid(pairs.childElementCount, width, height, isDesktop() ? 98 : 84);
  setVars(pairs, { '--columns': String(grid.columns), '--card-w': `${grid.cardWidth}px` });
}
