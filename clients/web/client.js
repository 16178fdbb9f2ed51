/**
 * What the person wants, as commands; what the server tells, as state.
 *
 * @typedef {import('./types.js').Action} Action
 * @typedef {import('./types.js').Message} Message
 * @typedef {import('./types.js').Refusal} Refusal
 * @typedef {import('./types.js').TableView} TableView
 * @typedef {import('./types.js').GameEvent} GameEvent
 * @typedef {import('./types.js').Pair} Pair
 */

import { announceEvents } from './announce.js';
import { createLink } from './link.js';
import { forgetGuest, guestNamed, lastGuest, lastName, NameRefused } from './session.js';
import { byCard, legalOf } from './situation.js';
import { NO_TABLE } from './store.js';
import { knows } from './text.js';

const AFTERGLOW_MS = 520;
const LAST_LOOK_MS = 1_400;
const REFUSAL_MS = 5_000;
const BAD_TOKEN = 4101;
const RESTARTING = 4000;
const REPLACED = 4100;
/** Actions that name the epoch they were meant for: passes and answers to the redeal offer. */
const OF_EPOCH = new Set(['pass', 'redeal', 'keep']);

/**
 * @param {object} needs
 * @param {import('./store.js').Store} needs.store
 * @param {URL} needs.root where the server is, ending in a slash
 * @param {(code: string) => void} needs.onTable the page now shows this table
 * @param {() => void} needs.onHome
 * @param {(events: GameEvent[]) => void} needs.onEvents what has just happened, before the new view is drawn
 */
