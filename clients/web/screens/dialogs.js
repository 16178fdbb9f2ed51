/**
 * Questions and settings over any screen: native dialogs, so focus and Escape are the browser's. The state says which is open.
 *
 * @import { Dispatch, State } from '../core/state.js'
 * @import { Settings } from '../core/settings.js'
 * @import { Child } from '../parts/dom.js'
 */

import { h, patch } from '../parts/dom.js';
import { choice, toggle } from '../parts/parts.js';
import { say } from '../text/text.js';

/** What each dialog is called by and what is in it.
 *  @type {Record<NonNullable<State['dialog']>, { id: string, content: (state: State, dispatch: Dispatch) => Child[] }>} */
const DIALOGS = {
  leave: { id: 'ask-leave', content: askToLeave },
  settings: { id: 'settings', content: settingsForm },
};

/** Open, close and draw the dialogs as the state has them. @param {State} state @param {Dispatch} dispatch */
export function drawDialogs(state, dispatch) {
  for (const [name, { id, content }] of Object.entries(DIALOGS)) {
    const box = /** @type {HTMLDialogElement | null} */ (document.getElementById(id));
    if (state.dialog !== name) {
      box?.close();
      continue;
    }
    const shown = box ?? make(id, () => dispatch({ type: 'close_dialog', dialog: state.dialog }));
    patch(shown, content(state, dispatch));
    if (!shown.open) shown.showModal();
  }
}

/** @param {string} id @param {() => void} close */
function make(id, close) {
  const box = document.createElement('dialog');
  box.id = id;
  box.className = 'panel';
  box.setAttribute('aria-labelledby', `${id}-title`);
  box.addEventListener('close', () => !box.open && close()); // by Escape too
  document.body.append(box);
  return box;
}

/** A question before a loss. @param {State} _ @param {Dispatch} dispatch @returns {Child[]} */
function askToLeave(_, dispatch) {
  return [
    h('h2', { id: 'ask-leave-title' }, say('leave.title')),
    h('p', {}, say('leave.about')),
    h('div', { class: 'line' },
      h('button', { type: 'button', class: 'button grow primary', key: 'stay', on: { click: () => dispatch({ type: 'close_dialog', dialog: 'leave' }) } }, say('leave.stay')),
      h('button', { type: 'button', class: 'button grow', key: 'go', 'data-act': 'leave', on: { click: () => dispatch({ type: 'leave_anyway' }) } }, say('leave.go'))),
  ];
}

/** @param {State} state @param {Dispatch} dispatch @returns {Child[]} */
function settingsForm({ settings: { theme, fourColour, singleKeys } }, dispatch) {
  /** @param {Partial<Settings>} settings */
  const set = (settings) => dispatch({ type: 'set', settings });
  return [
    h('h2', { id: 'settings-title' }, say('settings.title')),
    choice(say('settings.theme'), theme, [
      ['system', say('settings.theme.system')], ['dark', say('settings.theme.dark')], ['light', say('settings.theme.light')],
    ], (value) => set({ theme: /** @type {Settings['theme']} */ (value) })),
    toggle(say('settings.four'), fourColour, (on) => set({ fourColour: on })),
    toggle(say('settings.keys'), singleKeys, (on) => set({ singleKeys: on })),
    h('div', { class: 'line' }, h('button', { type: 'button', class: 'button grow primary', on: { click: () => dispatch({ type: 'close_dialog', dialog: 'settings' }) } }, say('settings.close'))),
  ];
}
