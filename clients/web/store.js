/**
 * The state of the page. The latest view from the server is the state of the table; what is kept beside it is only this
 * person's own: what is picked, what is sent and not answered, what the page says about the connection.
 *
 * @typedef {import('./types.js').TableView} TableView
 * @typedef {import('./types.js').TableListing} TableListing
 * @typedef {import('./types.js').Pair} Pair
 * @typedef {{ target: string | null, seq: number | null }} Pending `seq`: where the accepted action stands, once answered
 *
 * @typedef {object} State
 * @property {'home' | 'create' | 'door' | 'table'} screen
 * @property {string | null} table code of the table shown or asked for
 * @property {TableView | null} view
 * @property {number} seq of the view
 * @property {number} deadline of the view's clock, in `performance.now()`
 * @property {number} watchers
 * @property {'none' | 'connecting' | 'online' | 'lost' | 'ended'} link
 * @property {string | null} notice code of the sentence in the banner
 * @property {boolean} newVersion
 * @property {string | null} problem code of what could not be done, for screens other than the table
 * @property {{ code: string, params: Record<string, any>, at: number } | null} refusal of my last action
 * @property {string | null} picked a card that waits for its target
 * @property {ReadonlyMap<string, Pending>} pending by card, or by action where there is no card
 * @property {Pair[] | null} afterglow pairs that are still shown for a moment after their bout has ended
 * @property {boolean} lingers the last table is still shown for a moment before the result
 * @property {string | null} cursor the card of the hand that has the tab stop
 * @property {TableListing[] | null} tables the open tables; null: not known
 */

/** @returns {State} */
function initial() {
  return {
    screen: 'home', table: null, view: null, seq: 0, deadline: 0, watchers: 0, link: 'none', notice: null, newVersion: false,
    problem: null, refusal: null, picked: null, pending: new Map(), afterglow: null, lingers: false, cursor: null, tables: null,
  };
}

/** What belongs to one table and goes with it. */
export const NO_TABLE = /** @type {const} */ ({
  table: null, view: null, seq: 0, watchers: 0, refusal: null, picked: null, afterglow: null, lingers: false, cursor: null,
});

export function createStore() {
  let state = initial();
  let scheduled = false;
  /** @type {(state: State) => void} */
  let draw = () => {};
  return {
    /** @returns {Readonly<State>} */
    get: () => state,

    /** Change the state; the page is drawn once for all changes of one turn. @param {Partial<State>} changes */
    set(changes) {
      state = { ...state, ...changes };
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(() => {
        scheduled = false;
        draw(state);
      });
    },

    /** @param {(state: State) => void} how */
    onChange(how) {
      draw = how;
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
