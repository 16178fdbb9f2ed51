/**
 * The one state of the page, what can happen to it, and what it may want done.
 *
 * `reduce` (reduce.js) is the only place that changes the state: pure, from a state and an input to the next state and a list of
 * effects. The store (store.js) keeps the state and draws it, effects.js does what the effects name and reports back by inputs.
 * What is shown is chosen by the screens: the state holds codes and kinds, never sentences.
 *
 * @import * as wire from './wire.js'
 * @import { Draft, Level } from './draft.js'
 * @import { Settings } from './settings.js'
 *
 * @typedef {wire.TableView} TableView
 * @typedef {wire.ViewerEvent} GameEvent
 * @typedef {{ name: string, token: string, player: string }} Guest
 * @typedef {'none' | 'connecting' | 'online' | 'lost' | 'ended'} LinkStatus ended: the server wants no reconnect
 *
 * @typedef {wire.ClientMessage extends infer M ? M extends { cid: string } ? Omit<M, 'cid'> : never : never} Command
 *   what a person wants of the server; the link gives it its id
 *
 * @typedef {{ card: string | null, target: string | null, seq: number | null }} Pending an action without its answer, or accepted
 *   as number `seq` of the table and not yet in the view
 *
 * @typedef {{ kind: 'refused', code: string, params: Record<string, string | number> } | { kind: 'detached', reason: string }
 *   | { kind: 'bad_code' } | { kind: 'no_server' }} Problem why something could not be done, for screens other than the table
 *
 * @typedef {object} State
 * @property {'home' | 'create' | 'door' | 'table'} screen
 * @property {string} name of the person, as the field has it
 * @property {Settings} settings
 * @property {'leave' | 'settings' | null} dialog over the screen
 * @property {Draft} draft of the table to create
 * @property {wire.TableListing[] | null} tables the open tables; null: not known
 * @property {string} root where the client is served, ending in a slash
 * @property {boolean} canShare the browser can send a link to other programs
 * @property {boolean} desktop the window has room for seats around the felt
 * @property {boolean} byKeyboard the person's last deed was on the keyboard; a finger or a mouse wants no focus moved
 *
 * @property {LinkStatus} link
 * @property {'lost' | 'restarting' | 'replaced' | 'ended' | null} cut why there is no connection
 * @property {Guest | null} guest as whom this page connects
 * @property {boolean} secondToken the first token of this connection was refused, and the guest is a new one
 * @property {string | null} server the version that answered first
 * @property {boolean} newVersion another version has answered since
 * @property {Problem | null} problem
 * @property {Command | null} wish the table to create once there is a connection
 * @property {boolean} sits take a seat as soon as the table is there
 *
 * @property {string | null} table code of the table shown or asked for
 * @property {TableView | null} view the latest from the server
 * @property {number} seq of the view
 * @property {number} deadline of the view's clock, in `performance.now()`
 * @property {number} watchers
 * @property {Level} level of the bots that the host fills the table with
 * @property {boolean} copied the link is in the clipboard, for a moment
 * @property {{ code: string, params: Record<string, string | number> } | null} refusal of my last command, for a moment
 * @property {string | null} picked a card that waits for its target
 * @property {ReadonlyMap<string, Pending>} pending by card, or by action where there is no card
 * @property {wire.Pair[] | null} afterglow pairs that are still shown for a moment after their bout has ended
 * @property {boolean} lingers the last table is still shown for a moment before the result
 * @property {string | null} cursor the card of the hand that has the tab stop
 *
 * @property {readonly GameEvent[]} happened since the last drawing, for its movement
 * @property {boolean} still only the window has changed since the last drawing: nothing moves
 */

