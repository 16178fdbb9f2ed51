/** Questions and settings over any screen: native dialogs, so focus and Escape are the browser's. */

import { h, patch } from './dom.js';
import { choice, toggle } from './parts.js';
import { change, settings } from './settings.js';
import { say } from './text.js';

/** @param {string} id @returns {HTMLDialogElement} */
function dialog(id) {
  const found = document.getElementById(id);
  if (found) return /** @type {HTMLDialogElement} */ (found);
  const made = document.createElement('dialog');
  made.id = id;
  made.className = 'panel';
  document.body.append(made);
  return made;
}

/** Ask before a loss. @param {() => void} leave */
export function askToLeave(leave) {
  const box = dialog('ask-leave');
  box.setAttribute('aria-labelledby', 'ask-leave-title');
  const close = () => box.close();
  patch(box, [
    h('h2', { id: 'ask-leave-title' }, say('leave.title')),
    h('p', {}, say('leave.about')),
    h('div', { class: 'line' },
      h('button', { type: 'button', class: 'button grow primary', key: 'stay', on: { click: close } }, say('leave.stay')),
      h('button', { type: 'button', class: 'button grow', key: 'go', 'data-act': 'leave', on: { click: () => { close(); leave(); } } }, say('leave.go'))),
  ]);
  if (!box.open) box.showModal();
}

/** @param {() => void} redraw after a change */
export function openSettings(redraw) {
  const box = dialog('settings');
  box.setAttribute('aria-labelledby', 'settings-title');
  const { theme, fourColour, singleKeys } = settings();
  /** @param {Partial<import('./settings.js').Settings>} changes */
  const set = (changes) => {
    change(changes);
    openSettings(redraw);
    redraw();
  };
  patch(box, [
    h('h2', { id: 'settings-title' }, say('settings.title')),
    choice(say('settings.theme'), theme, [
      ['system', say('settings.theme.system')], ['dark', say('settings.theme.dark')], ['light', say('settings.theme.light')],
    ], (value) => set({ theme: /** @type {'dark'} */ (value) })),
    toggle(say('settings.four'), fourColour, (on) => set({ fourColour: on })),
    toggle(say('settings.keys'), singleKeys, (on) => set({ singleKeys: on })),
    h('div', { class: 'line' }, h('button', { type: 'button', class: 'button grow primary', on: { click: () => box.close() } }, say('settings.close'))),
  ]);
  if (!box.open) box.showModal();
}

/** A question about a table that is gone has nothing to ask. */
export function closeDialogs() {
  for (const box of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll('dialog[open]'))) box.close();
}
