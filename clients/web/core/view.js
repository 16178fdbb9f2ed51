/**
 * Reading a table's view. Pure, and nothing here decides what is allowed: that comes in `game.legal` and `you.can`.
 *
 * What a newer server may name and this page does not know is left out here: an action that is no part of `ACTS` is not offered.
 *
 * @import * as wire from './wire.js'
 */

/** The actions that this page can offer; it leaves a game by the command. */
const ACTS = new Set(['lead', 'throw', 'beat', 'take', 'pass', 'finish', 'forfeit', 'redeal', 'keep']);
const PHASES = new Set(['redeal', 'lead', 'bout', 'decide', 'over']);

/** True if this page knows the phase that the game is in. @param {wire.GameView} game */
export const knowsPhase = (game) => PHASES.has(game.phase);

/** @param {wire.TableView} view @param {number | null} seat */
export const chairOfSeat = (view, seat) => (seat === null ? null : view.chairs.find((chair) => chair.seat === seat) ?? null);

/** @param {wire.TableView} view @param {number | null} seat */
export const nameOf = (view, seat) => chairOfSeat(view, seat)?.name ?? `#${(seat ?? 0) + 1}`;

/** Which place a seat has gone out at, from 1; null while it plays. @param {wire.GameView} game @param {number} seat */
export function placeOf(game, seat) {
  let place = 1;
  for (const group of game.out) {
    if (group.includes(seat)) return place;
    place += group.length;
  }
  return null;
}

/** What the server lets me do; nothing while a bot plays my hand. @param {wire.TableView} view @returns {wire.Action[]} */
const allowed = (view) => (chairOfSeat(view, view.you.seat)?.left ? [] : view.game?.legal ?? []);

/** What I may do now and this page can offer. @param {wire.TableView} view */
export const legalOf = (view) => allowed(view).filter((action) => ACTS.has(action.act));

/** True if I may do something, but nothing that this page knows. @param {wire.TableView} view */
export const isOutdated = (view) => allowed(view).length > 0 && legalOf(view).length === 0;

/** The card of an action, if it has one. @param {wire.Action} action */
export const cardOf = (action) => ('card' in action ? action.card : null);

/** What a card is to beat, if it is. @param {wire.Action} action */
export const targetOf = (action) => (action.act === 'beat' ? action.target ?? null : null);

/** The legal actions of each card. @param {wire.TableView} view @returns {Map<string, wire.Action[]>} */
export function byCard(view) {
  /** @type {Map<string, wire.Action[]>} */
  const found = new Map();
  for (const action of legalOf(view)) {
    const card = cardOf(action);
    if (card === null) continue;
    const actions = found.get(card);
    if (actions) actions.push(action);
    else found.set(card, [action]);
  }
  return found;
}

/** True for an event by which an attack card came onto the table. @param {wire.ViewerEvent} event
 *  @returns {event is wire.Led | wire.ThrewIn} */
export const isAttack = (event) => event.event === 'led' || event.event === 'threw_in';

/** What a card could beat now. @param {wire.TableView} view @param {string} card */
export const targetsOf = (view, card) => (byCard(view).get(card) ?? []).flatMap((action) => targetOf(action) ?? []);

/** True while leaving would cost the game. @param {wire.TableView | null} view */
export function wouldLose(view) {
  if (!view?.game || view.status !== 'playing' || view.you.seat === null) return false;
  return view.you.can.includes('leave') && placeOf(view.game, view.you.seat) === null;
}
