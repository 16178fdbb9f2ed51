/**
 * What the server says, and what I do at the table. Pure: the part of the reducer that concerns a table.
 *
 * @import * as wire from './wire.js'
 * @import { Command, Effect, GameEvent, State, TableView } from './state.js'
 * @import { Outcome } from './outcome.js'
 */

import { after, toHome } from './outcome.js';
import { byCard, cardOf, isAttack, targetOf, targetsOf } from './view.js';

const AFTERGLOW_MS = 520;
const LAST_LOOK_MS = 1_400;
const REFUSAL_MS = 5_000;
/** Refusals that leave nothing to look at. */
const NO_TABLE_CODES = new Set(['no_such_table', 'frozen', 'bad_message']);
/** Actions that name the epoch they were meant for: passes and answers to the redeal offer. */
const OF_EPOCH = new Set(['pass', 'redeal', 'keep']);

/** A message of the server; one that this page does not know is passed over. @param {State} state @param {wire.ServerMessage} message
 *  @param {number} at in `performance.now()` @returns {Outcome} */
export function heard(state, message, at) {
  switch (message.t) {
    case 'welcome':
      return after(state, { secondToken: false, server: state.server ?? message.server, newVersion: state.newVersion || (state.server ?? message.server) !== message.server });
    case 'table': {
      const missed = message.resumed === 'events' ? message.missed.flatMap((one) => one.events) : [];
      const { state: shown, effects } = show({ ...state, sits: false, watchers: message.watchers }, message.view, message.seq, missed, at, true);
      // Also where there is no chair: the server's refusal says why one only looks on.
      const sits = state.sits && (message.view.you.chair === null || message.view.you.can.includes('join'));
      return after(shown, undefined, ...effects, ...(sits ? [/** @type {const} */ ({ type: 'send', command: { t: 'join', table: message.view.table } })] : []));
    }
    case 'update': // What is not in it is as it was.
      return state.view ? show(state, { ...state.view, ...message.view }, message.seq, message.events, at, false) : after(state);
    case 'watchers':
      return after(state, { watchers: message.count });
    case 'detached':
      return toHome(state, message.reason === 'left' ? null : { kind: 'detached', reason: message.reason });
    case 'error': // of no command
      return NO_TABLE_CODES.has(message.code) ? toHome(state, { kind: 'refused', code: message.code, params: message.params ?? {} }) : after(state);
    default:
      return after(state);
  }
}

/** @param {State} state @param {TableView} view @param {number} seq @param {GameEvent[]} events @param {number} at
 *  @param {boolean} whole after a (re)connect @returns {Outcome} */
function show(state, view, seq, events, at, whole) {
  const same = state.view?.table === view.table ? state.view : null;
  const glow = whole ? null : glowAfter(same, view, events);
  const begins = events.some((event) => event.event === 'led' || event.event === 'dealt');
  const ends = !whole && view.status === 'finished' && same?.status === 'playing';
  /** @type {Effect[]} */
  const effects = [];
  if (!same) effects.push({ type: 'go', path: `t/${view.table}` });
  if (glow) effects.push({ type: 'start_timer', ms: AFTERGLOW_MS, input: { type: 'afterglow_over', ended: events.filter((event) => event.event === 'bout_ended') } });
  else if (begins) effects.push({ type: 'stop_timer', input: 'afterglow_over' });
  if (ends) effects.push({ type: 'start_timer', ms: LAST_LOOK_MS, input: { type: 'last_look_over' } });
  if (events.length > 0) effects.push({ type: 'announce', events, view });
  const happened = whole ? (isFreshDeal(same, view) ? [freshDeal(view)] : []) : events;
  return after(state, {
    screen: 'table', table: view.table, view, seq, problem: null,
    deadline: at + (view.clock?.ms ?? 0),
    happened: [...state.happened, ...happened],
    afterglow: glow ?? (begins ? null : state.afterglow),
    lingers: ends || (state.lingers && view.status === 'finished'),
    picked: state.picked && targetsOf(view, state.picked).length ? state.picked : null,
    pending: stillPending(state.pending, view, seq),
  }, ...effects);
}

/** Accepted actions are over once the view holds them. @param {State['pending']} pending @param {TableView} view @param {number} seq */
function stillPending(pending, view, seq) {
  return new Map([...pending].filter(([, one]) => {
    if (one.seq !== null && one.seq <= seq) return false;
    return one.card === null || (view.game?.hand ?? []).includes(one.card);
  }));
}

/** The first look at a game that has just been dealt: its deal came before this connection. @param {TableView | null} before
 *  @param {TableView} view */
