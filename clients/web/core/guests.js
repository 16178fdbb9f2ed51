/**
 * Who plays here: a name, and the guest's token that the server gave for it. Tokens stay in this browser and travel only in
 * the first frame of a connection. Any name is possible, also one that every object has (`constructor`): names are keys of maps.
 *
 * @import { Guest } from './state.js'
 */

import { keep, stored, storedEntries } from './storage.js';

const NAME = 'durak.name';
const GUESTS = 'durak.guests';
const LONGEST_NAME = 24;

/** The name used last, or an empty one. */
export function lastName() {
  const name = stored(NAME);
  return typeof name === 'string' ? name : '';
}

/** @param {string} name */
export const rememberName = (name) => keep(NAME, name);

/** @param {string} text */
export const tidyName = (text) => text.trim().replace(/\s+/g, ' ').slice(0, LONGEST_NAME);

/** The guest of this name, if this browser has one. @param {string} name @returns {Guest | null} */
export function knownGuest(name) {
  const kept = storedEntries(GUESTS).get(name);
  if (typeof kept !== 'object' || kept === null || !('token' in kept) || typeof kept.token !== 'string') return null;
  return { name, token: kept.token, player: 'player' in kept ? String(kept.player) : '' };
}

/** The server gives no guest for a name. */
export class NameRefused extends Error {
  /** @param {string} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/**
 * The guest of this name, known or new. Throws `NameRefused`, or another error if the server does not answer.
 * @param {URL} root where the server is
 * @param {string} name
 * @returns {Promise<Guest>}
 */
export async function guestNamed(root, name) {
  const known = knownGuest(name);
  if (known) return known;
  const answer = await fetch(new URL('api/guest', root), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new NameRefused(String(body.error));
  const { token, player } = body;
  keepGuests(storedEntries(GUESTS).set(name, { token, player }));
  return { name, token, player };
}

/** The server has refused the token of this guest. @param {string} name */
export function forgetGuest(name) {
  const guests = storedEntries(GUESTS);
  guests.delete(name);
  keepGuests(guests);
}

/** @param {Map<string, unknown>} guests */
const keepGuests = (guests) => keep(GUESTS, Object.fromEntries(guests));