export function createClient({ store, root, onTable, onHome, onEvents }) {
  /** @type {import('./link.js').Link | null} */
  let link = null;
  /** @type {import('./session.js').Guest | null} */
  let guest = null;
  /** @type {string | null} */
  let serverVersion = null;
  let secondToken = false;
  let joins = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let afterglowTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let refusalTimer;

  /** Connect as `who`, to the table of the state if there is one. @param {import('./session.js').Guest} who */
  function connect(who) {
    guest = who;
    link?.close();
    const socket = new URL('ws', root);
    socket.protocol = root.protocol === 'https:' ? 'wss:' : 'ws:';
    store.set({ link: 'connecting', notice: null, pending: new Map() });
    link = createLink(socket, hello, { onStatus, onMessage });
  }

  function hello() {
    const { table, view, seq } = store.get();
    const token = guest?.token ?? '';
    if (!table) return { token };
    return view ? { token, table, seq } : { token, table };
  }

  /** @param {import('./link.js').Status} status @param {number | null} code */
  function onStatus(status, code) {
    if (status === 'ended' && code === BAD_TOKEN && !secondToken) {
      secondToken = true;
      forgetGuest();
      void enter(lastName());
      return;
    }
    const notice = status === 'online' ? null
      : status === 'ended' ? (code === REPLACED ? 'link.replaced' : 'link.ended')
        : code === RESTARTING || store.get().notice === 'link.restarting' ? 'link.restarting' : 'link.lost';
    store.set({ link: status, notice, ...(status === 'online' ? {} : { picked: null }) });
  }

  /** @param {Message} message */
  function onMessage(message) {
    switch (message.t) {
      case 'welcome':
        secondToken = false;
        if (serverVersion !== null && serverVersion !== message.server) store.set({ newVersion: true });
        serverVersion ??= message.server;
        break;
      case 'table':
        show(message.view, message.seq, message.missed.flatMap((/** @type {any} */ one) => (message.resumed === 'events' ? one.events : [])), true);
        store.set({ watchers: message.watchers });
        // Also where there is no chair: the server's refusal says why one only looks on.
        if (joins && (message.view.you.chair === null || message.view.you.can.includes('join'))) void command({ t: 'join', table: message.view.table });
        joins = false;
        break;
      case 'update':
        // What is not in it is as it was.
        if (store.get().view) show({ ...store.get().view, ...message.view }, message.seq, message.events, false);
        break;
      case 'watchers':
        store.set({ watchers: message.count });
        break;
      case 'detached':
        leaveTable(message.reason === 'left' ? null : `detached.${message.reason}`);
        break;
      case 'error':
        if (message.retry_after_ms) link?.wait(message.retry_after_ms);
        if (['no_such_table', 'frozen', 'bad_message'].includes(message.code)) leaveTable(codeOf(message.code));
        break;
      default: // a message of a newer server
    }
  }

  /** @param {TableView} view @param {number} seq @param {GameEvent[]} events @param {boolean} whole after a (re)connect */
  function show(view, seq, events, whole) {
    const before = store.get();
    const same = before.view?.table === view.table ? before.view : null;
    onTable(view.table);
    onEvents(whole ? (isFreshDeal(same, view) ? [{ event: 'dealt' }] : []) : events);
    const afterglow = whole ? null : glowAfter(same, view, events);
    if (afterglow || events.some((event) => event.event === 'led')) {
      clearTimeout(afterglowTimer);
      if (afterglow) {
        afterglowTimer = setTimeout(() => {
          onEvents(events.filter((event) => event.event === 'bout_ended')); // where the cards fly
          store.set({ afterglow: null });
        }, AFTERGLOW_MS);
      }
    }
    const ends = !whole && view.status === 'finished' && same?.status === 'playing';
    if (ends) setTimeout(() => store.set({ lingers: false }), LAST_LOOK_MS);
    store.set({
      screen: 'table', table: view.table, view, seq, problem: null,
      deadline: performance.now() + (view.clock?.ms ?? 0),
      afterglow: afterglow ?? (events.some((event) => event.event === 'led' || event.event === 'dealt') ? null : before.afterglow),
      lingers: ends || (before.lingers && view.status === 'finished'),
      picked: before.picked && targetsOf(view, before.picked).length ? before.picked : null,
      pending: stillPending(view, seq),
    });
    announceEvents(events, view);
  }

  /** Accepted actions are over once the view holds them. @param {TableView} view @param {number} seq */
  function stillPending(view, seq) {
    const { pending } = store.get();
    return new Map([...pending].filter(([key, { seq: at }]) => {
      if (at !== null && at <= seq) return false;
      return !/^[0-9AJQK]/.test(key) || (view.game?.hand ?? []).includes(key);
    }));
  }

  /** Carry out an action; only its looks come before the server's word. @param {Action} action */
  function act(action) {
    const { view, pending, link: status } = store.get();
    const game = view?.game;
    const key = action.card ?? action.act;
    if (!game || status !== 'online' || pending.has(key)) return;
    const epoch = OF_EPOCH.has(action.act) ? { epoch: game.epoch } : {};
    store.set({ pending: new Map(pending).set(key, { target: action.target ?? null, seq: null }), picked: null, refusal: null });
    command({ t: 'act', action, bout: game.bout, ...epoch }, key).then((ok) => {
      if (!ok) return;
      const now = store.get();
      const left = new Map(now.pending);
      if ((ok.seq ?? 0) <= now.seq) left.delete(key);
      else left.set(key, { target: action.target ?? null, seq: ok.seq ?? 0 });
      store.set({ pending: left });
    });
  }

  /**
   * Send a command; a refusal is shown and gives null.
   * @param {Message} message @param {string} [key] of the pending action
   */
  async function command(message, key) {
    try {
      return await /** @type {import('./link.js').Link} */ (link).command(message);
    } catch (refused) {
      const { code, params = {} } = /** @type {Refusal} */ (refused);
      if (!code) throw refused;
      const pending = new Map(store.get().pending);
      if (key) pending.delete(key);
      clearTimeout(refusalTimer);
      refusalTimer = setTimeout(() => store.set({ refusal: null }), REFUSAL_MS);
      store.set({ pending, refusal: { code: codeOf(code), params: { ...params, code }, at: performance.now() } });
      return null;
    }
  }

  /** Press a card of the hand: play it, or pick it if it could beat several. @param {string} card */
  function press(card) {
    const { view, picked, pending, link: status } = store.get();
    const actions = byCard(view ? legalOf(view) : []).get(card);
    if (!view || !actions || status !== 'online' || pending.has(card)) return;
    if (picked === card) store.set({ picked: null });
    else if (actions.length > 1) store.set({ picked: card, refusal: null });
    else act(actions[0]);
  }

  /** A guest of this name, connected. False if the server gives none. @param {string} name */
  async function enter(name) {
    try {
      connect(await guestNamed(root.href, name));
      return true;
    } catch (error) {
      store.set({ problem: error instanceof NameRefused ? codeOf(error.code) : 'error.no_server', link: 'none' });
      return false;
    }
  }

  /** @param {string | null} problem code of a sentence for the home screen */
  function leaveTable(problem) {
    link?.close();
    link = null;
    store.set({ ...NO_TABLE, screen: 'home', link: 'none', notice: null, problem, pending: new Map() });
    onHome();
  }

  return {
    act,
    press,
    command,
    leaveTable,

    /** @param {string} name @param {Record<string, any>} options of the command `create` */
    async create(name, options) {
      store.set({ ...NO_TABLE, problem: null });
      if (!(await enter(name))) return;
      const ok = await command({ t: 'create', ...options });
      if (ok?.table) store.set({ table: ok.table });
      else {
        store.set({ problem: store.get().refusal?.code ?? 'error.no_server', link: 'none' });
        link?.close();
      }
    },

    /** @param {string} code of a table @param {string} name @param {boolean} sit take a seat if there is one */
    async visit(code, name, sit) {
      joins = sit;
      store.set({ ...NO_TABLE, table: code, screen: 'table', problem: null });
      if (!(await enter(name))) store.set({ screen: 'door' });
    },

    /** Open a table by its address: as the guest this browser knows, else the door asks for a name. @param {string} code */
    open(code) {
      const known = lastGuest();
      store.set({ ...NO_TABLE, table: code, screen: known ? 'table' : 'door', problem: null });
      if (known) connect(known);
    },

    /** After the server has ended the connection: once more. */
    again() {
      if (guest) connect(guest);
    },

    async leave() {
      await command({ t: 'leave' });
      if (store.get().screen === 'table') leaveTable(null);
    },
  };
}

