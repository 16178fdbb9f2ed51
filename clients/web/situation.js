/**
 * What a view means for the person looking at it: roles, the sentence that names the choice, the buttons. Pure.
 *
 * Nothing here decides what is allowed. What may be pressed comes from `game.legal` and `you.can`; the rest is description.
 *
 * @typedef {import('./types.js').TableView} TableView
 * @typedef {import('./types.js').GameView} GameView
 * @typedef {import('./types.js').Action} Action
 * @typedef {import('./types.js').Card} Card
 * @typedef {'attacks' | 'defends' | 'takes' | 'adds' | 'passed' | 'out' | 'left' | 'away' | 'waits'} Role
 * @typedef {{ role: Role, code: string, params: Record<string, any> }} Situation
 * @typedef {{ act: Action['act'], code: string, params: Record<string, any>, key: string | null, kind: 'primary' | 'strong' }} Control
 */

/** What a pill looks like: its class and its icon. @type {Record<Role, { kind: string, icon: string | null }>} */
export const PILLS = {
  attacks: { kind: 'attacks', icon: 'attack' },
  defends: { kind: 'defends', icon: 'shield' },
  takes: { kind: 'defends', icon: 'take' },
  adds: { kind: 'adds', icon: 'plus' },
  passed: { kind: 'plain', icon: 'check' },
  out: { kind: 'plain', icon: 'flag' },
  left: { kind: 'plain', icon: 'leave' },
  away: { kind: 'plain', icon: 'moon' },
  waits: { kind: 'plain', icon: null },
};

/** @param {TableView} view @param {number | null} seat */
export const chairOfSeat = (view, seat) => (seat === null ? null : view.chairs.find((chair) => chair.seat === seat) ?? null);

/** @param {TableView} view @param {number | null} seat */
export const nameOf = (view, seat) => chairOfSeat(view, seat)?.name ?? `#${(seat ?? 0) + 1}`;

/** Which place a seat has gone out at, from 1; null while it plays. @param {GameView} game @param {number} seat */
export function placeOf(game, seat) {
  let place = 1;
  for (const group of game.out) {
    if (group.includes(seat)) return place;
    place += group.length;
  }
  return null;
}

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
  const may = view.rules.throw_in === 'all' && game.phase === 'bout' && game.counts[seat] > 0 && game.table.length < game.limit;
  return may ? 'adds' : 'waits';
}

/** What I may do now; nothing while a bot plays my hand. @param {TableView} view @returns {Action[]} */
export const legalOf = (view) => (chairOfSeat(view, view.you.seat)?.left ? [] : view.game?.legal ?? []);

/** The legal actions of each card. @param {Action[]} legal @returns {Map<Card, Action[]>} */
export function byCard(legal) {
  /** @type {Map<Card, Action[]>} */
  const found = new Map();
  for (const action of legal) {
    if (!action.card) continue;
    const actions = found.get(action.card);
    if (actions) actions.push(action);
    else found.set(action.card, [action]);
  }
  return found;
}

/** Open attack cards, in order of play. @param {GameView} game */
export const openCards = (game) => game.table.filter((pair) => pair.beaten === null).map((pair) => pair.attack);

/** @param {GameView} game */
export const cardsOnTable = (game) => game.table.reduce((sum, pair) => sum + (pair.beaten === null ? 1 : 2), 0);

const RANKS = ['6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** @param {Card} card */
export const rankOf = (card) => card.slice(0, -1);
/** @param {Card} card */
export const suitOf = (card) => card.slice(-1);

/** Ranks in order, each once. @param {Card[]} cards */
function ranksOf(cards) {
  const ranks = new Set(cards.map(rankOf));
  return RANKS.filter((rank) => ranks.has(rank));
}

/** A hand as it lies: trumps left, then by rank. @param {Card[]} hand @param {string} trump @returns {Card[]} */
export function sortedHand(hand, trump) {
  const suits = 'SCHD';
  /** @param {Card} card */
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
  const beatable = new Set(game.legal.map((action) => action.target));
  const never = open.filter((card) => !beatable.has(card));
  if (never.length) return { code: 'status.beat_none', params: { cards: never } };
  return { code: 'status.beat', params: { cards: open } };
}

/** @param {TableView} view @param {GameView} game @param {{ attacker: string, defender: string }} names @param {Role} role */
function ofAttack(view, game, names, role) {
  const ranks = ranksOf(game.legal.flatMap((action) => action.card ?? []));
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
  const finishes = view.you.seat === game.attacker && openCards(game).length === 0 && !game.taking;
  /** @type {Record<string, Omit<Control, 'act'>>} */
  const known = {
    take: { code: 'act.take', params: { cards: cardsOnTable(game) }, key: 'T', kind: 'strong' },
    pass: { code: finishes ? 'act.finish_bout' : 'act.pass', params: {}, key: finishes ? 'F' : 'P', kind: 'primary' },
    finish: { code: 'act.finish', params: {}, key: 'F', kind: 'primary' },
    forfeit: { code: 'act.forfeit', params: { cards: cardsOnTable(game) }, key: null, kind: 'strong' },
    redeal: { code: 'act.redeal', params: {}, key: null, kind: 'strong' },
    keep: { code: 'act.keep', params: {}, key: null, kind: 'primary' },
  };
  return legalOf(view).filter((action) => action.act in known).map((action) => ({ act: action.act, ...known[action.act] }));
}

/** True if an attacker may switch the automatic pass. @param {TableView} view */
export function mayAutoPass(view) {
  const { game, you } = view;
  if (!game || you.seat === null || !you.can.includes('auto_pass') || game.phase === 'redeal' || game.phase === 'decide') return false;
  return you.seat !== game.defender && (view.rules.throw_in === 'all' || you.seat === game.attacker) && game.phase === 'bout';
}

/** True while leaving would cost the game. @param {TableView | null} view */
export function wouldLose(view) {
  const { game, you, status } = view ?? {};
  return status === 'playing' && !!game && !!you && you.seat !== null && you.can.includes('leave') && placeOf(game, you.seat) === null;
}
