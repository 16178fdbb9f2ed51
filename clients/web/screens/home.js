/** Home: a name, play at once, create, join by code, the open tables. And the door: an invitation to somebody without a name. */

import { tidyName } from '../core/guests.js';
import { wordmark } from '../parts/cards.js';
import { h, own } from '../parts/dom.js';
import { dots, face, quiet, sign } from '../parts/parts.js';
import { say, sayProblem } from '../text/text.js';

/**
 * @import * as wire from '../core/wire.js'
 * @import { Dispatch, State } from '../core/state.js'
 * @import { Screen } from './screens.js'
 */

const SPREAD = ['6S', '9H', 'JC', 'QD', 'KS', 'AH'];
const CODE = /^[0-9A-HJKMNP-TV-Z]{6}$/;

/** What a person may type for a code: any case, with spaces, O for 0, and I or L for 1. @param {string} text */
export function readCode(text) {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/** @param {string[]} cards @param {string} [more] class */
export function spread(cards, more = '') {
  const step = cards.length > 1 ? Math.min(12, 48 / (cards.length - 1)) : 0;
  return h('div', { class: `spread ${more}`.trim(), key: 'spread', 'aria-hidden': 'true' }, cards.map((card, i) =>
    h('div', { class: 'card', key: `${i}${card}`, vars: { '--angle': `${((i - (cards.length - 1) / 2) * step).toFixed(1)}deg` } }, face(card))));
}

function hero() {
  return h('section', { class: 'hero', key: 'hero' },
    spread(SPREAD),
    h('h1', { class: 'title', 'aria-label': say('home.title') }, own('wordmark', () => wordmark())),
    h('p', { class: 'motto' }, say('home.motto')),
    h('p', { class: 'about' }, say('home.about')));
}

/** The name in the field, or a guest's. @param {State} state */
const nameTyped = (state) => tidyName(state.name) || say('home.guest');

/** @param {State} state @param {Dispatch} dispatch */
function nameField(state, dispatch) {
  return h('label', { class: 'field', key: 'name' },
    h('span', {}, say('home.name')),
    h('input', {
      id: 'name', name: 'name', maxlength: 24, autocomplete: 'nickname', enterkeyhint: 'go', placeholder: say('home.guest'), props: { value: state.name },
      on: { input: (/** @type {any} */ event) => dispatch({ type: 'name', name: event.target.value }) },
    }));
}

/** @param {State} state */
const problemLine = ({ problem }) => problem && h('p', { class: 'refusal', role: 'alert', key: 'problem' }, sayProblem(problem));

/** @type {Screen} */
export const homeScreen = {
  matches: (state) => state.screen === 'home',

  render(state, dispatch) {
    const busy = state.link === 'connecting';
    const name = nameTyped(state);
    /** @param {SubmitEvent} event */
    const join = (event) => {
      event.preventDefault();
      const code = readCode(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get('code')));
      dispatch(code ? { type: 'visit', code, name, sit: true } : { type: 'bad_code' });
    };
    return h('main', { class: 'duo', key: 'home', 'data-screen': 'home' },
      h('header', { class: 'bar-links', key: 'links' }, quiet('sliders', say('home.settings'), () => dispatch({ type: 'settings' }))),
      hero(),
      h('div', { class: 'panels', key: 'panels' },
        h('section', { class: 'panel', key: 'start' },
          problemLine(state),
          nameField(state, dispatch),
          h('button', { type: 'button', class: 'button primary tall wide', key: 'play', 'aria-disabled': busy ? 'true' : null, on: { click: () => !busy && dispatch({ type: 'play', name }) } },
            say('home.play'), sign('forward')),
          h('p', { class: 'note centred', key: 'note' }, say('home.play.note')),
          h('form', { class: 'line', key: 'line', novalidate: true, on: { submit: join } },
            h('button', { type: 'button', class: 'button grow', on: { click: () => dispatch({ type: 'to_create', name }) } }, say('home.create')),
            h('input', { class: 'box code', name: 'code', 'aria-label': say('home.code'), placeholder: say('home.code.short'), autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 12 }),
            h('button', { type: 'submit', class: 'button' }, say('home.join')))),
        state.tables && openTables(state.tables, name, dispatch)));
  },
};

/** @param {wire.TableListing[]} tables @param {string} name mine @param {Dispatch} dispatch */
function openTables(tables, name, dispatch) {
  return h('section', { class: 'panel', key: 'tables' },
    h('div', { class: 'panel-head' }, h('h2', {}, say('home.tables')), tables.length > 0 && h('b', { class: 'note near' }, String(tables.length))),
    tables.length === 0
      ? h('p', { class: 'note', key: 'none' }, say('home.tables.none'))
      : h('ul', { class: 'rows', key: 'rows' }, tables.map((table) => row(table, name, dispatch))));
}

/** @param {wire.TableListing} table @param {string} name mine @param {Dispatch} dispatch */
function row(table, name, dispatch) {
  const joins = table.status === 'open' && table.taken < table.chairs;
  const what = joins ? 'join' : 'watch';
  return h('li', { class: 'row', key: table.table, 'data-table': table.table },
    h('div', { class: 'row-main' }, h('b', {}, table.name), h('span', { class: 'note' }, say('home.tables.line', { ...table, playing: table.status === 'playing' }))),
    dots(table.taken, table.chairs),
    h('span', { class: 'note digits' }, say('home.tables.of', { taken: table.taken, chairs: table.chairs })),
    h('button', { type: 'button', class: 'button small', 'aria-label': say(`home.${what}.named`, { name: table.name }), on: { click: () => dispatch({ type: 'visit', code: table.table, name, sit: joins }) } },
      say(`home.${what}`)));
}

/** An invitation to somebody whose name this browser does not know. @type {Screen} */
export const doorScreen = {
  matches: (state) => state.screen === 'door',

  render(state, dispatch) {
    const code = state.table ?? '';
    /** @param {SubmitEvent} event */
    const enter = (event) => {
      event.preventDefault();
      dispatch({ type: 'visit', code, name: nameTyped(state), sit: true });
    };
    return h('main', { class: 'duo', key: 'door', 'data-screen': 'door' },
      h('header', { class: 'bar-links', key: 'links' },
        quiet('back', say('bar.back'), () => dispatch({ type: 'to_home' })), quiet('sliders', say('home.settings'), () => dispatch({ type: 'settings' }))),
      hero(),
      h('div', { class: 'panels', key: 'panels' },
        h('form', { class: 'panel', key: 'enter', on: { submit: enter } },
          h('h2', {}, say('door.title', { code })),
          problemLine(state),
          nameField(state, dispatch),
          h('button', { type: 'submit', class: 'button primary tall wide' }, say('door.join'), sign('forward')))));
  },
};
