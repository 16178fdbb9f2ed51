/**
 * What the reducer wants of the world, done: the connection, requests, storage, the address, timers, the clipboard, the focus.
 * What comes of it is an input again.
 *
 * @import { Dispatch, Effect, GameEvent, State, TableView, TimerInput } from './state.js'
 * @import { Link } from './link.js'
 */

import { forgetGuest, guestNamed, NameRefused, rememberName } from './guests.js';
import { createLink } from './link.js';
import { keepSettings } from './settings.js';
import { helloOf } from './state.js';

/**
 * @param {object} needs
 * @param {URL} needs.root where the client is served, ending in a slash
 * @param {() => State} needs.state
 * @param {Dispatch} needs.dispatch
 * @param {(events: GameEvent[], view: TableView) => void} needs.announce
 * @returns {(effect: Effect) => void}
 */
export function createEffects({ root, state, dispatch, announce }) {
  /** @type {Link | null} */
  let link = null;
  /** @type {Map<TimerInput['type'], ReturnType<typeof setTimeout>>} */
  const timers = new Map();

  function disconnect() {
    link?.close();
    link = null;
  }

  function connect() {
    disconnect();
    const socket = new URL('ws', root);
    socket.protocol = root.protocol === 'https:' ? 'wss:' : 'ws:';
    link = createLink(socket, () => helloOf(state()), {
      onStatus: (status, code) => dispatch({ type: 'link', status, code }),
      onMessage: (message) => dispatch({ type: 'heard', message, at: performance.now() }),
      onAnswer: (command, answer) => dispatch({ type: 'answered', command, answer }),
    });
  }

  /** @param {string} name */
  async function findGuest(name) {
    try {
      dispatch({ type: 'guest', guest: await guestNamed(root, name) });
    } catch (error) {
      dispatch({ type: 'no_guest', code: error instanceof NameRefused ? error.code : null });
    }
  }

  async function fetchTables() {
    try {
      const answer = await fetch(new URL('api/tables', root));
      const { tables } = await answer.json();
      dispatch({ type: 'tables', tables });
    } catch {
      dispatch({ type: 'tables', tables: null });
    }
  }

  /** @param {string} path */
  function go(path) {
    const url = new URL(path, root);
    if (url.pathname !== location.pathname) history.pushState(null, '', url);
  }

  return (effect) => {
    switch (effect.type) {
      case 'find_guest': void findGuest(effect.name); break;
      case 'forget_guest': forgetGuest(effect.name); break;
      case 'remember_name': rememberName(effect.name); break;
      case 'keep_settings': keepSettings(effect.settings); break;
      case 'connect': connect(); break;
      case 'disconnect': disconnect(); break;
      case 'send': link?.command(effect.command); break;
      case 'go': go(effect.path); break;
      case 'announce': announce(effect.events, effect.view); break;
      case 'fetch_tables': void fetchTables(); break;
      case 'copy': void copyText(effect.text).then(() => dispatch({ type: 'copied' })); break;
      case 'share': void navigator.share({ url: effect.url }).catch(() => {}); break; // changed their mind
      case 'reload': location.reload(); break;
      case 'focus': queueMicrotask(() => /** @type {HTMLElement | null} */ (document.querySelector(effect.selector))?.focus()); break;
      case 'start_timer': {
        const { input, ms } = effect;
        clearTimeout(timers.get(input.type));
        timers.set(input.type, setTimeout(() => dispatch(input), ms));
        break;
      }
      case 'stop_timer': clearTimeout(timers.get(effect.input)); break;
    }
  };
}

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