const isFreshDeal = (before, view) => !before?.game && view.status === 'playing' && view.game?.table.length === 0 && view.game.bout <= 1;

/** @param {TableView} view @returns {GameEvent} */
function freshDeal(view) {
  const game = /** @type {wire.GameView} */ (view.game);
  return { event: 'dealt', hand: game.hand, counts: game.counts, trump: game.trump, trump_card: game.trump_card ?? '', again: false };
}

/**
 * The pairs to show for a moment when the last card of a bout and its end arrive together: nobody would see that card otherwise.
 * @param {TableView | null} before @param {TableView} view @param {GameEvent[]} events
 * @returns {wire.Pair[] | null}
 */
function glowAfter(before, view, events) {
  const at = events.findIndex((event) => event.event === 'bout_ended');
  const end = events[at];
  if (end?.event !== 'bout_ended' || !before?.game || (end.outcome === 'taken' && end.seat === view.you.seat)) return null;
  if (events.slice(at).some((event) => event.event === 'led')) return null;
  let pairs = before.game.table;
  for (const event of events.slice(0, at)) {
    if (isAttack(event)) pairs = [...pairs, { attack: event.card, by: event.seat, beaten: null }];
    if (event.event === 'beaten') pairs = pairs.map((pair) => (pair.attack === event.target ? { ...pair, beaten: event.card } : pair));
  }
  return pairs === before.game.table ? null : pairs;
}

// ---------------------------------------------------------------- what I do

/** @param {wire.Action} action */
const keyOf = (action) => cardOf(action) ?? action.act;

/** Carry out an action; only its looks come before the server's word. @param {State} state @param {wire.Action} action
 *  @returns {Outcome} */
export function act(state, action) {
  const game = state.view?.game;
  const key = keyOf(action);
  if (!game || state.link !== 'online' || state.pending.has(key)) return after(state);
  /** @type {Command} */
  const command = { t: 'act', action, bout: game.bout, ...(OF_EPOCH.has(action.act) ? { epoch: game.epoch } : {}) };
  const pending = new Map(state.pending).set(key, { card: cardOf(action), target: targetOf(action), seq: null });
  return after(state, { pending, picked: null, refusal: null }, { type: 'send', command });
}

/** Press a card of the hand: play it, or pick it if it could beat several. @param {State} state @param {string} card
 *  @param {boolean} byKey @returns {Outcome} */
export function press(state, card, byKey) {
  const { view, picked, pending, link } = state;
  const actions = view ? byCard(view).get(card) : undefined;
  if (!actions || link !== 'online' || pending.has(card)) return after(state);
  if (picked === card) return after(state, { picked: null });
  if (actions.length === 1) return act(state, actions[0]);
  // By keyboard the choice of a target is the next step; Escape leads back.
  return after(state, { picked: card, refusal: null }, ...(byKey ? [/** @type {const} */ ({ type: 'focus', selector: '.card.target' })] : []));
}

/** The server's answer to a command. @param {State} state @param {Command} command @param {wire.Ok | wire.Error} answer
 *  @returns {Outcome} */
export function answered(state, command, answer) {
  const ok = answer.t === 'ok' ? answer : null;
  const judged = answer.t === 'ok' ? after(state) : refused(state, answer);
  switch (command.t) {
    case 'create':
      if (ok?.table) return after(judged.state, { table: ok.table, wish: null }, ...judged.effects);
      return after(judged.state, {
        wish: null, link: 'none', problem: answer.t === 'error' ? { kind: 'refused', code: answer.code, params: answer.params ?? {} } : { kind: 'no_server' },
      }, ...judged.effects, { type: 'disconnect' });
    case 'leave': {
      if (judged.state.screen !== 'table') return judged;
      const left = toHome(judged.state, null);
      return after(left.state, undefined, ...judged.effects, ...left.effects);
    }
    case 'act':
      return after(judged.state, { pending: settled(judged.state, keyOf(command.action), ok) }, ...judged.effects);
    default:
      return judged;
  }
}

/** @param {State} state @param {wire.Error} error @returns {Outcome} */
function refused(state, { code, params }) {
  return after(state, { refusal: { code, params: params ?? {} } }, { type: 'start_timer', ms: REFUSAL_MS, input: { type: 'refusal_over' } });
}

/** The pending actions once this one has its answer. @param {State} state @param {string} key @param {wire.Ok | null} ok
 *  @returns {State['pending']} */
function settled({ pending, seq }, key, ok) {
  const left = new Map(pending);
  const one = left.get(key);
  if (!one || !ok || (ok.seq ?? 0) <= seq) left.delete(key);
  else left.set(key, { ...one, seq: ok.seq ?? 0 });
  return left;
}
