/**
 * What travels between server and browser, as types. Generated from the server's message schema, never edited:
 * python -m durak.protocol.typescript > clients/web/core/wire.d.ts
 */

/** A game action, with the bout (and for pass, redeal and keep the epoch) it was meant for (RULES 1.16). */
export interface Act {
  t: 'act'; cid: string; action: Action; bout: number; epoch?: number | null;
}

/** A seat answered the redeal offer; nobody else learns of it (RULES 3.4). */
export interface Answered {
  event: 'answered'; seat: number; redeal: boolean;
}

/** Pass by itself, with a random delay, until the bout ends. */
export interface AutoPass {
  t: 'auto_pass'; cid: string; on: boolean;
}

/** The viewer's own switch; nobody else learns of it. */
export interface AutoPassSet {
  event: 'auto_pass_set'; seat: number; on: boolean;
}

/** Beat an open card; the target may be left out when only one is possible (RULES 1.9). */
export interface Beat {
  act: 'beat'; card: string; target?: string | null;
}

/** The defender beat `target` with `card`. */
export interface Beaten {
  event: 'beaten'; seat: number; target: string; card: string;
}

/** A bout begins with these roles and this limit of attack cards (RULES 1.7). */
export interface BoutBegan {
  event: 'bout_began'; bout: number; attacker: number; defender: number; limit: number;
}

/** The table was cleared: `cards` went to the discard, or into the hand of `seat`, the defender. */
export interface BoutEnded {
  event: 'bout_ended'; outcome: 'beaten' | 'taken'; seat: number; cards: string[];
}

/** A chair is connected again, or its owner has taken it over from the bot. */
export interface CameBack {
  event: 'came_back'; chair: number;
}

/**
 * Somebody at a table. `seat` is the seat in the running or last game, null if not in it. `away`: the connection is lost.
 *
 * `left`: has left the game, and a bot plays the hand on. `vote`: wants a rematch.
 */
export interface ChairView {
  chair: number; name: string; kind: 'bot' | 'person'; level: 'easy' | 'hard' | 'normal' | null; seat: number | null;
  host: boolean; away: boolean; left: boolean; vote: boolean; score: Score;
}

/**
 * The clock that runs: milliseconds left, and of how many. `seats`: who is waited for, empty if it concerns all.
 *
 * `start`: countdown to the game; `offer`: redeal period; `turn`: turn clock; `window`: throw-in window; `closing`: the bout is
 * about to close.
 */
export interface ClockView {
  kind: 'closing' | 'offer' | 'start' | 'turn' | 'window'; ms: number; total_ms: number; seats: number[];
}

/**
 * Create a table. `bots` fill chairs from the first free one; `sit` takes a chair; `start` begins at once.
 *
 * A table of bots only (`sit` false, at least two bots) begins by itself; `speed` "fast" lets its bots move without delay.
 */
export interface Create {
  t: 'create'; cid: string; name?: string; preset?: string; options?: Record<string, unknown>; bots?: ('easy' | 'hard' |
  'normal')[]; sit?: boolean; start?: boolean; private?: boolean; speed?: 'fast' | 'watch';
}

/** The table was created. */
export interface Created {
  event: 'created';
}

/** A pack was dealt: the viewer's own hand (null for a spectator) and everybody's number of cards. */
export interface DealtSeen {
  event: 'dealt'; hand: string[] | null; counts: number[]; trump: string; trump_card: string; again: boolean;
}

/** The attack has ended with all beaten; the defender finishes or forfeits (RULES 3.3). */
export interface Deciding {
  event: 'deciding'; seat: number;
}

/** The connection is no longer attached to the table: left, closed (the table is gone), dismissed. */
export interface Detached {
  t: 'detached'; table: string; reason: 'closed' | 'dismissed' | 'frozen' | 'left';
}

/** The host sends a bot away from an open table. */
export interface Dismiss {
  t: 'dismiss'; cid: string; chair: number;
}

/** A seat drew `count` cards; `cards` are named to that seat alone. */
export interface DrewSeen {
  event: 'drew'; seat: number; count: number; cards: string[] | null;
}

