/** What is said: sentences by code, of events, and of what cannot be done. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { sentencesFor } from '../../../../clients/web/text/said.js';
import { clockText, language, say, sayOr, sayProblem, sayRefusal } from '../../../../clients/web/text/text.js';
import { view } from './given.js';

test('a code has its sentence, with its parameters', () => {
  assert.equal(language(), 'en');
  assert.equal(say('act.pass'), 'Pass');
  assert.equal(say('act.take', { cards: 1 }), 'Take 1 card');
  assert.equal(say('act.take', { cards: 3 }), 'Take 3 cards');
  assert.equal(sayOr('level.hard', 'hard'), 'Hard bot');
  assert.equal(sayOr('level.toString', 'toString'), 'toString');
});

test('why something cannot be done', () => {
  assert.equal(sayRefusal({ code: 'table_full', params: {} }), 'The table is full.');
  assert.equal(sayProblem({ kind: 'refused', code: 'no_such_table', params: {} }), 'There is no such table.');
  assert.equal(sayProblem({ kind: 'detached', reason: 'closed' }), 'The table was closed.');
  assert.equal(sayProblem({ kind: 'bad_code' }), 'A table code has six letters and digits.');
  assert.equal(sayProblem({ kind: 'no_server' }), 'The server does not answer. Try again in a moment.');
});

test('a clock shows the seconds that are begun', () => {
  assert.deepEqual([18_000, 17_001, 60_000, 0, -5].map(clockText), ['0:18', '0:18', '1:00', '0:00', '0:00']);
});

test('of what others do one hears, of what I do not', () => {
  assert.deepEqual(sentencesFor([
    { event: 'dealt', hand: null, counts: [6, 6, 6], trump: 'D', trump_card: '7D', again: false },
    { event: 'led', seat: 2, card: '8H' },
    { event: 'beaten', seat: 0, target: '8H', card: '9H' },
    { event: 'threw_in', seat: 1, card: '8C' },
    { event: 'took', seat: 1 },
    { event: 'passed', seat: 2 },
    { event: 'deciding', seat: 0 },
    { event: 'bout_ended', outcome: 'beaten', seat: 0, cards: [] },
    { event: 'bout_ended', outcome: 'taken', seat: 0, cards: ['8H', '9H'] },
    { event: 'bout_ended', outcome: 'taken', seat: 1, cards: ['8H'] },
    { event: 'drew', seat: 0, count: 1, cards: ['AS'] },
    { event: 'drew', seat: 1, count: 2, cards: null },
    { event: 'went_out', seats: [0, 1] },
    { event: 'timed_out', seat: 0 },
    { event: 'timed_out', seat: 1 },
    { event: 'sat', chair: 4, name: 'Vera', kind: 'person' },
    { event: 'went_away', chair: 1 },
    { event: 'came_back', chair: 0 },
    { event: 'voided' },
  ], view()), [
    'Cards are dealt. Trump: seven of diamonds.', 'Normal bot leads the eight of hearts.', 'Boris adds the eight of clubs.', 'Boris takes.', 'Normal bot passes.',
    'The cards are discarded.', 'You take 2 cards.', 'Boris takes 1 card.', 'You draw the ace of spades.', 'You go out. Boris goes out.',
    'Your time has run out.', 'Boris has run out of time.', 'Vera takes a seat.', 'Boris is away.', 'The operator has ended the game. It does not count.',
  ]);
});
