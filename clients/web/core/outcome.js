/**
 * What comes of an input: the next state, and what is wanted of the world.
 *
 * @import { Effect, Problem, State } from './state.js'
 *
 * @typedef {{ state: State, effects: Effect[] }} Outcome
 */

import { NO_TABLE } from './state.js';

/** The state with these changes, and the effects. @param {State} state @param {Partial<State>} [changes] @param {...Effect} effects
 *  @returns {Outcome} */
export const after = (state, changes, ...effects) => ({ state: changes ? { ...state, ...changes } : state, effects });

/** Away from the table. @param {State} state @param {Problem | null} problem told on the home screen @returns {Outcome} */
export function toHome(state, problem) {
  return after(state, { ...NO_TABLE, screen: 'home', link: 'none', cut: null, problem }, { type: 'disconnect' }, { type: 'go', path: '' });
}
