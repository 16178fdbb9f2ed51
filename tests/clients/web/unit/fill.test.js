/** Sentences with gaps: the vectors that Python's filling.py passes too. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { BadSentence, Missing, filler, readSentence } from '../../../../clients/web/text/fill.js';

/** @type {Record<string, { sentences: Record<string, string>, filled: [string, Record<string, unknown>, string][], missing: [string, Record<string, unknown>][], bad: string[] }>} */
const VECTORS = JSON.parse(readFileSync(new URL('../../words/vectors.json', import.meta.url), 'utf8'));
/** @type {{ shared: Record<string, string>, page: Record<string, string> }} */
const ENGLISH = JSON.parse(readFileSync(new URL('../../../../clients/words/en.json', import.meta.url), 'utf8'));

for (const [language, vectors] of Object.entries(VECTORS)) {
  /** @param {string} sentence @param {Record<string, unknown>} params */
  const fill = (sentence, params) => filler(language, { ...vectors.sentences, tested: sentence })('tested', params);

  for (const [sentence, params, text] of vectors.filled) {
    test(`${language}: ${sentence} of ${JSON.stringify(params)}`, () => {
      assert.equal(fill(sentence, params), text);
    });
  }
  for (const [sentence, params] of vectors.missing) {
    test(`${language}: ${sentence} of ${JSON.stringify(params)} is missing something`, () => {
      assert.throws(() => fill(sentence, params), Missing);
    });
  }
  for (const sentence of vectors.bad) {
    test(`${language}: ${sentence} is no sentence`, () => {
      assert.throws(() => readSentence(sentence), BadSentence);
    });
  }
}

test('every sentence of the page can be read', () => {
  for (const sentence of Object.values({ ...ENGLISH.shared, ...ENGLISH.page })) assert.ok(readSentence(sentence).length);
});

test('every code that the page says has its sentence', () => {
  const web = new URL('../../../../clients/web/', import.meta.url);
  const files = readdirSync(web, { recursive: true }).map(String).filter((name) => name.endsWith('.js'));
  const codes = files.flatMap((name) => [...readFileSync(new URL(name, web), 'utf8').matchAll(/\bsay\('([a-z_.]+)'/g)].map((match) => match[1]));
  assert.ok(codes.length > 100);
  assert.deepEqual(codes.filter((code) => !(code in ENGLISH.page) && !(code in ENGLISH.shared)), []);
});
