/** What a view means for the person who looks at it: roles, the sentence, the buttons. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { byCard, nameOf, placeOf, wouldLose } from '../../../../clients/web/core/view.js';
import { controlsOf, roleOf, seatsAround, situationOf, sortedHand } from '../../../../clients/web/table/situation.js';
import { game, view } from './given.js';

/** @import * as wire from '../../../../clients/web/core/wire.js' */

/** As Boris (seat 1) sees it. @param {Partial<wire.GameView>} inGame @param {Partial<wire.TableView>} [changes] */
const boris = (inGame, changes) => view({ legal: [], hand: ['7C'], ...inGame }, { you: { chair: 1, seat: 1, auto_pass: false, can: ['leave'] }, ...changes });
/** As the attacker (seat 2) sees it. @param {Partial<wire.GameView>} inGame @param {Partial<wire.TableView>} [changes] */
const attacker = (inGame, changes) => view({ legal: [], hand: ['7C'], ...inGame }, { you: { chair: 2, seat: 2, auto_pass: false, can: ['leave'] }, ...changes });
/** @type {wire.ClockView} */
const CLOSING = { kind: 'closing', ms: 900, total_ms: 1_000, seats: [] };
const BEATEN = [{ attack: '8H', by: 2, beaten: '9H' }];

test('a hand lies with its trumps left, then by rank', () => {
  assert.deepEqual(sortedHand(['QS', 'JC', '9H', '6C', '6S', '10D'], 'D'), ['10D', '6S', '6C', '9H', 'JC', 'QS']);
  assert.deepEqual(sortedHand(['AD', '6D', '6H'], 'D'), ['6D', 'AD', '6H']);
});

test('the others sit clockwise from my left; who looks on sees all', () => {
  assert.deepEqual(seatsAround(boris({})), [2, 0]);
  assert.deepEqual(seatsAround(view({}, { you: { chair: null, seat: null, auto_pass: false, can: [] } })), [0, 1, 2]);
  assert.deepEqual(seatsAround(view(null)), []);
});

test('a place counts those who went out before', () => {
  assert.deepEqual([0, 1, 2].map((seat) => placeOf(game({ out: [[2], [0, 1]] }), seat)), [2, 2, 1]);
  assert.equal(placeOf(game(), 0), null);
});

test('a seat without a chair has a number for a name', () => {
  assert.deepEqual([nameOf(view(), 1), nameOf(view(), 4), nameOf(view(), null)], ['Boris', '#5', '#1']);
});

test('the actions of a card are together', () => {
  assert.deepEqual([...byCard(view()).entries()].map(([card, actions]) => [card, actions.length]), [['10D', 2], ['9H', 1], ['QS', 1]]);
});

test('leaving costs a game only while one is in it', () => {
  assert.equal(wouldLose(view()), true);
  for (const safe of [null, view(null), view({ out: [[0]] }), view({}, { status: 'finished' }), view({}, { you: { chair: 0, seat: 0, auto_pass: false, can: ['join'] } })]) {
    assert.equal(wouldLose(safe), false);
  }
});

test('roles', () => {
  assert.deepEqual([0, 1, 2].map((seat) => roleOf(view(), seat)), ['defends', 'adds', 'attacks']);
  assert.equal(roleOf(view({ throwers: [2] }), 1), 'waits');
  assert.equal(roleOf(view({ taking: true }), 0), 'takes');
  assert.equal(roleOf(view({ passed: [2] }), 2), 'passed');
  assert.equal(roleOf(view({ out: [[1]] }), 1), 'out');
  assert.equal(roleOf(view({ phase: 'lead', table: [] }), 1), 'waits');
  const chairs = view().chairs.map((chair) => ({ ...chair, left: chair.seat === 1 }));
  assert.equal(roleOf(view({}, { chairs }), 1), 'left');
  assert.equal(roleOf(view({}, { chairs: view().chairs.map((chair) => ({ ...chair, away: true })) }), 1), 'away');
});

