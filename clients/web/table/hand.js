/**
 * My hand: buttons, trumps left, one tab stop. A card that is not legal now can be read and reached, but sends nothing.
 *
 * @import { GameView } from '../core/wire.js'
 * @import { Dispatch, State, TableView } from '../core/state.js'
 */

import { byCard } from '../core/view.js';
import { h } from '../parts/dom.js';
import { face } from '../parts/parts.js';
import { say } from '../text/text.js';
import { sortedHand, suitOf } from './situation.js';

const SWIPE_PX = 40;

/** @param {State} state @param {TableView} view @param {GameView} game @param {Dispatch} dispatch */
export function handZone(state, view, game, dispatch) {
  const { link, picked, pending } = state;
  const hand = sortedHand(game.hand ?? [], game.trump);
  const legal = link === 'online' ? byCard(view) : new Map();
  /** @param {string} card the tab stop moves here */
  const reach = (card) => dispatch({ type: 'reach', card });
  const stop = tabStop(hand, state.cursor, legal);
  return h('div', {
    class: 'hand', key: 'hand', 'data-zone': 'hand', role: 'toolbar', 'aria-label': say('zone.hand', { cards: hand.length }),
    on: { keydown: (/** @type {KeyboardEvent} */ event) => moveStop(event, hand, reach) },
  }, hand.map((card) => {
    const sent = pending.has(card);
    const playable = legal.has(card) && !sent;
    return h('button', {
      type: 'button', key: card, 'data-card': card,
      class: `card ${sent ? 'sent' : picked === card ? 'legal picked' : playable ? 'legal' : 'quiet'}`,
      'aria-label': say('card.in_hand', {
        card, trump: suitOf(card) === game.trump, playable, sent, picked: picked === card, shown: game.shown_trump?.card === card,
      }),
      'aria-disabled': playable ? null : 'true',
      'aria-pressed': picked === card ? 'true' : null,
      tabindex: card === stop ? 0 : -1,
      on: {
        click: (/** @type {MouseEvent} */ event) => {
          if (/** @type {HTMLElement} */ (event.currentTarget).dataset.swiped) return;
          if (playable) dispatch({ type: 'press', card, byKey: event.detail === 0 });
        },
        focus: () => reach(card),
        pointerdown: (/** @type {PointerEvent} */ event) => playable && followSwipe(event, () => dispatch({ type: 'press', card, byKey: false })),
      },
    }, face(card));
  }));
}

/** The card that Tab reaches: where it was, else the nearest that is left. @param {string[]} hand @param {string | null} cursor
 *  @param {Map<string, unknown>} legal */
function tabStop(hand, cursor, legal) {
  if (cursor && hand.includes(cursor)) return cursor;
  return hand.find((card) => legal.has(card)) ?? hand[0];
}

/** @param {KeyboardEvent} event @param {string[]} hand @param {(card: string) => void} reach */
function moveStop(event, hand, reach) {
  const target = /** @type {HTMLElement} */ (event.target);
  const at = hand.indexOf(target.dataset.card ?? '');
  const rtl = getComputedStyle(target).direction === 'rtl' ? -1 : 1;
  const to = { ArrowRight: at + rtl, ArrowLeft: at - rtl, ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: hand.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = hand[Math.min(hand.length - 1, Math.max(0, to))];
  reach(next);
  /** @type {HTMLElement | null | undefined} */ (target.parentElement?.querySelector(`[data-card="${next}"]`))?.focus();
}

/** A swipe up plays a card: it follows the finger, and 40 px are enough. @param {PointerEvent} down @param {() => void} play */
function followSwipe(down, play) {
  const card = /** @type {HTMLElement} */ (down.currentTarget);
  if (down.button !== 0) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let farthest = 0;
  /** @param {PointerEvent} event */
  const move = (event) => {
    if (event.pointerId !== down.pointerId) return;
    const up = down.clientY - event.clientY;
    farthest = Math.max(farthest, up);
    if (!still) card.style.transform = up > 6 ? `translateY(${-Math.min(up, 160)}px)` : '';
  };
  /** @param {PointerEvent} event */
  const end = (event) => {
    if (event.pointerId !== down.pointerId) return;
    window.removeEventListener('pointermove', move);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
    const up = down.clientY - event.clientY;
    const aside = Math.abs(event.clientX - down.clientX);
    const swiped = event.type === 'pointerup' && up >= SWIPE_PX && up > aside;
    if (swiped || farthest > 10) {
      // The click that follows belongs to the swipe.
      card.dataset.swiped = 'true';
      setTimeout(() => delete card.dataset.swiped);
    }
    if (swiped) play();
    requestAnimationFrame(() => { card.style.transform = ''; });
  };
  window.addEventListener('pointermove', move);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
}
