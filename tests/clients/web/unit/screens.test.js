/** The screens: which is shown, what it describes, and what pressing it means. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { banner } from '../../../../clients/web/screens/banner.js';
import { readCode } from '../../../../clients/web/screens/home.js';
import { screenOf } from '../../../../clients/web/screens/screens.js';
import { GUEST, after, at, having, page, text, view } from './given.js';

/** @import { Input, State } from '../../../../clients/web/core/state.js' */

/** A screen, and what has been wanted by pressing it. @param {State} state */
function shown(state) {
  /** @type {Input[]} */
  const wanted = [];
  return { screen: screenOf(state).render(state, (input) => wanted.push(input)), wanted };
}

const name = (/** @type {State} */ state) => shown(state).screen.attributes['data-screen'] ?? 'table';

const RESULT = { places: [[1], [2], [0]], durak: 0, draw: false, forfeits: [], giver: null };
const over = view({ phase: 'over', table: [], legal: [], result: RESULT }, { status: 'finished', games: 1, you: { chair: 0, seat: 0, auto_pass: false, can: ['leave', 'rematch'] } });

test('each state has its screen', () => {
  assert.equal(name(page()), 'home');
  assert.equal(name(after(page(), { type: 'to_create', name: 'Anna' }).state), 'create');
  assert.equal(name(after(page(), { type: 'address', code: 'ABC123', guest: null }).state), 'door');
  assert.equal(name(after(page(), { type: 'address', code: 'ABC123', guest: GUEST }).state), 'loading');
  assert.equal(name(at(view(null))), 'lobby');
  assert.equal(name(at(view())), 'table');
  assert.equal(name(at(over)), 'result');
  assert.equal(name({ ...at(over), lingers: true }), 'table');
});

describe('my hand', () => {
  /** @param {State} state */
  const cards = (state) => having(shown(state).screen, 'data-card').filter(({ tag }) => tag === 'button');

  test('lies in order; what is legal can be pressed, the rest only read', () => {
    const hand = cards(at(view()));
    assert.deepEqual(hand.map(({ attributes }) => attributes['data-card']), ['10D', '6S', '6C', '9H', 'JC', 'QS']);
    assert.deepEqual(hand.filter(({ attributes }) => !attributes['aria-disabled']).map(({ attributes }) => attributes['data-card']), ['10D', '9H', 'QS']);
    assert.equal(hand[0].attributes['aria-label'], 'ten of diamonds, trump, playable');
    assert.equal(hand[1].attributes['aria-label'], 'six of spades, not playable now');
  });

  test('has one tab stop: where it was, else the first card that can be played', () => {
    const stop = (/** @type {State} */ state) => cards(state).filter(({ attributes }) => attributes.tabindex === 0).map(({ attributes }) => attributes['data-card']);
    assert.deepEqual(stop(at(view())), ['10D']);
    assert.deepEqual(stop({ ...at(view()), cursor: 'JC' }), ['JC']);
    assert.deepEqual(stop({ ...at(view()), cursor: 'AS' }), ['10D']);
    assert.deepEqual(stop(at(view({ legal: [] }))), ['10D']);
  });

  test('a press sends nothing but the press, of a legal card alone', () => {
    const { screen, wanted } = shown(at(view()));
    for (const card of ['6S', '9H']) having(screen, 'data-card', card).find(({ tag }) => tag === 'button')?.attributes.on.click({ detail: 1, currentTarget: { dataset: {} } });
    assert.deepEqual(wanted, [{ type: 'press', card: '9H', byKey: false }]);
  });

  test('what is sent lies as sent, and without a connection nothing can be pressed', () => {
    const played = after(at(view()), { type: 'press', card: '9H', byKey: false }).state;
    assert.equal(cards(played).find(({ attributes }) => attributes['data-card'] === '9H')?.attributes.class, 'card sent');
    const lost = after(at(view()), { type: 'link', status: 'lost', code: null }).state;
    assert.ok(cards(lost).every(({ attributes }) => attributes['aria-disabled']));
    assert.match(text(banner(lost, () => {})), /Connection lost/);
  });
});