/** @typedef {ReturnType<typeof createClient>} Client */

/** @param {string} code of a refusal */
const codeOf = (code) => (knows(`error.${code}`) ? `error.${code}` : 'error.other');

/** The first look at a game that has just been dealt: its deal came before this connection. @param {TableView | null} before
 *  @param {TableView} view */
const isFreshDeal = (before, view) => !before?.game && view.status === 'playing' && view.game?.table.length === 0 && view.game.bout <= 1;

/** What a card could beat now. @param {TableView} view @param {string} card */
function targetsOf(view, card) {
  return (byCard(legalOf(view)).get(card) ?? []).flatMap((action) => action.target ?? []);
}

/**
 * The pairs to show for a moment when the last card of a bout and its end arrive together: nobody would see that card otherwise.
 * @param {TableView | null} before @param {TableView} view @param {GameEvent[]} events
 * @returns {Pair[] | null}
 */
function glowAfter(before, view, events) {
  const end = events.findIndex((event) => event.event === 'bout_ended');
  if (end < 0 || !before?.game || (events[end].outcome === 'taken' && events[end].seat === view.you.seat)) return null;
  if (events.slice(end).some((event) => event.event === 'led')) return null;
  let pairs = before.game.table;
  for (const event of events.slice(0, end)) {
    if (event.event === 'led' || event.event === 'threw_in') pairs = [...pairs, { attack: event.card, by: event.seat, beaten: null }];
    if (event.event === 'beaten') pairs = pairs.map((pair) => (pair.attack === event.target ? { ...pair, beaten: event.card } : pair));
  }
  return pairs === before.game.table ? null : pairs;
}
