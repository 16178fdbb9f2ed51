/**
 * Sentences with gaps, and how they are filled: as clients/words/filling.py does, which lists the gaps. What vectors.json of the
 * tests says of them holds for both.
 *
 * @typedef {Record<string, any>} Params
 * @typedef {(key: string, params?: Params) => string} Fill
 * @typedef {(string | Gap)[]} Sentence
 * @typedef {{ kind: 'value', name: string }
 *   | { kind: 'count', name: string, forms: Sentence[] }
 *   | { kind: 'choice', name: string, above: number | null, then: Sentence, otherwise: Sentence }
 *   | { kind: 'list', name: string, joint: string, first: string | undefined, further: string | undefined }
 *   | { kind: 'phrase', name: string, key: string }
 *   | { kind: 'term', name: string, term: string }} Gap
 */

const GAP = /([A-Za-z_]+)(?:>([0-9]+))?([:?}])/y;
const KEY = /^[a-z_]+(\.([A-Za-z0-9_]+|\*))+$/;
const TERMS = ['ordinal', 'seconds', 'rank', 'suit'];
const JOINTS = ['list', 'and', 'or'];
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** A sentence that cannot be read. */
export class BadSentence extends Error {}

/** A key or a parameter that is missing. */
export class Missing extends Error {}

/**
 * The parts of a sentence. Throws `BadSentence`.
 * @param {string} text
 * @returns {Sentence}
 */
export function readSentence(text) {
  return sentenceAt(text, 0, false)[0];
}

/**
 * The parts from here to the end, or `inside` a gap to its next `|` or `}`, and where that is.
 * @param {string} text @param {number} start @param {boolean} inside
 * @returns {[Sentence, number]}
 */
function sentenceAt(text, start, inside) {
  /** @type {Sentence} */
  const parts = [];
  for (;;) {
    let end = start;
    while (end < text.length && !(inside ? '{}|' : '{}').includes(text[end])) end++;
    if (end > start) parts.push(text.slice(start, end));
    if (end === text.length && inside) throw new BadSentence(`a gap is not closed: ${text}`);
    if (end === text.length || (inside && text[end] !== '{')) return [parts, end];
    if (text[end] === '}') throw new BadSentence(`no gap is open at ${end}: ${text}`);
    const [gap, next] = gapAt(text, end + 1);
    parts.push(gap);
    start = next;
  }
}

/**
 * The gap whose name begins here, and where the text goes on behind it.
 * @param {string} text @param {number} start
 * @returns {[Gap, number]}
 */
function gapAt(text, start) {
  GAP.lastIndex = start;
  const found = GAP.exec(text);
  if (!found || (found[2] !== undefined && found[3] !== '?')) throw new BadSentence(`no gap begins so at ${start}: ${text}`);
  const name = found[1];
  let at = GAP.lastIndex;
  if (found[3] === '}') return [{ kind: 'value', name }, at];
  /** @type {Sentence[]} */
  const forms = [];
  do {
    const [form, end] = sentenceAt(text, at, true);
    forms.push(form);
    at = end + 1;
  } while (text[at - 1] === '|');
  if (found[3] === '?') {
    if (forms.length > 2) throw new BadSentence(`a choice is between two, at ${start}: ${text}`);
    return [{ kind: 'choice', name, above: found[2] === undefined ? null : Number(found[2]), then: forms[0], otherwise: forms[1] ?? [] }, at];
  }
  if (forms.length > 1) return [{ kind: 'count', name, forms }, at];
  const gap = worded(name, forms[0]);
  if (!gap) throw new BadSentence(`nothing is known by the words at ${start}: ${text}`);
  return [gap, at];
}

/**
 * The gap that these words behind the colon stand for.
 * @param {string} name @param {Sentence} words
 * @returns {Gap | null}
 */
function worded(name, words) {
  if (words.length !== 1 || typeof words[0] !== 'string') return null;
  const [word, ...keys] = words[0].split(' ');
  if (!keys.every((key) => KEY.test(key))) return null;
  if (JOINTS.includes(word) && keys.length <= 2) return { kind: 'list', name, joint: word, first: keys[0], further: keys.at(-1) };
  if (keys.length) return null;
  if (TERMS.includes(word)) return { kind: 'term', name, term: word };
  return KEY.test(word) ? { kind: 'phrase', name, key: word } : null;
}

/** @param {unknown} value */
const numberOf = (value) => (Array.isArray(value) ? value.length : Number(value));
/** @param {unknown} value */
const holds = (value) => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/**
 * Fills the sentences of one language.
 * @param {string} language an ISO code
 * @param {Record<string, string>} sentences
 * @returns {Fill} throws `Missing`, `BadSentence`
 */
export function filler(language, sentences) {
  const plurals = new Intl.PluralRules(language);
  const ordinals = new Intl.PluralRules(language, { type: 'ordinal' });
  const forms = CATEGORIES.filter((category) => plurals.resolvedOptions().pluralCategories.some((own) => own === category));
  /** @type {Map<string, Sentence>} */
  const read = new Map();

  /** @param {string} key @param {Params} params @returns {string} */
  function say(key, params) {
    let sentence = read.get(key);
    if (!sentence) {
      if (!Object.hasOwn(sentences, key)) throw new Missing(key);
      sentence = readSentence(sentences[key]);
      read.set(key, sentence);
    }
    return filled(sentence, params);
  }

  /** @param {Sentence} sentence @param {Params} params @returns {string} */
  const filled = (sentence, params) => sentence.map((part) => (typeof part === 'string' ? part : gapText(part, params))).join('');

  /** @param {Gap} gap @param {Params} params @returns {string} */
  function gapText(gap, params) {
    if (gap.kind === 'choice') {
      const value = params[gap.name];
      const chosen = holds(value) && (gap.above === null || numberOf(value) > gap.above);
      return filled(chosen ? gap.then : gap.otherwise, params);
    }
    if (!Object.hasOwn(params, gap.name)) throw new Missing(gap.name);
    const value = params[gap.name];
    switch (gap.kind) {
      case 'value':
        return String(value);
      case 'count': {
        const number = numberOf(value);
        const form = Math.min(forms.indexOf(plurals.select(number)), gap.forms.length - 1);
        return `${number} ${filled(gap.forms[form], params)}`;
      }
      case 'list': {
        const values = /** @type {unknown[]} */ (value);
        return several(
          values.map((one, index) => {
            const key = index ? gap.further : gap.first;
            return key === undefined ? String(one) : phrase(key, one);
          }),
          gap.joint,
        );
      }
      case 'phrase':
        return phrase(gap.key, value);
      case 'term':
        return term(gap.term, value);
    }
  }

  /** @param {string[]} values @param {string} joint */
  function several(values, joint) {
    if (joint === 'list' || values.length < 2) return values.join(', ');
    return say(joint, { first: values.slice(0, -1).join(', '), last: values.at(-1) });
  }

  /** @param {string} key @param {unknown} value */
  function phrase(key, value) {
    if (!key.includes('*')) return say(key, { it: value });
    const own = key.replace('*', String(value));
    return Object.hasOwn(sentences, own) ? say(own, { it: value }) : String(value);
  }

  /** @param {string} term @param {unknown} value */
  function term(term, value) {
    switch (term) {
      case 'ordinal':
        return say(`ordinal.${ordinals.select(numberOf(value))}`, { it: value });
      case 'seconds':
        return String(numberOf(value) / 1000);
      case 'rank':
        return phrase('rank.*', String(value).slice(0, -1));
      default:
        return phrase('suit.*', String(value).slice(-1));
    }
  }

  return (key, params = {}) => say(key, params);
}
