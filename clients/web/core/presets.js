/**
 * The options of a table for the form that creates one: what the three presets set, what each option may be, and the levels of bots.
 * The server checks everything again; only options that differ from the preset are sent.
 *
 * @import * as wire from './wire.js'
 *
 * @typedef {keyof Omit<wire.Ruleset, 'preset' | 'max_players'>} OptionName
 * @typedef {wire.Ruleset[OptionName]} OptionValue
 */

/** @type {wire.Ruleset} */
const CLASSIC = {
  preset: 'classic', max_players: 6, throw_in: 'all', throw_timing: 'any', after_take: 'window', window_ms: 8_000, close_ms: 1_000,
  first_attacker: 'lowest_trump', redeal: false, forfeit_defence: false, epaulettes: false, limit_first_bout: null, discreet: false,
  series: true, offer_ms: 6_000, turn_clock_s: 30, bot_delay_ms: [1_500, 3_000],
};

/** @type {Record<wire.Ruleset['preset'], wire.Ruleset>} */
export const PRESETS = {
  classic: CLASSIC,
  gameweave: {
    ...CLASSIC, preset: 'gameweave', throw_in: 'attacker_only', throw_timing: 'all_beaten', after_take: 'immediate', window_ms: null, close_ms: 0,
  },
  challenge: {
    ...CLASSIC, preset: 'challenge', max_players: 2, throw_in: 'attacker_only', throw_timing: 'all_beaten', window_ms: null, close_ms: 0,
    first_attacker: 'winner_leads', redeal: true, forfeit_defence: true, epaulettes: true,
  },
};

export const PRESET_NAMES = /** @type {wire.Ruleset['preset'][]} */ (Object.keys(PRESETS));

/** What bots there are. @type {wire.Fill['bots']} */
export const LEVELS = ['easy', 'normal', 'hard'];

/** What an option may be; true and false where it is a switch. @type {{ [name in OptionName]: wire.Ruleset[name][] }} */
export const CHOICES = {
  turn_clock_s: [15, 30, 60, null],
  discreet: [false, true],
  throw_in: ['all', 'attacker_only'],
  throw_timing: ['any', 'all_beaten'],
  after_take: ['window', 'immediate', 'none'],
  window_ms: [null, 5_000, 8_000, 12_000, 20_000],
  close_ms: [0, 1_000, 2_000],
  first_attacker: ['lowest_trump', 'winner_leads'],
  limit_first_bout: [null, 5],
  redeal: [false, true],
  offer_ms: [0, 6_000, 10_000],
  forfeit_defence: [false, true],
  epaulettes: [false, true],
  series: [false, true],
  bot_delay_ms: [[1_500, 3_000], [3_000, 6_000]],
};

/** Asked for at once; the others are behind "More rules". @type {OptionName[]} */
export const FIRST_OPTIONS = ['turn_clock_s', 'discreet'];

const OPTIONS = /** @type {OptionName[]} */ (Object.keys(CLASSIC).filter((name) => name in CHOICES));

/** @type {OptionName[]} */
export const MORE_OPTIONS = /** @type {OptionName[]} */ (Object.keys(CHOICES)).filter((name) => !FIRST_OPTIONS.includes(name));

/**
 * The options in which these rules differ from their preset; all that this page knows if it does not know the preset.
 * @param {wire.Ruleset} rules
 * @returns {Partial<Record<OptionName, OptionValue>>}
 */
export function changesOf(rules) {
  const preset = Object.hasOwn(PRESETS, rules.preset) ? PRESETS[rules.preset] : null;
  const known = OPTIONS.filter((name) => name in rules && (!preset || JSON.stringify(rules[name]) !== JSON.stringify(preset[name])));
  return Object.fromEntries(known.map((name) => [name, rules[name]]));
}
