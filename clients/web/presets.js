/**
 * The options of a table for the form that creates one: what the three presets set, what each option may be, and the levels of bots.
 * The server checks everything again; only options that differ from the preset are sent.
 *
 * @typedef {import('./types.js').Rules} Rules
 * @typedef {keyof Omit<Rules, 'preset' | 'max_players'>} OptionName
 */

/** @type {Rules} */
const CLASSIC = {
  preset: 'classic', max_players: 6, throw_in: 'all', throw_timing: 'any', after_take: 'window', window_ms: 8_000, close_ms: 1_000,
  first_attacker: 'lowest_trump', redeal: false, forfeit_defence: false, epaulettes: false, limit_first_bout: null, discreet: false,
  series: true, offer_ms: 0, turn_clock_s: 30, bot_delay_ms: [1_500, 3_000],
};

/** @type {Record<Rules['preset'], Rules>} */
export const PRESETS = {
  classic: CLASSIC,
  gameweave: {
    ...CLASSIC, preset: 'gameweave', throw_in: 'attacker_only', throw_timing: 'all_beaten', after_take: 'immediate', window_ms: null, close_ms: 0,
  },
  challenge: {
    ...CLASSIC, preset: 'challenge', max_players: 2, throw_in: 'attacker_only', throw_timing: 'all_beaten', window_ms: null, close_ms: 0,
    first_attacker: 'winner_leads', redeal: true, forfeit_defence: true, epaulettes: true, offer_ms: 6_000,
  },
};

/** What bots there are. @type {import('./types.js').Level[]} */
export const LEVELS = ['easy', 'normal', 'hard'];

/** What an option may be; true and false where it is a switch. @type {Record<OptionName, any[]>} */
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

/** @type {OptionName[]} */
export const MORE_OPTIONS = /** @type {OptionName[]} */ (Object.keys(CHOICES).filter((name) => !FIRST_OPTIONS.includes(/** @type {OptionName} */ (name))));

/** What has to be sent for these rules. @param {Rules} rules @returns {Record<string, any>} */
export function changesOf(rules) {
  const preset = PRESETS[rules.preset];
  return Object.fromEntries(Object.entries(rules).filter(([name, value]) =>
    JSON.stringify(value) !== JSON.stringify(preset[/** @type {keyof Rules} */ (name)])));
}
