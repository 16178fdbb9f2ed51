/**
 * What a view means for the person looking at it: roles, the sentence that names the choice, the buttons. Pure.
 *
 * Nothing here decides what is allowed. What may be pressed comes from `game.legal` and `you.can`; the rest is description. What a
 * newer server may name and this page does not know has a place here as well: in a phase that it does not know the page says only
 * so, and offers what it knows of the legal actions; an action that it does not know is not offered.
 *
 * @import { Action, GameView, TableView } from '../core/wire.js'
 * @import { Role } from '../parts/parts.js'
 *
 * @typedef {Exclude<Action, { card: string }>} PlainAction an action without a card
 * @typedef {{ role: Role, code: string, params: Record<string, any> }} Situation
 * @typedef {{ action: PlainAction, code: string, params: Record<string, any>, key: string | null, kind: 'primary' | 'strong' }} Control
 */

import { cardOf, chairOfSeat, isOutdated, knowsPhase, legalOf, nameOf, placeOf, targetOf } from '../core/view.js';

/** The seats around the table as this viewer sees them, clockwise from its left; a spectator sees all. @param {TableView} view */
export function seatsAround(view) {
  const game = view.game;
  if (!game) return [];
  const me = view.you.seat;
  const seats = Array.from({ length: game.players }, (_, i) => i);
  return me === null ? seats : seats.slice(1).map((step) => (me + step) % game.players);
}

/** @param {TableView} view @param {number} seat @returns {Role} */
export function roleOf(view, seat) {
  const game = /** @type {GameView} */ (view.game);
  const chair = chairOfSeat(view, seat);
  if (placeOf(game, seat) !== null) return 'out';
  if (seat === game.defender) return game.taking ? 'takes' : 'defends';
  if (game.passed.includes(seat)) return 'passed';
  if (seat === game.attacker) return 'attacks';
  if (chair?.left) return 'left';
  if (chair?.away) return 'away';
  const may = game.throwers.includes(seat) && game.phase === 'bout' && game.counts[seat] > 0 && game.table.length < game.limit;
  return may ? 'adds' : 'waits';
}

/** Open attack cards, in order of play. @param {GameView} game */
export const openCards = (game) => game.table.filter((pair) => pair.beaten === null).map((pair) => pair.attack);

/** @param {GameView} game */
export const cardsOnTable = (game) => game.table.reduce((sum, pair) => sum + (pair.beaten === null ? 1 : 2), 0);

