/**
 * Who plays here: a name, and the guest's token that the server gave for it. Tokens stay in this browser and travel only in
 * the first frame of a connection.
 */

import { keep, stored } from './settings.js';

const NAME = 'durak.name';
const GUESTS = 'durak.guests';
const LONGEST_NAME = 24;

/** @typedef {{ token: string, player: string }} Guest */

/** The name used last, or an empty one. @returns {string} */
export const lastName = () => stored(NAME, '');

/** @param {string} name */
export const rememberName = (name) => keep(NAME, name);

/** @param {string} text */
export const tidyName = (text) => text.trim().replace(/\s+/g, ' ').slice(0, LONGEST_NAME);

/** The guest of the name used last, if the server knows one. @returns {Guest | null} */
export function lastGuest() {
  const name = lastName();
  return name ? stored(GUESTS, /** @type {Record<string, Guest>} */ ({}))[name] ?? null : null;
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
 * The guest of this name, who becomes the one used last. Throws `NameRefused`, or another error if the server does not answer.
 * @param {string} root where the server is
 * @param {string} name
 * @returns {Promise<Guest>}
 */
export async function guestNamed(root, name) {
  const guests = stored(GUESTS, /** @type {Record<string, Guest>} */ ({}));
  rememberName(name);
  if (guests[name]) return guests[name];
  const answer = await fetch(new URL('api/guest', root), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  const told = await answer.json();
  if (!answer.ok) throw new NameRefused(told.error);
  const { token, player } = told;
  keep(GUESTS, { ...guests, [name]: { token, player } });
  return { token, player };
}

/** The server has refused the token of the name used last. */
export function forgetGuest() {
  const guests = stored(GUESTS, /** @type {Record<string, Guest>} */ ({}));
  delete guests[lastName()];
  keep(GUESTS, guests);
}