/**
 * A refusal: a stable code, for people to be rendered by the client. Nothing has changed.
 *
 * `cid` is missing when the frame could not be understood. `rule`: paragraph of RULES.md. `params`: what the sentence needs.
 * `legal`: what the seat may do now, with the `bout` and `epoch` to name, when a game action was refused.
 */
export interface Error {
  t: 'error'; code: string; cid?: string | null; rule?: string | null; params?: Record<string, string | number>; legal?:
  Action[] | null; bout?: number | null; epoch?: number | null; retry_after_ms?: number | null;
}

/** The host fills free chairs with bots of these levels, in order. */
export interface Fill {
  t: 'fill'; cid: string; bots: ('easy' | 'hard' | 'normal')[];
}

/** Discard the beaten cards and attack next (RULES 3.3). */
export interface Finish {
  act: 'finish';
}

/** Take everything although all is beaten (RULES 3.3). */
export interface Forfeit {
  act: 'forfeit';
}

/** The game has ended. */
export interface GameOver {
  event: 'game_over'; result: GameResult;
}

/**
 * How a game ended.
 *
 * `places`: groups of seats in the order of going out, the durak after them, leavers together at the end. `forfeits`: leavers
 * in the order of leaving.    `giver`: the seat that gave the epaulettes (RULES 3.7), if any.
 */
export interface GameResult {
  places: number[][]; durak: number | null; draw: boolean; forfeits: number[]; giver: number | null;
}

/**
 * A game as one viewer sees it.
 *
 * `counts`: cards in hand, one entry per seat. `stock`, `discard`: numbers of cards. `trump_card`: the card that set the trump;
 * it lies under the stock while `stock` > 0. `attacker`, `defender`: null in the phase `redeal`. `throwers`: the seats that may
 * throw in at all in this bout (RULES 1.6), empty in the phase `redeal`. `table`: in order of play. `out`: groups of seats in the
 * order of going out. `left`: leavers in the order of leaving. `shown_trump`: RULES 1.3; `opening_trump`: RULES 3.5. `hand` and
 * `legal` are the viewer's own, null and empty for a spectator. `result`: when over.
 */
export interface GameView {
  players: number; phase: 'bout' | 'decide' | 'lead' | 'over' | 'redeal'; trump: string; trump_card: string | null;
  stock: number; discard: number; bout: number; epoch: number; attacker: number | null; defender: number | null;
  throwers: number[]; limit: number; taking: boolean; table: Pair[]; counts: number[]; passed: number[]; out:
  number[][]; left: number[]; shown_trump: ShownCard | null; opening_trump: ShownCard | null; hand: string[] | null;
  legal: Action[]; result: GameResult | null;
}

/** Sent when nothing else was for a few seconds, since a browser does not see WebSocket pings. */
export interface Heartbeat {
  t: 'heartbeat';
}

/**
 * The first frame. With `table`, the connection attaches to it: to the player's own chair if there is one, else as a spectator.
 *
 * `seq` is the last sequence number the client has seen of that table, and asks for the events it missed. `capabilities` names
 * what the client can do beyond this version; a server ignores those that it does not know.
 */
export interface Hello {
  t: 'hello'; token: string; table?: string | null; seq?: number | null; capabilities?: string[];
}

/** A bot host offers to play `capacity` seats at these levels. Needs a host's token. */
export interface Host {
  t: 'host'; cid: string; levels: ('easy' | 'hard' | 'normal')[]; capacity: number;
}

/** The role of the host has moved to this chair. */
export interface HostIs {
  event: 'host_is'; chair: number;
}

/** Take a chair at an open table, or come back to the chair one has left in a running game. */
export interface Join {
  t: 'join'; cid: string; table: string; chair?: number | null;
}

/** Decline the redeal (RULES 3.4). */
export interface Keep {
  act: 'keep';
}

/** Play the first card of a bout (RULES 1.5). */
export interface Lead {
  act: 'lead'; card: string;
}

/** Leave the started game (RULES 1.22). Always possible for an active seat, so never listed among the legal actions. */
export interface Leave {
  act: 'leave';
}

