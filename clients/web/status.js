/** My role, one sentence that names my choice, and the buttons of what is legal. */

import { h } from './dom.js';
import { alertLine, pill, sign } from './parts.js';
import { controlsOf, mayAutoPass, situationOf } from './situation.js';
import { say } from './text.js';

/**
 * @typedef {import('./types.js').TableView} TableView
 * @typedef {import('./situation.js').Control} Control
 * @typedef {import('./store.js').State} State
 *
 * @param {State & { view: TableView }} state
 * @param {object} handlers
 * @param {(action: import('./types.js').Action) => void} handlers.act
 * @param {(on: boolean) => void} handlers.autoPass
 * @param {() => void} handlers.join
 * @param {import('./dom.js').Child} below something more under the sentence: the clock, where there is no hand
 */
export function statusZone(state, { act, autoPass, join }, below) {
  const { view, picked, pending, link } = state;
  const live = link === 'online';
  const situation = situationOf(view);
  const sentence = picked ? say('status.choose', { card: picked }) : say(situation.code, situation.params);
  const word = roleWord(view, situation.role);
  return h('section', { class: 'status', key: 'status', 'data-zone': 'status', 'aria-label': say('zone.status') },
    pill(situation.role, word, 'p'),
    h('p', { class: 'sentence', 'data-code': picked ? 'status.choose' : situation.code }, sentence),
    alertLine(state.refusal),
    below,
    h('div', { class: 'actions', key: 'actions' },
      mayAutoPass(view) && autoPassSwitch(view.you.auto_pass, live, autoPass),
      controlsOf(view).map((control) => button(control, live && !pending.has(control.act), () => act({ act: control.act }))),
      view.you.can.includes('join') && h('button', {
        type: 'button', class: 'button primary', key: 'join', 'data-act': 'join', 'aria-disabled': live ? null : 'true', on: { click: () => live && join() },
      }, say(situation.role === 'left' ? 'act.come_back' : 'act.sit'))));
}

/** @param {TableView} view @param {import('./situation.js').Role} role */
function roleWord(view, role) {
  const { game, you } = view;
  if (you.seat === null) return say('me.watching');
  if (game?.phase === 'redeal' && game.legal.length) return say('me.offer');
  if (game?.phase === 'decide' && you.seat === game.defender) return say('me.decides');
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
function button(control, enabled, press) {
  const wide = control.act === 'take' ? ' wide' : '';
  return h('button', {
    type: 'button', class: `button${control.kind === 'primary' ? ' primary' : ''}${wide}`, key: control.act, 'data-act': control.act,
    'aria-disabled': enabled ? null : 'true', 'aria-keyshortcuts': control.key, on: { click: () => enabled && press() },
  }, control.act === 'take' && sign('take'), h('span', {}, say(control.code, control.params)), control.key && h('kbd', { 'aria-hidden': 'true' }, control.key));
}
