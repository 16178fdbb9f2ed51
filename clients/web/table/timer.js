/**
 * The clock in the rail: a bar that drains, digits beside it, a spoken warning when it is mine.
 *
 * @import { State } from '../core/state.js'
 */

import { clockKindOf, legalOf } from '../core/view.js';
import { h } from '../parts/dom.js';
import { announce } from '../text/announce.js';
import { clockText, say } from '../text/text.js';

const TICK_MS = 100;
const LATE_MS = 3_000;
const WARNINGS_S = [10, 3];

/** The empty bar; `runTimer` fills it. */
export function timerBar() {
  return h('div', { class: 'timer idle', key: 'timer', 'data-zone': 'timer', role: 'timer', 'aria-label': say('timer'), keep: true });
}

/** @type {{ element: HTMLElement, drain: HTMLElement, digits: HTMLElement, deadline: number, total: number, mine: boolean, warned: number,
 *   animation: Animation | null } | null} */
let running = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;

/** Let the bar of a screen run with the clock of the view. @param {Element} root @param {State} state */
export function runTimer(root, { view, deadline, link }) {
  const element = /** @type {HTMLElement | null} */ (root.querySelector('.timer'));
  if (!element) {
    stop();
    return;
  }
  if (!element.firstChild) build(element);
  const clock = view?.clock;
  const drain = /** @type {HTMLElement} */ (element.querySelector('.drain'));
  const digits = /** @type {HTMLElement} */ (element.querySelector('.digits'));
  if (!clock || clock.total_ms <= 0) {
    stop();
    element.classList.add('idle');
    element.classList.remove('late');
    delete element.dataset.clock;
    digits.textContent = '';
    return;
  }
  if (running && running.element === element && running.deadline === deadline) return;
  const seat = view.you.seat;
  const kind = clockKindOf(clock);
  const mine = seat !== null && link === 'online' && (clock.seats.includes(seat) || (kind === 'window' && legalOf(view).length > 0));
  const warned = running?.element === element && Math.abs(running.deadline - deadline) < 1_500 ? running.warned : Infinity;
  running?.animation?.cancel();
  running = { element, drain, digits, deadline, total: clock.total_ms, mine, warned, animation: drained(drain, deadline, clock.total_ms) };
  element.classList.remove('idle');
  element.dataset.clock = kind;
  tick();
  ticking ??= setInterval(tick, TICK_MS);
}

/** @param {HTMLElement} element */
function build(element) {
  const track = document.createElement('div');
  const drain = document.createElement('div');
  const digits = document.createElement('span');
  track.className = 'track';
  drain.className = 'drain';
  digits.className = 'digits';
  track.append(drain);
  element.append(track, digits);
}

/** The bar going down to the deadline; null if it goes down second by second. @param {HTMLElement} drain @param {number} deadline
 *  @param {number} total */
function drained(drain, deadline, total) {
  const left = Math.max(0, deadline - performance.now());
  const share = Math.min(1, left / total);
  drain.style.setProperty('--left', share.toFixed(4));
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || left === 0) return null;
  return drain.animate([{ transform: `scaleX(${share})` }, { transform: 'scaleX(0)' }], { duration: left, easing: 'linear', fill: 'forwards' });
}

function tick() {
  if (!running || !running.element.isConnected) {
    stop();
    return;
  }
  const { element, drain, digits, deadline, total, mine, animation } = running;
  const left = Math.max(0, deadline - performance.now());
  const text = clockText(left);
  if (digits.textContent !== text) {
    digits.textContent = text;
    if (!animation) drain.style.setProperty('--left', Math.min(1, left / total).toFixed(4));
  }
  element.classList.toggle('late', left <= LATE_MS);
  const seconds = Math.ceil(left / 1000);
  const warning = WARNINGS_S.find((at) => seconds === at && running !== null && running.warned > at);
  if (mine && warning !== undefined && total > warning * 1000) {
    running.warned = warning;
    announce(say('timer.warning', { seconds: warning }));
  }
}

function stop() {
  clearInterval(ticking);
  ticking = undefined;
  running?.animation?.cancel(); // it would keep a bar that is gone, and all around it
  running = null;
}