describe('the felt', () => {
  test('a picked card turns what it beats into buttons, but not what another card was sent against', () => {
    const targets = (/** @type {State} */ state) => having(shown(state).screen, 'class', 'card attack target').map(({ attributes }) => attributes['aria-label']);
    const picked = after(at(view()), { type: 'press', card: '10D', byKey: false }).state;
    assert.deepEqual(targets(picked), ['Beat eight of hearts with ten of diamonds', 'Beat eight of spades with ten of diamonds']);
    const claimed = after(at(view()), { type: 'press', card: '9H', byKey: false }, { type: 'press', card: '10D', byKey: false }).state;
    assert.deepEqual(targets(claimed), ['Beat eight of spades with ten of diamonds']);
    assert.deepEqual(targets(at(view())), []);
  });

  test('shows the afterglow until there are new cards', () => {
    const glow = [{ attack: '7H', by: 2, beaten: 'JH' }];
    const lying = (/** @type {State} */ state) => having(shown(state).screen, 'class', 'card attack').map(({ attributes }) => attributes['data-card']);
    assert.deepEqual(lying({ ...at(view({ table: [] })), afterglow: glow }), ['7H']);
    assert.deepEqual(lying({ ...at(view()), afterglow: glow }), ['8H', '8S']);
  });
});

test('the switch to pass by itself is there where the server offers it and there is a pass', () => {
  const offered = (/** @type {Parameters<typeof view>} */ ...seen) => having(shown(at(view(...seen))).screen, 'data-act', 'auto_pass').length;
  const you = { chair: 1, seat: 1, auto_pass: false, can: ['leave', 'auto_pass'] };
  assert.equal(offered({}, { you }), 1);
  assert.equal(offered({}, { you: { ...you, can: ['leave'] } }), 0);
  assert.equal(offered({}), 0, 'the defender passes nothing');
  assert.equal(offered({ phase: 'lead', table: [] }, { you }), 0);
});

test('the host fills the table with bots of the chosen level', () => {
  const alone = view(null, { chairs: view().chairs.slice(0, 1), you: { chair: 0, seat: null, auto_pass: false, can: ['leave', 'fill'] } });
  const { screen, wanted } = shown({ ...at(alone), level: 'hard' });
  having(screen, 'data-act', 'fill')[0].attributes.on.click();
  assert.deepEqual(wanted, [{ type: 'command', command: { t: 'fill', bots: ['hard', 'hard'] } }]);
  assert.match(text(screen), /A game needs two players at least\./);
});

test('the invitation leads to the table', () => {
  const { screen, wanted } = shown(at(view(null)));
  assert.equal(having(screen, 'class', 'note invite-link')[0].attributes.href, 'https://durak.example/t/ABC123');
  having(screen, 'data-act', 'copy')[0].attributes.on.click();
  assert.deepEqual(wanted, [{ type: 'copy', text: 'https://durak.example/t/ABC123' }]);
});

test('the result tells the order, and a rematch is voted for once', () => {
  const { screen, wanted } = shown(at(over));
  assert.deepEqual(having(screen, 'data-place').map(({ attributes }) => [attributes['data-place'], attributes['data-seat']]), [[1, 1], [2, 2], [3, 0]]);
  assert.match(text(screen), /The durak is you,\s+Anna/);
  having(screen, 'data-act', 'rematch')[0].attributes.on.click();
  assert.deepEqual(wanted, [{ type: 'command', command: { t: 'rematch' } }]);
  const voted = shown(at({ ...over, you: { ...over.you, can: ['leave'] } }));
  having(voted.screen, 'data-act', 'rematch')[0].attributes.on.click();
  assert.deepEqual(voted.wanted, []);
});

test('home plays under the name in the field, or as a guest', () => {
  const play = (/** @type {string} */ typed) => {
    const { screen, wanted } = shown({ ...page(), name: typed });
    having(screen, 'class', 'button primary tall wide')[0].attributes.on.click();
    return wanted;
  };
  assert.deepEqual(play('  Anna   Maria '), [{ type: 'play', name: 'Anna Maria' }]);
  assert.deepEqual(play('   '), [{ type: 'play', name: 'Guest' }]);
});

test('a code may be typed as people type', () => {
  assert.equal(readCode(' abc-12o '), 'ABC120');
  assert.equal(readCode('il1lO0'), '111100');
  assert.equal(readCode('ABC'), null);
  assert.equal(readCode('ABCDEU'), null);
});
