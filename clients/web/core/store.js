/**
 * The loop of the page: an input changes the state, the new state is drawn once for all inputs of one turn, and what is wanted is
 * done.
 *
 * @import { Effect, Input, State } from './state.js'
 */

import { reduce } from './reduce.js';

/**
 * @param {State} first
 * @param {(state: State) => void} draw
 * @param {(effect: Effect) => void} carryOut
 */
export function createStore(first, draw, carryOut) {
  let state = first;
  let scheduled = false;

  /** @param {Input} input */
  function dispatch(input) {
    const outcome = reduce(state, input);
    if (outcome.state !== state) {
      state = outcome.state;
      if (!scheduled) queueMicrotask(drawing);
      scheduled = true;
    }
    outcome.effects.forEach(carryOut);
  }

  function drawing() {
    scheduled = false;
    draw(state);
    state = reduce(state, { type: 'drawn' }).state; // and nothing to draw
  }

  return {
    dispatch,
    /** The state now. */
    get: () => state,
  };
}
