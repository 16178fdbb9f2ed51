/** The page: which screen, its handlers, its addresses. Everything is made and wired here. */

import { createClient } from './client.js';
import { commandOf, createScreen, newDraft } from './create.js';
import { askToLeave, closeDialogs, openSettings } from './dialogs.js';
import { h, patch } from './dom.js';
import { doorScreen, homeScreen, readCode } from './home.js';
import { listenForKeys } from './keys.js';
import { lobbyScreen } from './lobby.js';
import { resultScreen } from './result.js';
import { lastName, rememberName } from './session.js';
import { apply } from './settings.js';
import { wouldLose } from './situation.js';
import { NO_TABLE, createStore } from './store.js';
import { drawTable } from './table.js';
import { language, say } from './text.js';
import { runTimer } from './timer.js';

const TABLES_EVERY_MS = 4_000;
const COPIED_MS = 2_000;

/** Where the client is served, ending in a slash: the address of this module, so that a server may put it under a path. */
const root = new URL('.', import.meta.url);
const app = /** @type {HTMLElement} */ (document.getElementById('app'));

const store = createStore();
/** @type {import('./types.js').GameEvent[]} */
let events = [];
let draft = newDraft();
let playerName = lastName();
let copied = false;
let resized = false;

const client = createClient({
  store,
  root,
  onTable: (code) => go(`t/${code}`),
  onHome: () => go(''),
  onEvents: (happened) => { events = [...events, ...happened]; },
});

/** Show an address of this client. @param {string} path relative to `root` */
function go(path) {
  const url = new URL(path, root);
  if (url.pathname !== location.pathname) history.pushState(null, '', url);
}

/** The table that the address names. */
function codeInAddress() {
  const match = location.pathname.slice(root.pathname.length).match(/^t\/([^/]+)\/?$/);
  return match ? readCode(decodeURIComponent(match[1])) : null;
}

function route() {
  const code = codeInAddress();
  const { view, table } = store.get();
  if (code && code === table) return;
  if (wouldLose(view)) {
    // The way back leads out of a running game: stay, and ask.
    go(`t/${table}`);
    leave();
  } else if (code) client.open(code);
  else if (table) client.leaveTable(null);
  else store.set({ screen: 'home' });
}

function leave() {
  const { view } = store.get();
  if (wouldLose(view)) askToLeave(() => void client.leave());
  else if (view?.you.can.includes('leave')) void client.leave();
  else client.leaveTable(null);
}

const redraw = () => store.set({});
const settings = () => openSettings(redraw);

const homeHandlers = {
  settings,
  play: (/** @type {string} */ name) => void client.create(name, {
    preset: 'classic', options: { max_players: 4 }, bots: ['normal', 'normal', 'normal'], sit: true, start: true, private: true,
  }),
  create: (/** @type {string} */ name) => {
    playerName = name;
    rememberName(name);
    store.set({ screen: 'create', problem: null });
  },
  visit: (/** @type {string} */ code, /** @type {string} */ name, /** @type {boolean} */ sit) => void client.visit(code, name, sit),
  problem: (/** @type {string} */ code) => store.set({ problem: code }),
  home: () => client.leaveTable(null),
};

const tableHandlers = {
  act: client.act,
  press: (/** @type {string} */ card, /** @type {boolean} */ byKey) => {
    client.press(card);
    // By keyboard the choice of a target is the next step; Escape leads back.
    if (byKey) queueMicrotask(() => /** @type {HTMLElement | null} */ (app.querySelector('.card.target'))?.focus());
  },
  reach: (/** @type {string} */ card) => {
    if (store.get().cursor !== card) store.set({ cursor: card });
  },
  autoPass: (/** @type {boolean} */ on) => void client.command({ t: 'auto_pass', on }),
  join: () => void client.command({ t: 'join', table: store.get().table }),
  leave,
  settings,
};

