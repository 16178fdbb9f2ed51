/**
 * A server newer than the page: what the page does with what it does not know. It never throws, and the game goes on.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { messageIn } from '../../../../clients/web/core/link.js';
import { changesOf } from '../../../../clients/web/core/presets.js';
import { clockKindOf, isOutdated, legalOf, phaseOf, wouldLose } from '../../../../clients/web/core/view.js';
import { screenOf } from '../../../../clients/web/screens/screens.js';
import { controlsOf, situationOf } from '../../../../clients/web/table/situation.js';
import { sentencesFor } from '../../../../clients/web/text/said.js';
import { sayProblem, sayRefusal } from '../../../../clients/web/text/text.js';
import { after, at, attached, game, having, newer, page, text, updated, view } from './given.js';

/** @import { State } from '../../../../clients/web/core/state.js' */

/** The screen of a state, described. @param {State} state */
const drawn = (state) => screenOf(state).render(state, () => {});

/** What can be pressed in the hand and among the buttons. @param {State} state */
function pressable(state) {
  const screen = drawn(state);
  const on = [...having(screen, 'data-card'), ...having(screen, 'data-act')].filter(({ tag, attributes }) => tag === 'button' && !attributes['aria-disabled']);
  return on.map(({ attributes }) => attributes['data-card'] ?? attributes['data-act']);
}

describe('a message', () => {
  test('of an unknown kind is passed over', () => {
    const state = at(view());
    assert.deepEqual(after(state, { type: 'heard', at: 0, message: newer({ t: 'weather', rain: true }) }), { state, effects: [] });
  });

  test('that is none is passed over', () => {
    for (const frame of ['', 'null', '7', '[]', '{"t":7}', 'no json', '{"x":1}']) assert.equal(messageIn(frame), null, frame);
    assert.deepEqual(messageIn('{"t":"heartbeat","mood":"good"}'), { t: 'heartbeat', mood: 'good' });
  });

  test('may have fields that are not known', () => {
    const { state } = after(at(view()), { type: 'heard', at: 0, message: newer({ t: 'update', seq: 11, events: [], view: { ...view({ stock: 1 }), moon: 'full' }, tide: 3 }) });
    assert.equal(state.view?.game?.stock, 1);
    assert.deepEqual(pressable(state), ['10D', '9H', 'QS', 'take']);
  });
});

test('an event of an unknown kind is skipped, and its number counts', () => {
  const events = [newer({ event: 'swapped', seat: 1, card: '6D', cards: ['6D'] }), newer({ event: 'constructor' }), { event: 'took', seat: 1 }];
  const { state } = after(at(view()), updated(view(), /** @type {any[]} */ (events), 17));
  assert.equal(state.seq, 17);
  assert.deepEqual(sentencesFor(/** @type {any[]} */ (events), view()), ['Boris takes.']);
});

describe('a phase that is not known', () => {
  const strange = view({ phase: newer('transfer') });

  test('goes by the legal actions', () => {
    assert.equal(situationOf(strange).code, 'status.beat');
    assert.deepEqual(pressable(at(strange)), ['10D', '9H', 'QS', 'take']);
    const phase = (/** @type {Parameters<typeof game>} */ ...changes) => phaseOf(game({ phase: newer('transfer'), ...changes[0] }));
    assert.equal(phase({ legal: [{ act: 'lead', card: '6S' }] }), 'lead');
    assert.deepEqual([phase({ legal: [{ act: 'finish' }] }), phase({ legal: [{ act: 'forfeit' }] })], ['decide', 'decide']);
    assert.equal(phase({ attacker: null, legal: [] }), 'redeal');
    assert.equal(phase({ result: { places: [], durak: null, draw: true, forfeits: [], giver: null } }), 'over');
    assert.equal(phase({ legal: [] }), 'bout');
  });

  test('without anything to do leaves the way out', () => {
    const state = at(view({ phase: newer('transfer'), legal: [] }));
    assert.deepEqual(pressable(state), []);
    assert.match(text(drawn(state)), /The game goes on in a way that this page does not know\./);
    assert.match(text(drawn(state)), /Leave/);
  });

  test('is called so for somebody who looks on', () => {
    const watched = view({ phase: newer('transfer'), hand: null, legal: [] }, { you: { chair: null, seat: null, auto_pass: false, can: [] } });
    assert.equal(situationOf(watched).code, 'status.unknown');
    assert.ok(drawn(at(watched)));
  });
});

