/**
 * My role, one sentence that names my choice, and the buttons of what is legal.
 *
 * @import { GameView, TableView } from '../core/wire.js'
 * @import { Dispatch, State } from '../core/state.js'
 * @import { Child } from '../parts/dom.js'
 * @import { Role } from '../parts/parts.js'
 * @import { Control } from './situation.js'
 */

import { isOutdated } from '../core/view.js';
import { h } from '../parts/dom.js';
import { alertLine, pill, sign } from '../parts/parts.js';
import { say } from '../text/text.js';
import { controlsOf, situationOf } from './situation.js';

/**
 * @param {State} state @param {TableView} view @param {GameView} game @param {Dispatch} dispatch
 * @param {Child} below something more under the sentence: the clock, where there is no hand
 */
export function statusZone(state, view, game, dispatch, below) {
  const { picked, pending, link } = state;
  const live = link === 'online';
  const situation = situationOf(view);
  const sentence = picked ? say('status.choose', { card: picked }) : say(situation.code, situation.params);
  const word = roleWord(view, game, situation.role);
  // What the defender would pass by itself, and when no bout runs, there is nothing to say of.
  const passes = view.you.can.includes('auto_pass') && game.phase === 'bout' && view.you.seat !== null && game.throwers.includes(view.you.seat);
  return h('section', { class: 'status', key: 'status', 'data-zone': 'status', 'aria-label': say('zone.status') },
    pill(situation.role, word, 'p'),
    h('p', { class: 'sentence', 'data-code': picked ? 'status.choose' : situation.code }, sentence),
    alertLine(state.refusal),
    below,
    h('div', { class: 'actions', key: 'actions' },
      passes && autoPassSwitch(view.you.auto_pass, live, (on) => dispatch({ type: 'command', command: { t: 'auto_pass', on } })),
      controlsOf(view).map((control) => button(control, live && !pending.has(control.action.act), () => dispatch({ type: 'act', action: control.action }))),
      isOutdated(view) && h('button', {
        type: 'button', class: 'button primary', key: 'reload', 'data-act': 'reload', on: { click: () => dispatch({ type: 'reload' }) },
      }, say('link.reload')),
      view.you.can.includes('join') && h('button', {
        type: 'button', class: 'button primary', key: 'join', 'data-act': 'join', 'aria-disabled': live ? null : 'true',
        on: { click: () => live && dispatch({ type: 'command', command: { t: 'join', table: view.table } }) },
      }, say(situation.role === 'left' ? 'act.come_back' : 'act.sit'))));
}

/** @param {TableView} view @param {GameView} game @param {Role} role */
function roleWord({ you }, game, role) {
  if (you.seat === null) return say('me.watching');
  if (game.phase === 'redeal' && game.legal.length) return say('me.offer');
  if (game.phase === 'decide' && you.seat === game.defender) return say('me.decides');
  return say(`me.${role}`);
}

/** The word is short where there is little room; its name never is. @param {boolean} on @param {boolean} live @param {(on: boolean) => void} set */
function autoPassSwitch(on, live, set) {
  return h('label', { class: live ? 'switch' : 'switch off', key: 'auto_pass', 'data-act': 'auto_pass', inert: !live },
    h('input', {
      type: 'checkbox', role: 'switch', 'aria-label': say('act.auto_pass'), props: { checked: on },
      on: { change: (/** @type {any} */ event) => set(event.target.checked) },
    }),
    h('span', { class: 'long', 'aria-hidden': 'true' }, say('act.auto_pass')),
    h('span', { class: 'short', 'aria-hidden': 'true' }, say('act.auto_pass.short')));
}

/** @param {Control} control @param {boolean} enabled @param {() => void} press */
function button({ action: { act }, kind, key, code, params }, enabled, press) {
  return h('button', {
    type: 'button', class: `button${kind === 'primary' ? ' primary' : ''}${act === 'take' ? ' wide' : ''}`, key: act, 'data-act': act,
    'aria-disabled': enabled ? null : 'true', 'aria-keyshortcuts': key, on: { click: () => enabled && press() },
  }, act === 'take' && sign('take'), h('span', {}, say(code, params)), key && h('kbd', { 'aria-hidden': 'true' }, key));
}
