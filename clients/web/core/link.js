/**
 * The connection: one WebSocket at a time, found again when it is lost.
 *
 * Every command has an id and is sent again after a reconnect until it is answered; the server answers the same id only once.
 * Silence is noticed here, since a browser does not show a page the pings of its sockets.
 *
 * @import * as wire from './wire.js'
 * @import { Command, LinkStatus } from './state.js'
 *
 * @typedef {Exclude<LinkStatus, 'none'>} Status
 *
 * @typedef {object} LinkEvents
 * @property {(status: Status, code: number | null) => void} onStatus `code`: the close code, if there was one
 * @property {(message: wire.ServerMessage) => void} onMessage everything but answers to commands and heartbeats
 * @property {(command: Command, answer: wire.Ok | wire.Error) => void} onAnswer
 */

const SUBPROTOCOL = 'durak.v1.json';
const SILENCE_MS = 12_000;
const OPENING_MS = 8_000;
const CHECK_MS = 1_000;
const FIRST_BACKOFF_MS = 300;
const LONGEST_BACKOFF_MS = 8_000;

/** Close codes after which a client must not come back by itself. @param {number} code */
const isFinal = (code) => code >= 4100 && code < 4200;

/** An id for a command; `crypto.randomUUID` is missing where the page came over plain HTTP. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a frame says; null for one that is no message. @param {unknown} frame @returns {wire.ServerMessage | null} */
export function messageIn(frame) {
  try {
    const message = JSON.parse(String(frame));
    return typeof message?.t === 'string' ? message : null;
  } catch {
    return null;
  }
}

/**
 * @param {string | URL} url of the endpoint, ws: or wss:
 * @param {() => Omit<wire.Hello, 't'>} hello asked at every connect
 * @param {LinkEvents} events
 */
export function createLink(url, hello, { onStatus, onMessage, onAnswer }) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Status} */
  let status = 'connecting';
  /** Commands without an answer, by their ids. @type {Map<string, Command>} */
  const waiting = new Map();
  let ready = false;
  let attempts = 0;
  let heard = 0;
  let retryAfterMs = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  let closed = false;

  function connect() {
    clearTimeout(retry);
    retry = undefined;
    ready = false;
    heard = performance.now();
    const opened = new WebSocket(url, SUBPROTOCOL);
    socket = opened;
    opened.onopen = () => opened.send(JSON.stringify({ t: 'hello', ...hello() }));
    opened.onmessage = (event) => {
      if (socket === opened) receive(messageIn(event.data));
    };
    opened.onclose = (event) => {
      if (socket === opened) lost(event.code);
    };
  }

  /** @param {wire.ServerMessage | null} message */
  function receive(message) {
    heard = performance.now();
    if (message === null || message.t === 'heartbeat') return;
    if (message.t === 'ok' || (message.t === 'error' && message.cid)) {
      answer(message);
      return;
    }
    if (message.t === 'error' && message.retry_after_ms) retryAfterMs = message.retry_after_ms;
    if (message.t === 'welcome' && !hello().table) becomeReady();
    onMessage(message);
    // With a table in the hello the connection is of use once it is attached, or once the server has said why it is not.
    if (message.t === 'table' || message.t === 'error') becomeReady();
  }

  /** @param {wire.Ok | wire.Error} message */
  function answer(message) {
    const cid = message.cid ?? '';
    const command = waiting.get(cid);
    if (!command) return;
    waiting.delete(cid);
    onAnswer(command, message);
  }

  function becomeReady() {
    if (ready || closed) return;
    ready = true;
    attempts = 0;
    retryAfterMs = 0;
    report('online', null);
    for (const [cid, command] of waiting) send(cid, command);
  }

  /** @param {string} cid @param {Command} command */
  const send = (cid, command) => socket?.send(JSON.stringify({ ...command, cid }));

  /** @param {number | null} code */
  function lost(code) {
    const was = socket;
    socket = null;
    ready = false;
    was?.close();
    if (closed) return;
    if (code !== null && isFinal(code)) {
      closed = true;
      report('ended', code);
      return;
    }
    report('lost', code);
    const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempts);
    attempts += 1;
    clearTimeout(retry);
    retry = setTimeout(connect, retryAfterMs + Math.random() * ceiling);
  }

  /** @param {Status} next @param {number | null} code */
  function report(next, code) {
    if (next === status && code === null) return;
    status = next;
    onStatus(next, code);
  }

  function check() {
    if (!socket) return;
    const silent = performance.now() - heard;
    if (silent > (ready ? SILENCE_MS : OPENING_MS)) lost(null);
  }

  function cameBack() {
    if (closed || document.visibilityState === 'hidden') return;
    check();
    if (!socket) {
      attempts = 0;
      connect();
    }
  }

  const wentOffline = () => {
    if (socket) lost(null);
  };
  const watch = setInterval(check, CHECK_MS);
  document.addEventListener('visibilitychange', cameBack);
  window.addEventListener('online', cameBack);
  window.addEventListener('offline', wentOffline);
  connect();

  return {
    /** Send a command, now or when the connection is there; again after a reconnect. @param {Command} command */
    command(command) {
      const cid = newId();
      waiting.set(cid, command);
      if (ready) send(cid, command);
    },

    /** Close for good; what is unanswered stays so. */
    close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(watch);
      document.removeEventListener('visibilitychange', cameBack);
      window.removeEventListener('online', cameBack);
      window.removeEventListener('offline', wentOffline);
      waiting.clear();
      const was = socket;
      socket = null;
      was?.close(1000);
    },
  };
}

/** @typedef {ReturnType<typeof createLink>} Link */