describe('an action that is not known', () => {
  const transfer = newer({ act: 'transfer', card: '6S' });

  test('is not offered, others are', () => {
    const state = at(view({ legal: [/** @type {any} */ (transfer), { act: 'take' }] }));
    assert.deepEqual(pressable(state), ['take']);
  });

  test('alone asks for a newer page', () => {
    const seen = view({ legal: [/** @type {any} */ (transfer), newer({ act: 'toString' })] });
    assert.ok(isOutdated(seen));
    assert.deepEqual([legalOf(seen), controlsOf(seen)], [[], []]);
    assert.equal(situationOf(seen).code, 'status.outdated');
    assert.match(text(drawn(at(seen))), /too old for what you may do now\. Reload it\./);
    assert.deepEqual(pressable(at(seen)), ['reload']);
  });
});

test('a status that is not known is that of a game: none, running, or with its result', () => {
  const result = { places: [[1], [2], [0]], durak: 0, draw: false, forfeits: [], giver: null };
  assert.equal(drawn(at(view({ phase: 'over', result }, { status: newer('adjourned') }))).attributes['data-screen'], 'result');
  assert.equal(wouldLose(view({}, { status: newer('paused') })), true);
  const paused = at(view({}, { status: newer('paused') }));
  assert.equal(drawn(paused).attributes.class, 'table');
  assert.deepEqual(pressable(paused), ['10D', '9H', 'QS', 'take']);
  assert.equal(drawn(at(view(null, { status: newer('planned') }))).attributes['data-screen'], 'lobby');
  assert.equal(drawn(at(view({ result: null }, { status: 'finished' }))).attributes.class, 'table', 'finished without a result');
});

test('a clock of an unknown kind runs', () => {
  const state = at(view({}, { clock: { kind: newer('daily'), ms: 5_000, total_ms: 9_000, seats: [0] } }));
  assert.equal(state.deadline, 6_000);
  const kind = (/** @type {number[]} */ seats) => clockKindOf({ kind: newer('daily'), ms: 1, total_ms: 1, seats });
  assert.deepEqual([kind([0]), kind([])], ['turn', 'window']);
  assert.deepEqual(pressable(state), ['10D', '9H', 'QS', 'take']);
});

test('a chair of an unknown kind is shown by its name, a level that is not known not at all', () => {
  const chairs = view().chairs.map((chair, i) => ({ ...chair, kind: newer('crowd'), level: i ? newer('master') : null }));
  const lobby = drawn(at(view(null, { chairs: /** @type {any[]} */ (chairs), you: { chair: 0, seat: null, auto_pass: false, can: ['dismiss', 'start', 'fly'] } })));
  assert.match(text(lobby), /Boris/);
  assert.doesNotMatch(text(lobby), /master/);
  assert.deepEqual(having(lobby, 'data-act', 'dismiss'), []);
  assert.equal(having(lobby, 'data-act', 'start').length, 1);
});

test('a variant and options that are not known are shown as the server names them', () => {
  const rules = /** @type {any} */ ({ ...view().rules, preset: 'siberian', throw_in: 'neighbours', pack: 52 });
  assert.ok(!('pack' in changesOf(rules)));
  const lobby = text(drawn(at(view(null, { rules }))));
  assert.match(lobby, /siberian/);
  assert.match(lobby, /neighbours/);
  assert.ok(!/option\.|preset\.|undefined/.test(lobby), lobby);
});

test('a reason to be sent away and a refusal that are not known have sentences', () => {
  const sent = after(at(view()), { type: 'heard', at: 0, message: { t: 'detached', table: 'ABC123', reason: newer('maintenance') } }).state;
  assert.match(text(drawn(sent)), /The table was closed\./);
  assert.equal(sayProblem({ kind: 'refused', code: 'full_moon', params: {} }), 'The server refused that (full_moon).');
  assert.equal(sayRefusal({ code: 'constructor', params: {} }), 'The server refused that (constructor).');
  const home = after(page(), { type: 'play', name: 'Anna' }, { type: 'no_guest', code: 'teapot' }).state;
  assert.match(text(drawn(home)), /refused that \(teapot\)/);
});

test('a way of resuming that is not known is a new look at the table', () => {
  const { state, effects } = after(at(view()), attached(view({ stock: 1 }), { resumed: newer('sideways'), seq: 20, missed: [{ seq: 20, events: [{ event: 'took', seat: 1 }] }] }));
  assert.deepEqual([state.view?.game?.stock, state.seq, effects], [1, 20, []]);
});

test('cards of another pack lie there and can be played', () => {
  const seen = view({ hand: ['2S', '9H'], trump: newer('X'), legal: [{ act: 'beat', card: '2S', target: '8H' }] });
  assert.deepEqual(pressable(at(seen)), ['2S']);
});