const lobbyHandlers = {
  leave,
  settings,
  command: (/** @type {import('./types.js').Message} */ message) => void client.command(message),
  copy: async (/** @type {string} */ text) => {
    await copyText(text);
    copied = true;
    redraw();
    setTimeout(() => {
      copied = false;
      redraw();
    }, COPIED_MS);
  },
  share: (/** @type {string} */ url) => void navigator.share({ url }).catch(() => {}),
};

/** The clipboard needs a secure page; a selection does not. @param {string} text */
async function copyText(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text).catch(() => {});
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** @param {import('./store.js').State} state */
function banner(state) {
  if (state.newVersion) return h('p', { class: 'banner', key: 'banner', role: 'status' }, say('link.version'), ' ', button('link.reload', () => location.reload()));
  if (!state.notice) return null;
  const again = state.link === 'ended';
  return h('p', { class: 'banner', key: 'banner', role: 'status', 'data-link': state.link }, say(state.notice), ' ',
    again && button(state.notice === 'link.replaced' ? 'link.replaced.here' : 'link.again', client.again));
}

/** @param {string} code @param {() => void} press */
const button = (code, press) => h('button', { type: 'button', class: 'button small', on: { click: press } }, say(code));

/** @param {import('./store.js').State} state */
function draw(state) {
  const happened = events;
  const still = resized;
  events = [];
  resized = false;
  const { view, screen } = state;
  const around = banner(state);
  document.title = screen === 'table' && view ? `${view.name} · ${say('home.title')}` : say('home.title');
  if (!wouldLose(view)) closeDialogOf('ask-leave');
  if (screen === 'home') patch(app, [around, homeScreen(state, homeHandlers)]);
  else if (screen === 'door') patch(app, [around, doorScreen(state, homeHandlers)]);
  else if (screen === 'create') {
    patch(app, [around, createScreen(draft, state, {
      change: (changed) => {
        draft = changed;
        redraw();
      },
      submit: () => void client.create(playerName, commandOf(draft)),
      back: () => store.set({ screen: 'home', problem: null }),
    })]);
  } else if (!view) {
    patch(app, [around, h('main', { class: 'loading', key: 'loading', 'data-screen': 'loading' }, h('p', { role: 'status' }, say(state.notice ?? 'status.loading')))]);
  } else if (view.status === 'open' || !view.game) {
    const link = new URL(`t/${view.table}`, root).href;
    patch(app, [around, lobbyScreen({ ...state, view }, { link, qr: new URL(`api/qr?text=${encodeURIComponent(link)}`, root).href, copied }, lobbyHandlers)]);
    runTimer(app, view, state.deadline, state.link === 'online');
  } else if (view.status === 'finished' && !state.lingers) {
    patch(app, [around, resultScreen({ ...state, view }, { ...lobbyHandlers, leave })]);
  } else {
    drawTable(app, { ...state, view: { ...view, game: view.game } }, tableHandlers, happened, [around], still);
  }
}

/** @param {string} id */
function closeDialogOf(id) {
  if (/** @type {HTMLDialogElement | null} */ (document.getElementById(id))?.open) closeDialogs();
}

/** The open tables, while somebody looks at them. */
async function refreshTables() {
  if (store.get().screen !== 'home' || document.visibilityState === 'hidden') return;
  try {
    const answer = await fetch(new URL('api/tables', root));
    const { tables } = await answer.json();
    store.set({ tables: tables.filter((/** @type {import('./types.js').TableListing} */ table) => table.status !== 'finished') });
  } catch {
    store.set({ tables: null });
  }
}

apply();
document.documentElement.lang = language();
store.onChange(draw);
listenForKeys({ state: store.get, act: client.act, unpick: () => store.set({ picked: null }) });
window.addEventListener('popstate', route);
window.addEventListener('resize', () => {
  resized = true;
  redraw();
});
window.addEventListener('beforeunload', (event) => {
  if (wouldLose(store.get().view)) event.preventDefault();
});
setInterval(refreshTables, TABLES_EVERY_MS);
store.set({ ...NO_TABLE, screen: 'home' });
route();
void refreshTables();