/** Leave the table for good; in a started game this counts as a loss (RULES 1.22). */
export interface LeaveTable {
  t: 'leave'; cid: string;
}

/** The attacker led a card. */
export interface Led {
  event: 'led'; seat: number; card: string;
}

/** A seat left the game; with `loss` unless its hand and the stock were empty (RULES 1.22). */
export interface Left {
  event: 'left'; seat: number; loss: boolean;
}

/** Begin or end receiving the list of tables. */
export interface Lobby {
  t: 'lobby'; cid: string; on: boolean;
}

/** The tables to join or watch; `full` replaces the list, otherwise `tables` changes lines and `gone` removes them. */
export interface LobbyState {
  t: 'lobby'; full: boolean; tables: TableListing[]; gone?: string[];
}

/** A command was accepted: for a table's commands `seq` is its place in the table's sequence. */
export interface Ok {
  t: 'ok'; cid: string; table?: string | null; seq?: number | null;
}

/** An attack card, the seat it came from, and the card that beat it (null: open). */
export interface Pair {
  attack: string; by: number; beaten: string | null;
}

/** Add nothing more, until a new rank or a take (RULES 1.12); the attacker's "finish the bout" of RULES 2.3. */
export interface Pass {
  act: 'pass';
}

/** A seat passed. */
export interface Passed {
  event: 'passed'; seat: number;
}

/** Ask for a new deal (RULES 3.4). */
export interface Redeal {
  act: 'redeal';
}

/** Vote for another game at this table; it begins when every person seated has voted. */
export interface Rematch {
  t: 'rematch'; cid: string;
}

/** Somebody gave a chair up. */
export interface Rose {
  event: 'rose'; chair: number; name: string;
}

/**
 * Every option of a table; each does one thing, and any combination is a legal table.
 *
 * `None` for `window_ms` is no countdown, for `turn_clock_s` no clock, for `limit_first_bout` no special limit. `close_ms` is the
 * "about a second" of an early close before its jitter of 0.7-1.5; `offer_ms` the redeal period, 0 = answers act at once.
 */
export interface Ruleset {
  preset: 'challenge' | 'classic' | 'gameweave'; max_players: number; throw_in: 'all' | 'attacker_only'; throw_timing:
  'all_beaten' | 'any'; after_take: 'immediate' | 'none' | 'window'; window_ms: number | null; close_ms: number;
  first_attacker: 'lowest_trump' | 'winner_leads'; redeal: boolean; forfeit_defence: boolean; epaulettes: boolean;
  limit_first_bout: 5 | null; discreet: boolean; series: boolean; offer_ms: number; turn_clock_s: 15 | 30 | 60 | null;
  bot_delay_ms: [number, number];
}

/** Somebody took a chair. */
export interface Sat {
  event: 'sat'; chair: number; name: string; kind: 'bot' | 'person';
}

/** A player's score over a series: wins = first out, losses = durak or leaver, epaulettes given less received. */
export interface Score {
  wins: number; losses: number; epaulettes: number;
}

/**
 * To a bot host: connect with this token, attach to the table, and play at this level.
 *
 * `delay_ms`: lowest and highest delay before an action, to be drawn afresh each time.
 */
export interface SeatOffer {
  t: 'seat'; token: string; table: string; level: 'easy' | 'hard' | 'normal'; delay_ms: [number, number];
}

/** The events of one sequence number, as this viewer sees them. */
export interface SeqEvents {
  seq: number; events: ViewerEvent[];
}

/** A card of a hand that all may see, and its holder. */
export interface ShownCard {
  seat: number; card: string;
}

/** The host begins the game with the chairs that are taken, at least two. */
export interface Start {
  t: 'start'; cid: string;
}

/** A game begins; `chairs` has one entry per seat. */
export interface Started {
  event: 'started'; game: number; chairs: number[];
}

/** A line of the lobby. */
export interface TableListing {
  table: string; name: string; preset: string; status: 'finished' | 'open' | 'playing'; chairs: number; taken: number;
  persons: number; bots: number; turn_clock_s: number | null; discreet: boolean; watchers: number;
}

