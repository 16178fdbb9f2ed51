/**
 * Create a table: the variant as cards to choose, who plays, seats with bots or free, then the options. What is chosen is the draft
 * of the state, which gives one command.
 *
 * @import * as wire from '../core/wire.js'
 * @import { Draft, Level } from '../core/draft.js'
 * @import { OptionName, OptionValue } from '../core/presets.js'
 * @import { Screen } from './screens.js'
 */

import { isFull, rulesAtFirst } from '../core/draft.js';
import { CHOICES, FIRST_OPTIONS, LEVELS, MORE_OPTIONS, PRESET_NAMES, changesOf } from '../core/presets.js';
import { h } from '../parts/dom.js';
import { choice, levelWord, quiet, toggle } from '../parts/parts.js';
import { say, sayOr, sayProblem } from '../text/text.js';

/** @type {Screen} */
export const createScreen = {
  matches: (state) => state.screen === 'create',

  render(state, dispatch) {
    const { draft, problem } = state;
    const { rules, watch } = draft;
    /** @param {Draft} changed */
    const change = (changed) => dispatch({ type: 'draft', draft: changed });
    /** @param {Partial<wire.Ruleset>} changes */
    const setRules = (changes) => change({ ...draft, rules: { ...rules, ...changes } });
    /** @param {wire.Ruleset['preset']} preset */
    const setPreset = (preset) => change({ ...draft, rules: rulesAtFirst(preset) });
    const changed = MORE_OPTIONS.some((name) => name in changesOf(rules));
    return h('main', { class: 'sheet', key: 'create', 'data-screen': 'create' },
      h('header', { class: 'sheet-head', key: 'head' }, quiet('back', say('bar.back'), () => dispatch({ type: 'to_home' })), h('h1', {}, say('create.title'))),
      h('form', { class: 'sheet-form', key: 'form', on: { submit: (/** @type {SubmitEvent} */ event) => { event.preventDefault(); dispatch({ type: 'create' }); } } },
        h('fieldset', { class: 'panel variants', key: 'variants' },
          h('legend', { class: 'unseen' }, say('create.variant')),
          PRESET_NAMES.map((preset) => variant(preset, rules.preset === preset, setPreset))),
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
          h('p', { class: 'refusal', role: 'alert', key: 'problem' }, problem && sayProblem(problem)),
          h('button', { type: 'submit', class: 'button primary tall wide', 'aria-disabled': state.link === 'connecting' ? 'true' : null },
            say(watch ? 'create.watch' : isFull(draft) ? 'create.start' : 'create.submit')))));
  },
};

/** @param {wire.Ruleset['preset']} preset @param {boolean} chosen @param {(preset: wire.Ruleset['preset']) => void} choose */
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
    choices.map((one) => [one, one === 'free' ? say('create.free') : levelWord(one)]),
    (chosen) => change({ ...draft, seats: draft.seats.map((old, i) => (i === seat ? /** @type {Level} */ (chosen) : old)) }),
    { 'data-chair': seat }));
}

/** @param {OptionName} name @param {wire.Ruleset} rules @param {(changes: Partial<wire.Ruleset>) => void} set */
function option(name, rules, set) {
  const choices = CHOICES[name];
  const value = rules[name];
  if (choices.every((one) => typeof one === 'boolean')) return toggle(say(`option.${name}`), value === true, (on) => set({ [name]: on }), { 'data-option': name });
  return choice(say(`option.${name}`), JSON.stringify(value), choices.map((one) => [JSON.stringify(one), optionWord(name, one)]),
    (chosen) => set({ [name]: JSON.parse(chosen) }), { 'data-option': name });
}

/** What an option is; one that this page does not know goes by the server's word. @param {OptionName} name @param {OptionValue} value */
export function optionWord(name, value) {
  if (typeof value === 'boolean') return say(value ? 'option.on' : 'option.off');
  if (typeof value === 'string') return sayOr(`option.${name}.${value}`, value);
  if (value === null) return say(`option.${name}.none`);
  return say(`option.${name}.some`, Array.isArray(value) ? { low: value[0], high: value[1] } : { value });
}
