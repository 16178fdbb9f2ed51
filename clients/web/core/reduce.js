/**
 * What happens to the state: pure, and the only place that changes it. `reduce` sorts the inputs; play.js has those of a table.
 *
 * @import { Effect, Guest, Input, Problem, State } from './state.js'
 * @import { Outcome } from './outcome.js'
 */

import { AGAINST_BOTS, commandOf } from './draft.js';
import { after, toHome } from './outcome.js';
import { act, answered, heard, press } from './play.js';
import { NO_TABLE } from './state.js';
import { wouldLose } from './view.js';

const COPIED_MS = 2_000;
const BAD_TOKEN = 4101;
const RESTARTING = 4000;
const REPLACED = 4100;

/** @param {State} state @param {Input} input @returns {Outcome} */
export function reduce(state, input) {
  const outcome = sorted(state, input);
  const { dialog, view } = outcome.state;
  // A question about a loss that nothing threatens any more has nothing to ask.
  return dialog === 'leave' && !wouldLose(view) ? { ...outcome, state: { ...outcome.state, dialog: null } } : outcome;
}

/** @param {State} state @param {Input} input @returns {Outcome} */
function sorted(state, input) {
  switch (input.type) {
    // ---------------------------------------------------------------- the person, around the table
    case 'name': return after(state, { name: input.name });
    case 'play': return wishes(state, input.name, AGAINST_BOTS);
    case 'to_create': return after(state, { screen: 'create', name: input.name, problem: null }, { type: 'remember_name', name: input.name });
    case 'create': return wishes(state, state.name, commandOf(state.draft));
    case 'draft': return after(state, { draft: input.draft });
    case 'to_home': return toHome(state, null);
    case 'visit': return enters({ ...state, ...NO_TABLE, table: input.code, screen: 'table', problem: null, sits: input.sit }, input.name);
    case 'bad_code': return after(state, { problem: { kind: 'bad_code' } }, { type: 'focus', selector: '[name=code]' });
    case 'settings': return after(state, { dialog: 'settings' });
    case 'set': {
      const settings = { ...state.settings, ...input.settings };
      return after(state, { settings }, { type: 'keep_settings', settings });
    }
    case 'close_dialog': return state.dialog === input.dialog ? after(state, { dialog: null }) : after(state);
    case 'reload': return after(state, undefined, { type: 'reload' });
    case 'by': return state.byKeyboard === input.keyboard ? after(state) : after(state, { byKeyboard: input.keyboard });

    // ---------------------------------------------------------------- the person, at the table
    case 'press': return press(state, input.card, input.byKey);
    case 'unpick': return after(state, { picked: null });
    case 'reach': return state.cursor === input.card ? after(state) : after(state, { cursor: input.card });
    case 'act': return act(state, input.action);
    case 'command': return after(state, undefined, { type: 'send', command: input.command });
    case 'level': return after(state, { level: input.level });
    case 'leave': return leaves(state);
    case 'leave_anyway': return after(state, { dialog: null }, { type: 'send', command: { t: 'leave' } });
    case 'copy': return after(state, undefined, { type: 'copy', text: input.text });
    case 'share': return after(state, undefined, { type: 'share', url: input.url });
    case 'again': return state.guest ? connects(state, state.guest) : after(state);

    // ---------------------------------------------------------------- the world
    case 'address': return arrives(state, input.code, input.guest);
    // Somebody who has gone elsewhere meanwhile wants no guest any more.
    case 'guest': return state.link === 'connecting' ? connects(state, input.guest) : after(state);
    case 'no_guest': return state.link === 'connecting' ? noGuest(state, input.code) : after(state);
    case 'link': return linkIs(state, input.status, input.code);
    case 'heard': return heard(state, input.message, input.at);
    case 'answered': return answered(state, input.command, input.answer);
    case 'refresh': return after(state, undefined, ...(state.screen === 'home' ? [/** @type {const} */ ({ type: 'fetch_tables' })] : []));
    case 'tables': return after(state, { tables: input.tables?.filter((table) => table.status !== 'finished') ?? null });
    case 'copied': return after(state, { copied: true }, { type: 'start_timer', ms: COPIED_MS, input: { type: 'copied_over' } });
    case 'resized': return after(state, { desktop: input.desktop, still: true });
    case 'drawn': return after(state, { happened: [], still: false });

    // ---------------------------------------------------------------- timers
    case 'afterglow_over': return after(state, { afterglow: null, happened: [...state.happened, ...input.ended] });
    case 'last_look_over': return after(state, { lingers: false });
    case 'refusal_over': return after(state, { refusal: null });
    case 'copied_over': return after(state, { copied: false });
  }
}

/** Wants a table, as a guest of this name. @param {State} state @param {string} name @param {State['wish']} wish */
const wishes = (state, name, wish) => enters({ ...state, ...NO_TABLE, problem: null, wish }, name);

/** Wants to be connected as a guest of this name. @param {State} state @param {string} name @returns {Outcome} */
const enters = (state, name) => after(state, { name, link: 'connecting', cut: null }, { type: 'remember_name', name }, { type: 'find_guest', name });

/** Connect as `guest`, to the table of the state if there is one. @param {State} state @param {Guest} guest @returns {Outcome} */
function connects(state, guest) {
  /** @type {Effect[]} */
  const wish = state.wish ? [{ type: 'send', command: state.wish }] : [];
  return after(state, { guest, link: 'connecting', cut: null, pending: new Map() }, { type: 'connect' }, ...wish);
}

/** @param {State} state @param {string | null} code @returns {Outcome} */
function noGuest(state, code) {
  /** @type {Problem} */
  const problem = code === null ? { kind: 'no_server' } : { kind: 'refused', code, params: {} };
  return after(state, { problem, link: 'none', wish: null, ...(state.screen === 'table' ? { screen: 'door' } : {}) });
}

/** @param {State} state @param {Exclude<State['link'], 'none'>} status @param {number | null} code @returns {Outcome} */
function linkIs(state, status, code) {
  if (status === 'ended' && code === BAD_TOKEN && !state.secondToken && state.guest) {
    const { name } = state.guest;
    return after(state, { secondToken: true, link: 'connecting' }, { type: 'forget_guest', name }, { type: 'find_guest', name });
  }
  if (status === 'online' || status === 'connecting') return after(state, { link: status, cut: null });
  const cut = status === 'ended' ? (code === REPLACED ? 'replaced' : 'ended')
    : code === RESTARTING || state.cut === 'restarting' ? 'restarting' : 'lost';
  return after(state, { link: status, cut, picked: null });
}

/** The page is at another address. @param {State} state @param {string | null} code @param {Guest | null} guest @returns {Outcome} */
function arrives(state, code, guest) {
  if (code && code === state.table) return after(state);
  // The way back leads out of a running game: stay, and ask.
  if (wouldLose(state.view)) return after(state, { dialog: 'leave' }, { type: 'go', path: `t/${state.table}` });
  if (!code) return state.table ? toHome(state, null) : after(state, { screen: 'home' });
  /** @type {State} */
  const opened = { ...state, ...NO_TABLE, table: code, screen: guest ? 'table' : 'door', problem: null };
  return guest ? connects(opened, guest) : after(opened);
}

/** @param {State} state @returns {Outcome} */
function leaves(state) {
  if (wouldLose(state.view)) return after(state, { dialog: 'leave' });
  if (state.view?.you.can.includes('leave')) return after(state, undefined, { type: 'send', command: { t: 'leave' } });
  return toHome(state, null);
}
