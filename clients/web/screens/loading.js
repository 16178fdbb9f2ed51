/**
 * A table that is not there yet.
 *
 * @import { Screen } from './screens.js'
 */

import { h } from '../parts/dom.js';
import { say } from '../text/text.js';

/** @type {Screen} */
export const loadingScreen = {
  matches: ({ screen, view }) => screen === 'table' && view === null,
  render: ({ cut }) => h('main', { class: 'loading', key: 'loading', 'data-screen': 'loading' }, h('p', { role: 'status' }, say(cut ? `link.${cut}` : 'status.loading'))),
};
