/** Home: a name, play at once, create, join by code, the open tables. And the door: an invitation to somebody without a name. */

import { h, own } from './dom.js';
import { wordmark } from './cards.js';
import { dots, face, quiet, sign } from './parts.js';
import { lastName, tidyName } from './session.js';
import { say } from './text.js';

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

/** The name in the field, or a guest's. */
function nameTyped() {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById('name'));
  return tidyName(field?.value ?? '') || say('home.guest');
}

function nameField() {
  return h('label', { class: 'field', key: 'name' },
    h('span', {}, say('home.name')),
    h('input', { id: 'name', name: 'name', maxlength: 24, autocomplete: 'nickname', enterkeyhint: 'go', placeholder: say('home.guest'), props: { value: lastName() } }));
}

/**
 * @typedef {object} HomeHandlers
 * @property {(name: string) => void} play
 * @property {(name: string) => void} create
 * @property {(code: string, name: string, sit: boolean) => void} visit
 * @property {(code: string) => void} problem
 * @property {() => void} settings
 *
 * @param {import('./store.js').State} state
 * @param {HomeHandlers} handlers
 */
export function homeScreen(state, handlers) {
  const busy = state.link === 'connecting';
  return h('main', { class: 'duo', key: 'home', 'data-screen': 'home' },
    h('header', { class: 'bar-links', key: 'links' }, quiet('sliders', say('home.settings'), handlers.settings)),
    hero(),
    h('div', { class: 'panels', key: 'panels' },
      h('section', { class: 'panel', key: 'start' },
        state.problem && h('p', { class: 'refusal', role: 'alert', key: 'problem' }, say(state.problem, { code: '' })),
        nameField(),
        h('button', { type: 'button', class: 'button primary tall wide', key: 'play', 'aria-disabled': busy ? 'true' : null, on: { click: () => !busy && handlers.play(nameTyped()) } },
          say('home.play'), sign('forward')),
        h('p', { class: 'note centred', key: 'note' }, say('home.play.note')),
        h('form', {
          class: 'line', key: 'line', novalidate: true, on: {
            submit: (/** @type {SubmitEvent} */ event) => {
              event.preventDefault();
              const field = /** @type {HTMLInputElement} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem('code'));
              const code = readCode(field.value);
              if (code) handlers.visit(code, nameTyped(), true);
              else {
                handlers.problem('error.bad_code');
                field.focus();
              }
            },
          },
        },
        h('button', { type: 'button', class: 'button grow', on: { click: () => handlers.create(nameTyped()) } }, say('home.create')),
        h('input', { class: 'box code', name: 'code', 'aria-label': say('home.code'), placeholder: say('home.code.short'), autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', maxlength: 12 }),
        h('button', { type: 'submit', class: 'button' }, say('home.join')))),
      state.tables && openTables(state.tables, handlers)));
}

/** @param {import('./types.js').TableListing[]} tables @param {HomeHandlers} handlers */
function openTables(tables, handlers) {
  return h('section', { class: 'panel', key: 'tables' },
    h('div', { class: 'panel-head' }, h('h2', {}, say('home.tables')), tables.length > 0 && h('b', { class: 'note near' }, String(tables.length))),
    tables.length === 0
      ? h('p', { class: 'note', key: 'none' }, say('home.tables.none'))
      : h('ul', { class: 'rows', key: 'rows' }, tables.map((table) => row(table, handlers))));
}

/** @param {import('./types.js').TableListing} table @param {HomeHandlers} handlers */
function row(table, handlers) {
  const joins = table.status !== 'playing' && table.taken < table.chairs;
  const what = joins ? 'join' : 'watch';
  return h('li', { class: 'row', key: table.table, 'data-table': table.table },
    h('div', { class: 'row-main' }, h('b', {}, table.name), h('span', { class: 'note' }, say('home.tables.line', table))),
    dots(table.taken, table.chairs),
    h('span', { class: 'note digits' }, say('home.tables.of', { taken: table.taken, chairs: table.chairs })),
    h('button', { type: 'button', class: 'button small', 'aria-label': say(`home.${what}.named`, { name: table.name }), on: { click: () => handlers.visit(table.table, nameTyped(), joins) } },
      say(`home.${what}`)));
}

/** An invitation to somebody whose name this browser does not know. @param {import('./store.js').State} state
 *  @param {HomeHandlers & { home: () => void }} handlers */
export function doorScreen(state, handlers) {
  const code = state.table ?? '';
  return h('main', { class: 'duo', key: 'door', 'data-screen': 'door' },
    h('header', { class: 'bar-links', key: 'links' }, quiet('back', say('bar.back'), handlers.home), quiet('sliders', say('home.settings'), handlers.settings)),
    hero(),
    h('div', { class: 'panels', key: 'panels' },
      h('form', { class: 'panel', key: 'enter', on: { submit: (/** @type {SubmitEvent} */ event) => { event.preventDefault(); handlers.visit(code, nameTyped(), true); } } },
        h('h2', {}, say('door.title', { code })),
        state.problem && h('p', { class: 'refusal', role: 'alert', key: 'problem' }, say(state.problem, { code: '' })),
        nameField(),
        h('button', { type: 'submit', class: 'button primary tall wide' }, say('door.join'), sign('forward')))));
}