describe('the sentence', () => {
  /** @type {[string, wire.TableView, string][]} */
  const cases = [
    ['nothing yet', view(null), 'status.loading'],
    ['my lead', attacker({ phase: 'lead', table: [] }), 'status.lead'],
    ['my lead with the lowest trump', attacker({ phase: 'lead', table: [], opening_trump: { seat: 2, card: '6D' } }), 'status.lead_lowest'],
    ['another leads', boris({ phase: 'lead', table: [] }), 'status.leads'],
    ['another leads against me', view({ phase: 'lead', table: [], legal: [] }), 'status.leads_to_you'],
    ['I defend', view(), 'status.beat'],
    ['nothing of mine beats it', view({ legal: [{ act: 'take' }] }), 'status.beat_none'],
    ['I have beaten everything', view({ table: BEATEN, legal: [] }), 'status.beaten'],
    ['I have beaten everything and the bout closes', view({ table: BEATEN, legal: [] }, { clock: CLOSING }), 'status.beaten_closing'],
    ['I take', view({ taking: true, legal: [] }), 'status.taking'],
    ['I take and the bout closes', view({ taking: true, legal: [] }, { clock: CLOSING }), 'status.taking_closing'],
    ['I may add to open cards', boris({ legal: [{ act: 'throw', card: '8C' }, { act: 'pass' }] }), 'status.open_add'],
    ['I have nothing to add to open cards', boris({ legal: [{ act: 'pass' }] }), 'status.open_nothing'],
    ['I may add to beaten cards', attacker({ table: BEATEN, legal: [{ act: 'throw', card: '8C' }, { act: 'pass' }] }), 'status.beaten_add'],
    ['I may add to a take', boris({ taking: true, legal: [{ act: 'throw', card: '8C' }] }), 'status.takes_add'],
    ['I have passed', boris({ passed: [1] }), 'status.open_passed'],
    ['I attack and can only wait', attacker({}), 'status.open_wait'],
    ['I attack and the bout closes', attacker({}, { clock: CLOSING }), 'status.open_closing'],
    ['I decide', view({ phase: 'decide', table: BEATEN, legal: [] }), 'status.decide'],
    ['the defender decides', boris({ phase: 'decide', table: BEATEN }), 'status.decides'],
    ['a redeal is offered to me', view({ phase: 'redeal', attacker: null, defender: null, legal: [{ act: 'redeal' }, { act: 'keep' }] }), 'status.redeal'],
    ['a redeal is offered to another', view({ phase: 'redeal', attacker: null, defender: null, legal: [] }), 'status.offer'],
    ['I am out', view({ out: [[0]] }), 'status.out'],
    ['I have left', view({}, { chairs: view().chairs.map((chair) => ({ ...chair, left: true })) }), 'status.left'],
    ['the game is over', view({ phase: 'over', legal: [] }), 'status.over'],
    ['I look on', view({}, { you: { chair: null, seat: null, auto_pass: false, can: [] } }), 'status.open_wait'],
  ];
  for (const [name, seen, code] of cases) test(name, () => assert.equal(situationOf(seen).code, code));
});

describe('the buttons', () => {
  /** @param {wire.TableView} seen */
  const buttons = (seen) => controlsOf(seen).map(({ action, code, key }) => [action.act, code, key]);

  test('are those of the legal actions without a card', () => {
    assert.deepEqual(buttons(view()), [['take', 'act.take', 'T']]);
    assert.deepEqual(controlsOf(view({ table: BEATEN.concat([{ attack: '8S', by: 2, beaten: '9S' }]), legal: [{ act: 'take' }] }))[0].params, { cards: 4 });
    assert.deepEqual(buttons(view({ legal: [{ act: 'finish' }, { act: 'forfeit' }] })), [['finish', 'act.finish', 'F'], ['forfeit', 'act.forfeit', null]]);
    assert.deepEqual(buttons(view({ legal: [{ act: 'redeal' }, { act: 'keep' }] })), [['redeal', 'act.redeal', null], ['keep', 'act.keep', null]]);
    assert.deepEqual(buttons(view(null)), []);
  });

  test('the attacker finishes the bout where all is beaten, else passes', () => {
    assert.deepEqual(buttons(attacker({ table: BEATEN, legal: [{ act: 'pass' }] })), [['pass', 'act.finish_bout', 'F']]);
    assert.deepEqual(buttons(attacker({ legal: [{ act: 'pass' }] })), [['pass', 'act.pass', 'P']]);
    assert.deepEqual(buttons(attacker({ table: BEATEN, taking: true, legal: [{ act: 'pass' }] })), [['pass', 'act.pass', 'P']]);
    assert.deepEqual(buttons(boris({ table: BEATEN, legal: [{ act: 'pass' }] })), [['pass', 'act.pass', 'P']]);
  });

  test('a seat that a bot plays has none', () => {
    assert.deepEqual(buttons(view({}, { chairs: view().chairs.map((chair) => ({ ...chair, left: true })) })), []);
  });
});