/**
 * What can happen: deeds of the person first, then the world's. In `address` the guest is the one whom the browser knows; the code of
 * `no_guest` is null if the server does not answer; that of `link` is of the closed socket; `at` is in `performance.now()`. Each kind
 * of `TimerInput` has one timer.
 *
 * @typedef {{ type: 'name', name: string }
 *   | { type: 'play', name: string } | { type: 'to_create', name: string } | { type: 'to_home' }
 *   | { type: 'visit', code: string, name: string, sit: boolean } | { type: 'bad_code' }
 *   | { type: 'draft', draft: Draft } | { type: 'create' }
 *   | { type: 'press', card: string, byKey: boolean } | { type: 'unpick' } | { type: 'reach', card: string }
 *   | { type: 'act', action: wire.Action } | { type: 'command', command: Command } | { type: 'level', level: Level }
 *   | { type: 'leave' } | { type: 'leave_anyway' }
 *   | { type: 'settings' } | { type: 'set', settings: Partial<Settings> } | { type: 'close_dialog', dialog: State['dialog'] }
 *   | { type: 'copy', text: string } | { type: 'share', url: string } | { type: 'again' } | { type: 'reload' }
 *   | { type: 'by', keyboard: boolean }} Deed
 *
 * @typedef {{ type: 'afterglow_over', ended: GameEvent[] } | { type: 'last_look_over' } | { type: 'refusal_over' }
 *   | { type: 'copied_over' }} TimerInput
 *
 * @typedef {{ type: 'address', code: string | null, guest: Guest | null }
 *   | { type: 'guest', guest: Guest } | { type: 'no_guest', code: string | null }
 *   | { type: 'link', status: Exclude<LinkStatus, 'none'>, code: number | null }
 *   | { type: 'heard', message: wire.ServerMessage, at: number }
 *   | { type: 'answered', command: Command, answer: wire.Ok | wire.Error }
 *   | { type: 'refresh' } | { type: 'tables', tables: wire.TableListing[] | null }
 *   | { type: 'copied' } | { type: 'resized', desktop: boolean } | { type: 'drawn' }
 *   | TimerInput} News
 *
 * @typedef {Deed | News} Input
 * @typedef {(input: Input) => void} Dispatch
 */

/**
 * What may be wanted, to be done in order. `find_guest` gives the input `guest` or `no_guest`, `send` gives `answered`, `copy` gives
 * `copied`; the path of `go` is relative to where the client is served.
 *
 * @typedef {{ type: 'find_guest', name: string } | { type: 'forget_guest', name: string } | { type: 'remember_name', name: string }
 *   | { type: 'keep_settings', settings: Settings }
 *   | { type: 'connect' } | { type: 'disconnect' } | { type: 'send', command: Command }
 *   | { type: 'go', path: string } | { type: 'announce', events: GameEvent[], view: TableView }
 *   | { type: 'fetch_tables' } | { type: 'copy', text: string } | { type: 'share', url: string } | { type: 'reload' }
 *   | { type: 'focus', selector: string }
 *   | { type: 'start_timer', ms: number, input: TimerInput } | { type: 'stop_timer', input: TimerInput['type'] }} Effect
 */

import { newDraft } from './draft.js';

/** What the browser tells before anything has happened. @typedef {Pick<State, 'name' | 'settings' | 'root' | 'canShare' | 'desktop'>} Known */

/** What belongs to one table and goes with it. */
export const NO_TABLE = {
  table: null, view: null, seq: 0, watchers: 0, refusal: null, picked: null, afterglow: null, lingers: false, cursor: null,
  wish: null, sits: false, pending: /** @type {State['pending']} */ (new Map()),
};

/** The state before anything has happened. @param {Known} known @returns {State} */
export function initial(known) {
  return {
    screen: 'home', dialog: null, draft: newDraft(), tables: null, byKeyboard: false,
    link: 'none', cut: null, guest: null, secondToken: false, server: null, newVersion: false, problem: null,
    deadline: 0, level: 'normal', copied: false, happened: [], still: false,
    ...NO_TABLE, ...known,
  };
}

/** What the first frame of a connection says; asked at every connect. @param {State} state @returns {Omit<wire.Hello, 't'>} */
export function helloOf({ guest, table, view, seq }) {
  const token = guest?.token ?? '';
  if (!table) return { token };
  return view ? { token, table, seq } : { token, table };
}
