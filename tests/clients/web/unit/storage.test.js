/** What the browser has kept: any name is possible, and what is damaged does no harm. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { forgetGuest, guestNamed, knownGuest, lastName, NameRefused, rememberName, tidyName } from '../../../../clients/web/core/guests.js';
import { keepSettings, keptSettings } from '../../../../clients/web/core/settings.js';

const ROOT = new URL('https://durak.example/');
/** @type {Map<string, string>} */
let kept;
/** @type {unknown[]} */
let asked;

/** A server that answers so to whoever asks for a guest. @param {number} status @param {unknown} body */
function answering(status, body) {
  asked = [];
  globalThis.fetch = async (_, options) => {
    asked.push(JSON.parse(String(options?.body)));
    return new Response(JSON.stringify(body), { status });
  };
}

beforeEach(() => {
  kept = new Map();
  const storage = { getItem: (/** @type {string} */ key) => kept.get(key) ?? null, setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value) };
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
  answering(200, { token: 'a token', player: 'guest:1' });
});

for (const name of ['Anna', 'constructor', '__proto__', 'toString', 'hasOwnProperty']) {
  test(`somebody called ${name} gets a token of their own, once`, async () => {
    assert.equal(knownGuest(name), null);
    const guest = { name, token: 'a token', player: 'guest:1' };
    assert.deepEqual(await guestNamed(ROOT, name), guest);
    assert.deepEqual(await guestNamed(ROOT, name), guest);
    assert.deepEqual(asked, [{ name }]);
    assert.deepEqual(knownGuest(name), guest);
    forgetGuest(name);
    assert.equal(knownGuest(name), null);
  });
}

test('guests do not disturb each other', async () => {
  await guestNamed(ROOT, '__proto__');
  await guestNamed(ROOT, 'Anna');
  forgetGuest('Anna');
  assert.equal(knownGuest('__proto__')?.token, 'a token');
  assert.equal(knownGuest('Anna'), null);
});

test('a refused name is told by its code', async () => {
  answering(400, { error: 'bad_name' });
  await assert.rejects(guestNamed(ROOT, ''), (error) => error instanceof NameRefused && error.code === 'bad_name');
  assert.equal(kept.size, 0);
});

for (const damaged of ['', 'null', '7', '"x"', '[]', '{', '{"Anna":null}', '{"Anna":{"token":7}}', '{"Anna":"x"}']) {
  test(`a damaged storage, ${damaged || 'empty'}, makes nobody unable to play`, async () => {
    for (const key of ['durak.name', 'durak.guests', 'durak.settings']) kept.set(key, damaged);
    assert.equal(typeof lastName(), 'string');
    assert.equal(knownGuest('Anna'), null);
    assert.deepEqual(keptSettings(), { theme: 'system', fourColour: false, singleKeys: true });
    assert.equal((await guestNamed(ROOT, 'Anna')).token, 'a token');
    assert.equal(knownGuest('Anna')?.token, 'a token');
  });
}

test('a browser that forbids storage plays all the same', async () => {
  Object.defineProperty(globalThis, 'localStorage', { get: () => { throw new Error('forbidden'); }, configurable: true });
  assert.equal(lastName(), '');
  rememberName('Anna');
  keepSettings(keptSettings());
  assert.equal((await guestNamed(ROOT, 'Anna')).token, 'a token');
});

test('settings and the name are found again', () => {
  keepSettings({ theme: 'light', fourColour: true, singleKeys: false });
  assert.deepEqual(keptSettings(), { theme: 'light', fourColour: true, singleKeys: false });
  kept.set('durak.settings', JSON.stringify({ theme: 'neon', fourColour: 1, extra: true }));
  assert.deepEqual(keptSettings(), { theme: 'system', fourColour: false, singleKeys: true });
  rememberName('Anna');
  assert.equal(lastName(), 'Anna');
  assert.equal(tidyName('  Anna \n Maria  '), 'Anna Maria');
});
