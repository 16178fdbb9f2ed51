/**
 * What the page says of its connection, above any screen.
 *
 * @import { Dispatch, Input, State } from '../core/state.js'
 */

import { h } from '../parts/dom.js';
import { say } from '../text/text.js';

/** @param {State} state @param {Dispatch} dispatch */
export function banner({ newVersion, cut, link }, dispatch) {
  /** @param {string} code @param {Input} input */
  const button = (code, input) => h('button', { type: 'button', class: 'button small', on: { click: () => dispatch(input) } }, say(code));
  if (newVersion) {
    return h('p', { class: 'banner', key: 'banner', role: 'status' }, say('link.version'), ' ', button('link.reload', { type: 'reload' }));
  }
  if (!cut) return null;
  return h('p', { class: 'banner', key: 'banner', role: 'status', 'data-link': link }, say(`link.${cut}`), ' ',
    link === 'ended' && button(cut === 'replaced' ? 'link.replaced.here' : 'link.again', { type: 'again' }));
}
