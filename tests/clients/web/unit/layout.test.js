/** Where cards lie: every card on the screen, with a strip that shows its rank and suit. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fanAngles, handAllowance, handRows, pairGrid } from '../../../../clients/web/table/layout.js';

const LEAST_STRIP = 24;
/** Width and height of the windows, less what is beside the hand. */
const WINDOWS = /** @type {const} */ ([[390, 844], [844, 390], [1280, 800], [320, 568]]);

for (const [width, height] of WINDOWS) {
  test(`hands of 1 to 25 cards at ${width} × ${height}: inside, with strips of ${LEAST_STRIP} px at least`, () => {
    for (let count = 1; count <= 25; count += 1) {
      const laid = handRows(count, width - 16, handAllowance(height), { trumps: Math.min(3, count) });
      assert.equal(laid.places.length, count);
      assert.equal(laid.rows.reduce((sum, row) => sum + row, 0), count);
      assert.ok(count === 1 || laid.strip >= LEAST_STRIP, `${count} cards: ${laid.strip}`);
      for (const { x, y } of laid.places) assert.ok(x >= 0 && x + laid.cardWidth <= width - 16 + 0.01 && y + laid.cardHeight <= laid.height + 0.01);
      assert.equal(laid.scrolls, laid.height > handAllowance(height));
    }
  });
}

test('33 cards at 390 × 844 need no scrolling', () => {
  const laid = handRows(33, 374, handAllowance(844), { trumps: 8 });
  assert.equal(laid.scrolls, false);
  assert.ok(laid.strip >= LEAST_STRIP);
});

test('what is too high scrolls', () => {
  assert.equal(handRows(33, 200, 120).scrolls, true);
});

test('a few cards are large and in one row, with a gap after the trumps', () => {
  const laid = handRows(3, 374, handAllowance(844), { trumps: 1 });
  assert.deepEqual([laid.cardWidth, laid.rows, laid.dense], [88, [3], false]);
  const [first, second, third] = laid.places.map(({ x }) => x);
  assert.equal(Math.round(second - first - (third - second)), 8);
});

test('no row is more than one card shorter than the first', () => {
  const { rows, dense } = handRows(25, 374, handAllowance(844));
  assert.ok(rows.length > 1 && dense);
  assert.ok(Math.max(...rows) - Math.min(...rows) <= 1);
});

test('an empty hand takes no places', () => {
  assert.deepEqual(handRows(0, 374, 200).places, []);
});

test('six pairs fit on the felt of a phone, in two rows', () => {
  const grid = pairGrid(6, 358, 300);
  assert.deepEqual([grid.columns, grid.rows], [3, 2]);
  assert.ok(grid.cardWidth >= 50 && grid.cardWidth <= 84);
  assert.equal(pairGrid(1, 358, 300).cardWidth, 84);
  assert.equal(pairGrid(0, 358, 300).columns, 1);
});

test('a fan is even about its middle and shows no more backs than asked for', () => {
  assert.deepEqual(fanAngles(1), [0]);
  assert.deepEqual(fanAngles(0), []);
  assert.deepEqual(fanAngles(3), [-10, 0, 10]);
  assert.equal(fanAngles(20).length, 7);
  assert.equal(fanAngles(20, 5).length, 5);
  assert.deepEqual([fanAngles(20)[0], fanAngles(20)[6]], [-17, 17]);
});
