/**
 * Where cards lie: pure arithmetic in CSS pixels, no document. The client measures a zone, asks here, and sets what comes back.
 */

/** A card is 5:7. */
const TALL = 1.4;

/** Least visible part of a card: rank and suit are still whole on it while the card is at most 84 wide. */
const LEAST_STRIP = 24;
const GOOD_STRIP = 32;
/** Tried on a desktop before rows: the widest card that shows its index in a strip of 24. */
const DESKTOP_CARD = 84;
const ROW_CARD = 66;
const ROW_STEP = 52;

/** Least visible height of a card in a row: the index of a 66 px card ends at 34. */
const LEAST_STEP = 36;

/**
 * @typedef {object} Hand
 * @property {number} cardWidth
 * @property {number} cardHeight
 * @property {number} strip horizontal distance of two neighbours
 * @property {number} step vertical distance of two rows
 * @property {number} height of the whole hand, from the top of the first card (raised cards may stick out above) to the foot
 * @property {{ x: number, y: number }[]} places one per card, in order
 * @property {number[]} rows cards in each row
 * @property {boolean} dense several rows, or small cards: raise less
 * @property {boolean} scrolls higher than allowed: let the hand scroll vertically
 */

/**
 * Lay out a hand: one row of large cards while strips stay readable, else rows of smaller ones, the full row first.
 *
 * Tried in this order, the first that fits the width and height is taken: one row of large cards (on a desktop also
 * of 84 px); rows of 66 px with good
 * strips; rows of 66 px with the least strips; the same with rows closer together; at last a hand that scrolls.
 *
 * @param {number} count
 * @param {number} width of the zone
 * @param {number} height allowed
 * @param {{ card?: number, trumps?: number, gap?: number }} [wish] width of a large card (88 phone, 108 desktop); how many
 *   cards at the left are trumps; the gap after them (8 phone, 20 desktop)
 * @returns {Hand}
 */
export function handRows(count, width, height, { card = 88, trumps = 0, gap = 8 } = {}) {
  const between = trumps > 0 && trumps < count ? gap : 0;
  for (const [large, least] of [[card, GOOD_STRIP], ...(card > 88 ? [[DESKTOP_CARD, 28]] : [])]) {
    const strip = count > 1 ? (width - large - between) / (count - 1) : large;
    if (strip >= least && large * TALL <= height) {
      return place([count], width, large, 0, Math.min(strip, large * 0.7), between, trumps, height);
    }
  }
  for (const [strip, step] of [[GOOD_STRIP, ROW_STEP], [LEAST_STRIP, ROW_STEP], [LEAST_STRIP, LEAST_STEP]]) {
    // A hand of 36 is the whole pack; more rows than cards are never needed.
    for (let rows = 1; rows <= Math.min(count, 6); rows += 1) {
      const counts = rowCounts(count, rows);
      const widest = rowStrip(counts, width, between);
      if (widest < strip) continue;
      if (ROW_CARD * TALL + (rows - 1) * step > height) break;
      return place(counts, width, ROW_CARD, step, widest, between, trumps, height);
    }
  }
  let rows = 1;
  while (rows < count && rowStrip(rowCounts(count, rows), width, between) < GOOD_STRIP) rows += 1;
  const counts = rowCounts(count, rows);
  return place(counts, width, ROW_CARD, ROW_STEP, rowStrip(counts, width, between), between, trumps, height);
}

/** Full rows first, no row more than one shorter than the first. @param {number} count @param {number} rows */
function rowCounts(count, rows) {
  return Array.from({ length: rows }, (_, i) => Math.ceil((count - i) / rows)).filter((n) => n > 0);
}

/** The widest strip at which every row fits, later rows being indented by half a strip. @param {number[]} counts
 *  @param {number} width @param {number} gap */
function rowStrip(counts, width, gap) {
  const steps = counts.map((n, i) => n - 1 + (i > 0 ? 0.5 : 0));
  return Math.min(ROW_CARD * 0.7, (width - ROW_CARD - gap) / Math.max(...steps, 1));
}

/**
 * @param {number[]} counts @param {number} width @param {number} cardWidth @param {number} step @param {number} strip
 * @param {number} gap @param {number} trumps @param {number} allowed
 * @returns {Hand}
 */
function place(counts, width, cardWidth, step, strip, gap, trumps, allowed) {
  const places = [];
  const widest = Math.max(...counts.map((n, i) => (n - 1 + (i > 0 ? 0.5 : 0)) * strip)) + cardWidth + gap;
  const left = Math.max(0, (width - widest) / 2);
  let index = 0;
  for (const [row, n] of counts.entries()) {
    const first = index;
    for (let i = 0; i < n; i += 1, index += 1) {
      // The gap shows where trumps end; a row that starts after that point needs none.
      const after = index >= trumps && first < trumps ? gap : 0;
      places.push({ x: left + (i + (row > 0 ? 0.5 : 0)) * strip + after, y: row * step });
    }
  }
  const height = cardWidth * TALL + Math.max(0, counts.length - 1) * step;
  return {
    cardWidth, cardHeight: cardWidth * TALL, strip, step, height, places, rows: counts,
    dense: counts.length > 1 || cardWidth <= ROW_CARD, scrolls: height > allowed,
  };
}

/**
 * How high a hand may become in a window, so that seats, felt and buttons keep their place. A phone on its side has little to
 * give: one row of small cards.
 * @param {number} windowHeight
 */
export function handAllowance(windowHeight) {
  return Math.max(ROW_CARD * TALL, windowHeight * (windowHeight < 480 ? 0.27 : 0.345));
}

/**
 * Lay out the pairs on the felt: the largest cards that fit, in one or two rows.
 * @param {number} count pairs
 * @param {number} width of the zone inside its stitching
 * @param {number} [height]
 * @param {number} [largest] card width: 98 desktop, 84 phone
 * @returns {{ columns: number, rows: number, cardWidth: number }}
 */
export function pairGrid(count, width, height = Infinity, largest = 84) {
  const shapes = count > 3 ? [1, 2] : [1];
  let best = { columns: Math.max(count, 1), rows: 1, cardWidth: 0 };
  for (const rows of shapes) {
    const columns = Math.max(1, Math.ceil(count / rows));
    // A pair is 1.31 cards wide and 1.4 + 0.43 high, a little more for the tilt; two rows lie 1.62 apart (`.pairs` in the CSS).
    const byWidth = width / (columns * 1.36 + (columns - 1) * 0.1);
    const byHeight = height / (1.9 + (rows - 1) * 1.62);
    const cardWidth = Math.floor(Math.min(largest, byWidth, byHeight));
    if (cardWidth > best.cardWidth) best = { columns, rows, cardWidth };
  }
  return best;
}

/**
 * Angles of the backs in a fan, in degrees, evenly about 0; 34 in all at most.
 * @param {number} count cards held
 * @param {number} [max] backs shown: 7, or 5 on a phone with five opponents
 */
export function fanAngles(count, max = 7) {
  const shown = Math.min(count, max);
  const spread = Math.min(34, 10 * (shown - 1));
  return Array.from({ length: shown }, (_, i) => (shown > 1 ? (i / (shown - 1) - 0.5) * spread : 0));
}
