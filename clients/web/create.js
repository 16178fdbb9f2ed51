/**
 * Create a table: the variant as cards to choose, who plays, seats with bots or free, then the options. The form keeps its own
 * draft and gives one command.
 */

import { h } from './dom.js';
import { choice, quiet, toggle } from './parts.js';
import { CHOICES, FIRST_OPTIONS, LEVELS, MORE_OPTIONS, PRESETS, changesOf } from './presets.js';
import { say } from './text.js';

/**
 * @typedef {import('./types.js').Rules} Rules
 * @typedef {import('./types.js').Level} Level
 * @typedef {import('./presets.js').OptionName} OptionName
 *
 * @typedef {object} Draft
 * @property {Rules} rules
 * @property {boolean} watch all bots
 * @property {string} name
 * @property {boolean} isPrivate
 * @property {'watch' | 'fast'} speed
 * @property {(Level | 'free')[]} seats one per seat; mine is the first when I play
 */

const SEATS_AT_FIRST = { classic: 4, gameweave: 4, challenge: 2 };

/** @returns {Draft} */
export function newDraft() {
  return { rules: { ...PRESETS.classic, max_players: SEATS_AT_FIRST.classic }, watch: false, name: '', isPrivate: false, speed: 'watch', seats: ['free', 'free', 'free', 'free', 'free', 'free'] };
}

/** The bots of a draft, in the order of their seats. @param {Draft} draft @returns {Level[]} */
export function botsOf(draft) {
  const seats = draft.seats.slice(draft.watch ? 0 : 1, draft.rules.max_players);
  return /** @type {Level[]} */ (draft.watch ? seats.map((seat) => (seat === 'free' ? 'normal' : seat)) : seats.filter((seat) => seat !== 'free'));
}

/** True if nobody has to be waited for. @param {Draft} draft */
const isFull = (draft) => draft.watch || botsOf(draft).length === draft.rules.max_players - 1;

/** The command of a draft, without its id. @param {Draft} draft */
export function commandOf(draft) {
  return {
    name: draft.name.trim(),
    preset: draft.rules.preset,
    options: { ...changesOf(draft.rules), max_players: draft.rules.max_players },
    bots: botsOf(draft),
    sit: !draft.watch,
    start: isFull(draft),
    private: draft.isPrivate,
    speed: draft.watch ? draft.speed : 'watch',
  };
}

/**
 * @param {Draft} draft
 * @param {import('./store.js').State} state
 * @param {object} handlers
 * @param {(draft: Draft) => void} handlers.change
 * @param {() => void} handlers.submit
 * @param {() => void} handlers.back
 */
export function createScreen(draft, state, { change, submit, back }) {
  const { rules, watch } = draft;
  /** @param {Partial<Rules>} changes */
  const setRules = (changes) => change({ ...draft, rules: { ...rules, ...changes } });
  /** @param {Rules['preset']} preset */
  const setPreset = (preset) => change({ ...draft, rules: { ...PRESETS[preset], max_players: SEATS_AT_FIRST[preset] } });
  const changed = MORE_OPTIONS.some((name) => name in changesOf(rules));
  return h('main', { class: 'sheet', key: 'create', 'data-screen': 'create' },
    h('header', { class: 'sheet-head', key: 'head' }, quiet('back', say('bar.back'), back), h('h1', {}, say('create.title'))),
    h('form', { class: 'sheet-form', key: 'form', on: { submit: (/** @type {SubmitEvent} */ event) => { event.preventDefault(); submit(); } } },
      h('fieldset', { class: 'panel variants', key: 'variants' },
        h('legend', { class: 'unseen' }, say('create.variant')),
        Object.keys(PRESETS).map((preset) => variant(/** @type {Rules['preset']} */ (preset), rules.preset === preset, setPreset))),
      h('fieldset', { class: 'panel', key: 'who' },
        h('legend', { class: 'unseen' }, say('create.mode')),
        h('div', { class: 'segments' }, segment('mode', say('create.mode.play'), !watch, () => change({ ...draft, watch: false })), segment('mode', say('create.mode.watch'), watch, () => change({ ...draft, watch: true }))),
        h('div', { class: 'segments digits', role: 'radiogroup', 'aria-label': say('create.players') },
          [2, 3, 4, 5, 6].map((players) => segment('players', String(players), rules.max_players === players, () => setRules({ max_players: players }), say('players', { players })))),
        h('ol', { class: 'chairs', 'aria-label': say('create.seats') }, Array.from({ length: rules.max_players }, (_, i) => chair(draft, i, change))),
        watch && choice(say('create.speed'), draft.speed, [['watch', say('create.speed.watch')], ['fast', say('create.speed.fast')]], (speed) => change({ ...draft, speed: /** @type {'watch'} */ (speed) }))),
      h('section', { class: 'panel', key: 'options' },
        h('label', { class: 'field', key: 'name' }, h('span', {}, say('create.name')),
          h('input', { name: 'table', maxlength: 40, autocomplete: 'off', props: { value: draft.name }, on: { input: (/** @type {any} */ event) => change({ ...draft, name: event.target.value }) } })),
        FIRST_OPTIONS.map((name) => option(name, rules, setRules)),
        toggle(say('create.private'), draft.isPrivate, (on) => change({ ...draft, isPrivate: on })),
        h('details', { class: 'more', key: 'more' },
          h('summary', {}, say('create.more')),
          h('div', { class: 'fields' }, MORE_OPTIONS.map((name) => option(name, rules, setRules))),
          changed && h('button', { type: 'button', class: 'button small', key: 'reset', on: { click: () => setPreset(rules.preset) } }, say('create.reset')))),
      h('div', { class: 'sheet-foot', key: 'foot' },
        h('p', { class: 'refusal', role: 'alert', key: 'problem' }, state.problem && say(state.problem, { ...state.refusal?.params })),
        h('button', { type: 'submit', class: 'button primary tall wide', 'aria-disabled': state.link === 'connecting' ? 'true' : null },
          say(watch ? 'create.watch' : isFull(draft) ? 'create.start' : 'create.submit')))));
}

