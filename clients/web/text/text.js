/**
 * Everything the page says: whole sentences by code, in one language at a time.
 *
 * A language is a file of clients/words, which the terminal reads too; in it the page has a section of its own beside what is shared.
 *
 * @import { Problem } from '../core/state.js'
 * @import { Fill, Params } from './fill.js'
 * @typedef {{ code: string, name: string, shared: Record<string, string>, page: Record<string, string> }} Language
 */

import { filler } from './fill.js';

let code = '';
/** @type {Record<string, string>} */
let sentences = {};
/** @type {Fill} */
let fill = filler('en', sentences);

/** Speak this language from now on. @param {Language} language */
export function speak(language) {
  code = language.code;
  sentences = { ...language.shared, ...language.page };
  fill = filler(code, sentences);
}

/** The language now, an ISO code. */
export const language = () => code;

/** @param {string} code */
const knows = (code) => Object.hasOwn(sentences, code);

/** The sentence for a code; the code itself if there is none. @param {string} code @param {Params} [params] */
export const say = (code, params) => (knows(code) ? fill(code, params) : code);

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
    case 'detached': return sayOr(`detached.${problem.reason}`, say('detached.closed'));
    case 'bad_code': return say('error.bad_code');
    case 'no_server': return say('error.no_server');
  }
}

/** Seconds as a clock shows them, "0:18". @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
