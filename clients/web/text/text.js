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

/** @import { Problem } from '../core/state.js' */

/** @type {Locale} */
let locale = english;

/** The language now, an ISO code. */
export const language = () => locale.lang;

/** @param {string} code */
const knows = (code) => Object.hasOwn(locale.sentences, code);

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

/** The sentence for a code, or a word of the server's own where this page has none: it may be older than the server.
 *  @param {string} code @param {string} word */
export const sayOr = (code, word) => (knows(code) ? say(code) : word);

/** Why something was refused; for a code that this page does not know, a sentence that names it.
 *  @param {{ code: string, params: Record<string, string | number> }} refusal */
export const sayRefusal = ({ code, params }) => say(knows(`error.${code}`) ? `error.${code}` : 'error.other', { ...params, code });

/** @param {Problem} problem */
export function sayProblem(problem) {
  switch (problem.kind) {
    case 'refused': return sayRefusal(problem);
    case 'detached': return sayOr(`detached.${problem.reason}`, say('detached.other'));
    case 'bad_code': return say('error.bad_code');
    case 'no_server': return say('error.no_server');
  }
}

/** Seconds as a clock shows them, "0:18". @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