/** @param {Rules['preset']} preset @param {boolean} chosen @param {(preset: Rules['preset']) => void} choose */
function variant(preset, chosen, choose) {
  return h('label', { class: 'variant', key: preset, 'data-preset': preset },
    h('input', { type: 'radio', name: 'preset', value: preset, props: { checked: chosen }, on: { change: () => choose(preset) } }),
    h('b', {}, say(`preset.${preset}`)),
    h('span', { class: 'note' }, say(`preset.${preset}.about`)));
}

/** @param {string} group @param {string} word @param {boolean} chosen @param {() => void} choose @param {string} [spoken] */
function segment(group, word, chosen, choose, spoken) {
  return h('label', { class: 'segment', key: word },
    h('input', { type: 'radio', name: group, value: word, 'aria-label': spoken, props: { checked: chosen }, on: { change: choose } }), h('span', {}, word));
}

/** @param {Draft} draft @param {number} seat @param {(draft: Draft) => void} change */
function chair(draft, seat, change) {
  const label = say('create.seat', { seat: seat + 1 });
  if (seat === 0 && !draft.watch) return h('li', { class: 'chair', key: 'me' }, h('span', { class: 'note' }, label), h('b', {}, say('create.you')));
  const value = draft.watch && draft.seats[seat] === 'free' ? 'normal' : draft.seats[seat];
  /** @type {(Level | 'free')[]} */
  const choices = draft.watch ? LEVELS : ['free', ...LEVELS];
  return h('li', { class: 'chair', key: seat }, choice(label, value,
    choices.map((one) => [one, say(one === 'free' ? 'create.free' : `level.${one}`)]),
    (chosen) => change({ ...draft, seats: draft.seats.map((old, i) => (i === seat ? /** @type {Level} */ (chosen) : old)) }),
    { 'data-chair': seat }));
}

/** @param {OptionName} name @param {Rules} rules @param {(changes: Partial<Rules>) => void} set */
function option(name, rules, set) {
  const choices = CHOICES[name];
  const value = rules[name];
  if (choices.every((one) => typeof one === 'boolean')) return toggle(say(`option.${name}`), value === true, (on) => set({ [name]: on }), { 'data-option': name });
  return choice(say(`option.${name}`), JSON.stringify(value), choices.map((one) => [JSON.stringify(one), optionWord(name, one)]),
    (chosen) => set({ [name]: JSON.parse(chosen) }), { 'data-option': name });
}

/** @param {OptionName} name @param {any} value */
export function optionWord(name, value) {
  if (typeof value === 'boolean') return say(value ? 'option.on' : 'option.off');
  if (typeof value === 'string') return say(`option.${name}.${value}`);
  return value === null ? say(`option.${name}.none`) : say(`option.${name}.some`, { value });
}
