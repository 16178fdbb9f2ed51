/**
 * Movement: where things were before a drawing and where they are after it, played with transforms only (FLIP).
 *
 * `capture` measures before the document changes, `play` after. Nothing here delays a drawing or takes a click: an element
 * that moves can be pressed where it is seen, and what flies off is a copy that no pointer meets.
 *
 * @typedef {{ x: number, y: number, width: number }} Spot the middle of a card, and its width
 * @typedef {{ cards: Map<string, Spot & { zone: string, element: HTMLElement }>, fans: Map<string, Spot>, stock: Spot | null, discard: Spot | null }} Scene
 * @import { GameEvent } from '../core/state.js'
 */

import { cardBack } from '../parts/cards.js';

const MOVE_MS = 220;
const DEAL_GAP_MS = 40;
const TAKE_GAP_MS = 30;
const EASE = 'cubic-bezier(.2, .8, .2, 1)';
const NEAR_PX = 1.5;

const isReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Middle and width without the turn of the card; `offsetWidth` knows no transform. @param {Element} element @returns {Spot} */
function spotOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: /** @type {HTMLElement} */ (element).offsetWidth || box.width };
}

/** @param {Element} root @param {string} selector */
function spotAt(root, selector) {
  const element = root.querySelector(selector);
  return element && element.getClientRects().length ? spotOf(element) : null;
}

/** @param {Element} root @returns {Scene | null} null with reduced motion */
export function capture(root) {
  if (isReduced()) return null;
  /** @type {Scene} */
  const scene = { cards: new Map(), fans: new Map(), stock: spotAt(root, '.pile'), discard: spotAt(root, '.heap') };
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.hand [data-card], .felt [data-card]'))) {
    const zone = element.closest('.hand') ? 'hand' : 'felt';
    scene.cards.set(element.dataset.card ?? '', { ...spotOf(element), zone, element });
  }
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.seat'))) {
    const fan = seat.querySelector('.fan');
    const shown = fan && fan.getClientRects().length ? fan : seat.querySelector('.plate');
    if (shown) scene.fans.set(seat.dataset.seat ?? '', spotOf(shown));
  }
  return scene;
}

/**
 * @param {Element} root
 * @param {Scene | null} before
 * @param {readonly GameEvent[]} events what has led from the one to the other
 */
export function play(root, before, events) {
  if (!before || isReduced()) return;
  for (const element of root.querySelectorAll('.hand [data-card], .felt [data-card]')) {
    for (const animation of element.getAnimations()) if (animation.id === 'flip') animation.cancel();
  }
  const after = capture(root);
  if (!after) return;
  const dealt = events.some((event) => event.event === 'dealt');
  const players = new Map(events.flatMap((event) => ('card' in event ? [[event.card, event.seat]] : [])));
  const mine = new Set(events.flatMap((event) => (event.event === 'drew' && event.cards) || []));
  const stock = after.stock ?? before.stock;
  let drawn = 0;
  for (const [card, now] of after.cards) {
    let from = before.cards.get(card) ?? null;
    let delay = 0;
    if (dealt && now.zone === 'hand') from = null;
    if (!from && now.zone === 'hand' && stock && (dealt || mine.has(card))) {
      from = { ...stock, zone: 'stock', element: now.element };
      delay = drawn * DEAL_GAP_MS;
      drawn += 1;
    } else if (!from && now.zone === 'felt') {
      const fan = before.fans.get(String(players.get(card)));
      if (fan) from = { ...fan, zone: 'fan', element: now.element };
    }
    if (from) flip(now.element, from, now, delay);
  }
  flyOff(root, before, after, events);
  for (const event of events) if (event.event === 'drew' && !event.cards) flyToFan(root, stock, after.fans.get(String(event.seat)), event.count);
  if (dealt) for (const fan of after.fans.values()) flyToFan(root, stock, fan, 3);
}

/** @param {HTMLElement} element @param {Spot} from @param {Spot} to @param {number} delay */
function flip(element, from, to, delay) {
  if (to.width < 1) return;
  const scale = from.width / to.width;
  const dx = from.x - to.x;
  const dy = from.y - to.y;
  if (Math.hypot(dx, dy) < NEAR_PX && Math.abs(scale - 1) < 0.02) return;
  // `transform` works inside the card's own turn, so the way is turned back by it.
  const angle = (-(parseFloat(getComputedStyle(element).rotate) || 0) * Math.PI) / 180;
  const x = dx * Math.cos(angle) - dy * Math.sin(angle);
  const y = dx * Math.sin(angle) + dy * Math.cos(angle);
  element.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }],
    { duration: MOVE_MS, easing: EASE, delay, fill: 'backwards', id: 'flip' },
  );
}

/** Cards that have left the felt: to the hand that took them, or aside to the discard. @param {Element} root
 *  @param {Scene} before @param {Scene} after @param {readonly GameEvent[]} events */
function flyOff(root, before, after, events) {
  const gone = [...before.cards].filter(([card, was]) => was.zone === 'felt' && !after.cards.has(card));
  if (!gone.length) return;
  const end = events.find((event) => event.event === 'bout_ended');
  const taker = end?.outcome === 'taken' ? after.fans.get(String(end.seat)) : null;
  const aside = after.discard ?? { x: innerWidth + 80, y: gone[0][1].y, width: gone[0][1].width * 0.7 };
  gone.forEach(([, was], i) => ghost(root, /** @type {HTMLElement} */ (was.element.cloneNode(true)), was, taker ?? aside, taker ? i * TAKE_GAP_MS : 0));
}

/** Backs from the stock to somebody's fan. @param {Element} root @param {Spot | null} stock @param {Spot | undefined} fan
 *  @param {number} count */
function flyToFan(root, stock, fan, count) {
  if (!stock || !fan) return;
  for (let i = 0; i < Math.min(count, 3); i += 1) {
    const card = document.createElement('div');
    card.className = 'card';
    card.append(cardBack(true));
    ghost(root, card, stock, fan, i * DEAL_GAP_MS * 2);
  }
}

/** @param {Element} root @param {HTMLElement} card @param {Spot} from @param {Spot} to @param {number} delay */
function ghost(root, card, from, to, delay) {
  card.classList.add('ghost');
  card.removeAttribute('data-card');
  card.removeAttribute('aria-label');
  card.setAttribute('aria-hidden', 'true');
  card.style.setProperty('--card-w', `${from.width}px`);
  card.style.left = `${from.x - from.width / 2}px`;
  card.style.top = `${from.y - from.width * 0.7}px`;
  layer(root).append(card);
  const way = `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(${Math.min(1, to.width / from.width)})`;
  const flight = card.animate([{ transform: 'none' }, { transform: way }], { duration: MOVE_MS, easing: EASE, delay, fill: 'both' });
  flight.onfinish = flight.oncancel = () => card.remove();
}

/** @param {Element} root */
function layer(root) {
  const found = document.getElementById('flights');
  if (found) return found;
  const made = document.createElement('div');
  made.id = 'flights';
  made.setAttribute('aria-hidden', 'true');
  (root.parentElement ?? document.body).append(made);
  return made;
}