/**
 * The connection is attached to a table.
 *
 * `resumed` "events": `missed` holds all that the client has not seen; "snapshot": it asked for nothing, or for too much.
 */
export interface TableState {
  t: 'table'; seq: number; resumed: 'events' | 'snapshot'; missed: SeqEvents[]; watchers: number; view: TableView;
}

/**
 * A table as one viewer sees it.
 *
 * `chairs` lists those taken. `games`: games finished. `persons`: how many must vote for a rematch.
 */
export interface TableView {
  table: string; name: string; status: 'finished' | 'open' | 'playing'; private: boolean; rules: Ruleset; chairs:
  ChairView[]; persons: number; games: number; clock: ClockView | null; you: YouView; game: GameView | null;
}

/** Take all cards on the table (RULES 1.10). */
export interface Take {
  act: 'take';
}

/** A seat threw a card in. */
export interface ThrewIn {
  event: 'threw_in'; seat: number; card: string;
}

/** Throw a card in (RULES 1.6). */
export interface Throw {
  act: 'throw'; card: string;
}

/** A turn clock has run out, and the table acted for this seat (RULES 1.23). */
export interface TimedOut {
  event: 'timed_out'; seat: number;
}

/** The defender takes; the cards stay on the table until the bout ends. */
export interface Took {
  event: 'took'; seat: number;
}

/** Something happened. `seq` grows by one with everything public; a change that only this viewer may know keeps it. */
export interface Update {
  t: 'update'; seq: number; events: ViewerEvent[]; view: ViewChange;
}

/** What has changed in a view: the moment always, and of the rest what is there; a field that is missing is as it was. */
export interface ViewChange {
  clock: ClockView | null; you: YouView; game: GameView | null; name?: string; status?: 'finished' | 'open' | 'playing';
  rules?: Ruleset; chairs?: ChairView[]; persons?: number; games?: number;
}

/** The operator has ended the running game, without result or score; whoever has not left sits at an open table again. */
export interface Voided {
  event: 'voided';
}

/** A chair wants a rematch. */
export interface Voted {
  event: 'voted'; chair: number;
}

/** Look at a table, from one's own chair if there is one, else as a spectator. */
export interface Watch {
  t: 'watch'; cid: string; table: string;
}

/** How many look on. */
export interface Watchers {
  t: 'watchers'; count: number;
}

/** The answer to `hello`. Silence for longer than two heartbeats means that the connection is lost. */
export interface Welcome {
  t: 'welcome'; player: string; name: string; kind: 'bot' | 'host' | 'person'; server: string; protocol: number; rules:
  string; heartbeat_ms: number;
}

/** A chair's connection was lost. */
export interface WentAway {
  event: 'went_away'; chair: number;
}

/** These seats went out together (RULES 1.19). */
export interface WentOut {
  event: 'went_out'; seats: number[];
}

/**
 * The viewer's own relation to the table; chair and seat are null for a spectator.
 *
 * `can` names the commands that would be accepted now, besides the legal actions: join, leave, start, fill, dismiss, rematch,
 * auto_pass.
 */
export interface YouView {
  chair: number | null; seat: number | null; auto_pass: boolean; can: string[];
}

export type Action =
  Lead | Throw | Beat | Take | Pass | Finish | Forfeit | Redeal | Keep | Leave;

export type ClientMessage =
  Hello | Create | Lobby | Join | Watch | LeaveTable | Start | Fill | Dismiss | Act | AutoPass | Rematch | Host;

export type ServerMessage =
  Welcome | Ok | Error | Heartbeat | LobbyState | TableState | Update | Watchers | Detached | SeatOffer;

export type ViewerEvent =
  Created | Sat | Rose | HostIs | Started | WentAway | CameBack | Voted | TimedOut | Voided | AutoPassSet | DealtSeen |
  Answered | DrewSeen | BoutBegan | Led | ThrewIn | Beaten | Took | Passed | Deciding | BoutEnded | WentOut | Left |
  GameOver;