const RANKS = ['6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** @param {string} card */
export const rankOf = (card) => card.slice(0, -1);
/** @param {string} card */
export const suitOf = (card) => card.slice(-1);

/** Ranks in order, each once. @param {string[]} cards */
function ranksOf(cards) {
  const ranks = new Set(cards.map(rankOf));
  return RANKS.filter((rank) => ranks.has(rank));
}

/** A hand as it lies: trumps left, then by rank. @param {string[]} hand @param {string} trump @returns {string[]} */
export function sortedHand(hand, trump) {
  const suits = 'SCHD';
  /** @param {string} card */
  const weight = (card) => (suitOf(card) === trump ? 0 : 1000) + RANKS.indexOf(rankOf(card)) * 10 + suits.indexOf(suitOf(card));
  return [...hand].sort((a, b) => weight(a) - weight(b));
}

/** My role and the sentence that names my choice. @param {TableView} view @returns {Situation} */
export function situationOf(view) {
  const game = view.game;
  const me = view.you.seat;
  if (!game) return { role: 'waits', code: 'status.loading', params: {} };
  const names = { attacker: nameOf(view, game.attacker), defender: nameOf(view, game.defender) };
  if (me === null) return { ...ofOthers(view, game, names), role: 'waits' };
  const place = placeOf(game, me);
  if (place !== null && game.phase !== 'over') return { role: 'out', code: 'status.out', params: { place } };
  if (chairOfSeat(view, me)?.left) return { role: 'left', code: 'status.left', params: {} };
  const role = roleOf(view, me);
  if (isOutdated(view)) return { role, code: 'status.outdated', params: {} };
  if (!knowsPhase(game)) return { role, code: 'status.unknown', params: {} };
  if (game.phase === 'redeal' || game.phase === 'over') return { role, ...ofOffer(game) };
  if (game.phase === 'lead' && me === game.attacker) {
    const opening = game.opening_trump;
    return opening && opening.seat === me
      ? { role, code: 'status.lead_lowest', params: { card: opening.card } }
      : { role, code: 'status.lead', params: { defender: names.defender } };
  }
  if (game.phase === 'decide' && me === game.defender) return { role, code: 'status.decide', params: {} };
  if (game.phase === 'bout' && me === game.defender) return { role, ...ofDefence(view, game) };
  if (game.phase === 'bout' && (role === 'attacks' || role === 'adds' || role === 'passed')) {
    return { role, ...ofAttack(view, game, names, role) };
  }
  return { ...ofOthers(view, game, names), role };
}

/** @param {GameView} game */
function ofOffer(game) {
  if (game.phase === 'over') return { code: 'status.over', params: {} };
  return { code: game.legal.length ? 'status.redeal' : 'status.offer', params: {} };
}

/** @param {TableView} view @param {GameView} game */
function ofDefence(view, game) {
  const open = openCards(game);
  if (game.taking) return { code: view.clock?.kind === 'closing' ? 'status.taking_closing' : 'status.taking', params: { cards: cardsOnTable(game) } };
  if (open.length === 0) return { code: view.clock?.kind === 'closing' ? 'status.beaten_closing' : 'status.beaten', params: {} };
  const beatable = new Set(game.legal.map(targetOf));
  const never = open.filter((card) => !beatable.has(card));
  if (never.length) return { code: 'status.beat_none', params: { cards: never } };
  return { code: 'status.beat', params: { cards: open } };
}

/** @param {TableView} view @param {GameView} game @param {{ attacker: string, defender: string }} names @param {Role} role */
function ofAttack(view, game, names, role) {
  const ranks = ranksOf(game.legal.flatMap((action) => cardOf(action) ?? []));
  const pass = game.legal.some((action) => action.act === 'pass');
  const open = openCards(game);
  const params = { ...names, ranks, cards: open, mine: role === 'attacks' };
  const stage = game.taking ? 'takes' : open.length ? 'open' : 'beaten';
  if (view.clock?.kind === 'closing') return { code: `status.${stage}_closing`, params };
  if (role === 'passed') return { code: `status.${stage}_passed`, params };
  if (ranks.length) return { code: `status.${stage}_add`, params };
  return { code: pass ? `status.${stage}_nothing` : `status.${stage}_wait`, params };
}

/** What others do while I can only look. @param {TableView} view @param {GameView} game
 *  @param {{ attacker: string, defender: string }} names */
function ofOthers(view, game, names) {
  const open = openCards(game);
  const params = { ...names, cards: open };
  if (!knowsPhase(game)) return { code: 'status.unknown', params: {} };
  if (game.phase === 'redeal' || game.phase === 'over') return ofOffer(game);
  if (game.phase === 'lead') return { code: view.you.seat === game.defender ? 'status.leads_to_you' : 'status.leads', params };
  if (game.phase === 'decide') return { code: 'status.decides', params };
  if (game.taking) return { code: 'status.takes_wait', params };
  return { code: open.length ? 'status.open_wait' : 'status.beaten_wait', params };
}

/** The buttons of my legal actions that are not cards. @param {TableView} view @returns {Control[]} */
export function controlsOf(view) {
  const game = view.game;
  if (!game) return [];
  return legalOf(view).flatMap((action) => ('card' in action ? [] : controlOf(view, game, action) ?? []));
}

/** @param {TableView} view @param {GameView} game @param {PlainAction} action @returns {Control | null} */
function controlOf(view, game, action) {
  const params = { cards: cardsOnTable(game) };
  switch (action.act) {
    case 'take': return { action, code: 'act.take', params, key: 'T', kind: 'strong' };
    case 'pass': return view.you.seat === game.attacker && openCards(game).length === 0 && !game.taking
      ? { action, code: 'act.finish_bout', params: {}, key: 'F', kind: 'primary' }
      : { action, code: 'act.pass', params: {}, key: 'P', kind: 'primary' };
    case 'finish': return { action, code: 'act.finish', params: {}, key: 'F', kind: 'primary' };
    case 'forfeit': return { action, code: 'act.forfeit', params, key: null, kind: 'strong' };
    case 'redeal': return { action, code: 'act.redeal', params: {}, key: null, kind: 'strong' };
    case 'keep': return { action, code: 'act.keep', params: {}, key: null, kind: 'primary' };
    default: return null;
  }
}
