/**
 * Everything the client says: whole sentences by code, in one language at a time.
 *
 * A language is a module whose default export has an entry per code: a sentence, or a function of its parameters. All
 * languages have the same codes.
 *
 * @typedef {Record<string, string | ((p: any) => string)>} Sentences
 * @typedef {{ lang: string, title: string, sentences: Sentences }} Locale
 */

import english from './locale-en.js';

/** @type {Locale} */
let locale = english;

/** The language now, an ISO code. */
export const language = () => locale.lang;

/** @param {string} code */
export const knows = (code) => code in locale.sentences;

/**
 * The sentence for a code.
 * @param {string} code
 * @param {Record<string, any>} [params]
 * @returns {string}
 */
export function say(code, params = {}) {
  const sentence = locale.sentences[code];
  if (sentence === undefined) return code;
  return typeof sentence === 'string' ? sentence : sentence(params);
}

/** Seconds as a clock shows them, "0:18". @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
