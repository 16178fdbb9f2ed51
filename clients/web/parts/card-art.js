/**
 * The drawings: every rank, pip, face and back as SVG markup in a box of 100 × 140.
 *
 * Pure strings, no document: `cards.js` turns them into elements. Everything is drawn here by code, so a card is sharp at any
 * size and nothing has to be fetched.
 *
 * @typedef {'S' | 'H' | 'D' | 'C'} Suit
 * @typedef {'6' | '7' | '8' | '9' | '10' | 'J' | 'Q' | 'K' | 'A'} Rank
 * @typedef {'latin' | 'russian'} Indices
 */

const IVORY = '#fffaf0';
const BRASS = '#c2923a';
const WINE_DARK = '#481425';
const BACK_BRASS = '#d9ad63';

/** @type {Record<Suit, string>} */
const TWO_COLOURS = { S: '#1d2029', H: '#b01f2e', D: '#b01f2e', C: '#1d2029' };

/** Far apart for every kind of colour blindness. @type {Record<Suit, string>} */
const FOUR_COLOURS = { S: '#111111', H: '#d91d00', D: '#0041f2', C: '#227358' };

/** One path each in a box of 100; all four carry the same optical weight. @type {Record<Suit, string>} */
export const PIP = {
  S: 'M50 4C56 20 91 40 91 63C91 75 82 82.5 71.5 82.5C64.5 82.5 58 79 54 73C54.5 83 58 90.5 65 96H35C42 90.5 45.5 83 46 73C42 79 35.5 82.5 28.5 82.5C18 82.5 9 75 9 63C9 40 44 20 50 4Z',
  H: 'M50 93C46 84 9 63 9 35C9 19 20 9 32 9C41 9 47.5 15 50 24C52.5 15 59 9 68 9C80 9 91 19 91 35C91 63 54 84 50 93Z',
  D: 'M50 3C57 18 71 37 84 50C71 63 57 82 50 97C43 82 29 63 16 50C29 37 43 18 50 3Z',
  C: 'M54 72C54.5 83 58 90.5 65 96H35C42 90.5 45.5 83 46 72C42.5 77.5 36 81 29 81C16.5 81 7 71.5 7 59.5C7 47 17 37.5 29 38C31.5 38.1 33.5 38.6 35.5 39.4C31.5 35.5 29 30.5 29 25C29 13 38.5 4 50 4C61.5 4 71 13 71 25C71 30.5 68.5 35.5 64.5 39.4C66.5 38.6 68.5 38.1 71 38C83 37.5 93 47 93 59.5C93 71.5 83.5 81 71 81C64 81 57.5 77.5 54 72Z',
};

/** Strokes of 3.6 on a grid of 20 × 28; letters stand between y 2 and 26. @type {Record<string, string>} */
export const STROKES = {
  6: 'M16.7 3.3C9.8 6.9 3.3 11.8 3.3 17.7A6.7 6.7 0 1 0 16.7 17.7A6.7 6.7 0 1 0 3.3 17.7',
  7: 'M1.7 3.8H15.3C11 9.8 7.6 17.5 6.7 26',
  8: 'M10 3.8A5.3 4.85 0 1 0 10 13.5A5.3 4.85 0 1 0 10 3.8ZM10 13.5A6.9 5.35 0 1 0 10 24.2A6.9 5.35 0 1 0 10 13.5Z',
  9: 'M3.3 24.7C10.2 21.1 16.7 16.2 16.7 10.3A6.7 6.7 0 1 0 3.3 10.3A6.7 6.7 0 1 0 16.7 10.3',
  10: 'M-1 8.4L3.5 4.4V26M14.5 3.8A5.6 10.2 0 1 0 14.5 24.2A5.6 10.2 0 1 0 14.5 3.8Z',
  J: 'M8.4 3.8H15.1V19.1A5.1 5.1 0 0 1 4.9 19.3',
  Q: 'M10 3.8A7.65 10.2 0 1 0 10 24.2A7.65 10.2 0 1 0 10 3.8ZM11.2 18.3L17.8 26.4',
  K: 'M3.2 2V26M16.4 1.9L3.6 15.3M8.3 11.5L17.3 25.9',
  A: 'M1.9 25.8L10 2.7L18.1 25.8M5.2 18.4H14.8',
  В: 'M3.75 13.5H9.9A4.85 4.85 0 0 0 9.9 3.8H3.75V24.2H10.6A5.35 5.35 0 0 0 10.6 13.5H9.9',
  Д: 'M1.8 27.4V22.5H18.2V27.4M5 22.5C6.5 19.3 7.2 13 7.2 3.8H15.2V22.5',
  К: 'M3.2 2V26M16.4 1.9L3.6 15.3M8.3 11.5L17.3 25.9',
  Т: 'M2 3.8H18M10 3.8V26',
  // Only in the wordmark.
  D: 'M3.4 3.8H7.4C13.6 3.8 17 7.8 17 14C17 20.2 13.6 24.2 7.4 24.2H3.4Z',
  U: 'M3.2 2V17.4A6.8 6.8 0 0 0 16.8 17.4V2',
  R: 'M3.6 26V3.8H10.4A5.5 5.5 0 0 1 10.4 14.8H3.6M10 14.8L16.4 26',
  У: 'M3 2L10.8 16.6M17.6 2L11.2 18.6C9.5 23 7.5 24.2 3.4 24.2',
  Р: 'M3.6 26V3.8H10.8A5.7 5.7 0 0 1 10.8 15.2H3.6',
  А: 'M1.9 25.8L10 2.7L18.1 25.8M5.2 18.4H14.8',
};

/** @type {Record<string, string>} */
const RUSSIAN = { J: 'В', Q: 'Д', K: 'К', A: 'Т' };

/** Where the pips of a number card stand: [x, y] about the middle line y 70. @type {Record<string, [number, number][]>} */
const PLACES = (() => {
  /** @param {number[]} rows @param {number[]} middle @returns {[number, number][]} */
  const grid = (rows, middle) => [
    ...rows.flatMap((y) => /** @type {[number, number][]} */ ([[37, y], [63, y]])),
    ...middle.map((y) => /** @type {[number, number]} */ ([50, y])),
  ];
  return {
    6: grid([34, 70, 106], []),
    7: grid([34, 70, 106], [52]),
    8: grid([34, 70, 106], [52, 88]),
    9: grid([30, 56.7, 83.3, 110], [70]),
    10: grid([30, 56.7, 83.3, 110], [43.3, 96.7]),
  };
})();

/**
 * @param {string} card notation of the game: "10H"
 * @returns {{ rank: Rank, suit: Suit }}
 */
function readCard(card) {
  return { rank: /** @type {Rank} */ (card.slice(0, -1)), suit: /** @type {Suit} */ (card.slice(-1)) };
}

/** @param {Suit} suit @param {boolean} [fourColour] */
export function suitColour(suit, fourColour = false) {
  return (fourColour ? FOUR_COLOURS : TWO_COLOURS)[suit];
}

/** A pip of `size` about (x, y), turned by `turn` degrees. @param {Suit} suit @param {number} x @param {number} y
 *  @param {number} size @param {number} [turn] */
function pipAt(suit, x, y, size, turn = 0) {
  const rotation = turn ? `rotate(${turn})` : '';
  return `<path d="${PIP[suit]}" transform="translate(${x} ${y})${rotation}scale(${size / 100})translate(-50 -50)"/>`;
}

/** @param {string} rank @param {Suit} suit @param {Indices} indices */
function index(rank, suit, indices) {
  const sign = (indices === 'russian' && RUSSIAN[rank]) || rank;
  const x = rank === '10' ? 16.4 : 15;
  const scale = 23 / 24; // the letters are 24 of the 28 high
  return (
    `<path d="${STROKES[sign]}" transform="translate(${x} 19.5)scale(${rank === '10' ? 0.9 : scale} ${scale})translate(-10 -14)"` +
    ` fill="none" stroke="currentColor" stroke-width="3.6" stroke-miterlimit="2.8"/>` + pipAt(suit, 15, 43.5, 16.5)
  );
}

/** Both halves of something drawn in the upper one. @param {string} half */
const twice = (half) => `${half}<g transform="rotate(180 50 70)">${half}</g>`;

/** @param {Suit} suit */
function ace(suit) {
  const ticks = Array.from({ length: 48 }, (_, i) => {
    const length = i % 12 === 0 ? 2.8 : 1.7;
    return `<path d="M0 ${-28.6 - (length - 1.7) / 2}v${-length + (length - 1.7) / 2}" transform="translate(50 70)rotate(${i * 7.5})"/>`;
  }).join('');
  return (
    `<g fill="none" stroke="${BRASS}" stroke-width=".8"><circle cx="50" cy="70" r="25.5"/>${ticks}</g>` +
    pipAt(suit, 50, 70, 35)
  );
}

/**
 * The motif of a court's upper half: shapes stacked from the outside in about (40, 70). The centre is off the middle of the
 * panel on purpose: turned by 180° the two halves do not meet, and the card gets its swing.
 * @type {Record<string, () => string>}
 */
const MOTIF = {
  J: () => {
    const below = (/** @type {number} */ top) => `M40 ${top}L100 ${top + 53.1}V140H-20V${top + 53.1}Z`;
    return bands([
      ['currentColor', below(18)], [IVORY, below(28)], [BRASS, below(31)], [IVORY, below(37)],
      ['currentColor', below(39.2)], [IVORY, below(52.4)], ['tint', below(55.4)],
    ]);
  },
  Q: () => bands([
    ['currentColor', disc(49.8)], [IVORY, disc(40.4)], [BRASS, disc(37.4)], [IVORY, disc(32.6)],
    ['currentColor', disc(29.6)], [IVORY, disc(19)],
  ]),
  K: () => {
    const rays = Array.from({ length: 5 }, (_, i) => wedge(180 + i * 40, 200 + i * 40)).join('');
    const teeth = 5;
    const width = 43 / teeth;
    const saw = Array.from({ length: teeth }, (_, i) => `L${28.5 + (i + 0.5) * width} 31.5L${28.5 + (i + 1) * width} 23.5`).join('');
    return bands([['currentColor', rays]]) +
      `<path fill="${BRASS}" stroke="${IVORY}" stroke-width="2" d="M28.5 10V23.5${saw}V10Z"/>` +
      bands([[IVORY, disc(29.6)], [BRASS, disc(27.4)], [IVORY, disc(22.4)], ['currentColor', disc(20)]]);
  },
};

/** @param {number} r */
function disc(r) {
  return `M${40 - r} 70a${r} ${r} 0 0 1 ${2 * r} 0a${r} ${r} 0 0 1 ${-2 * r} 0Z`;
}

/** @param {number} from degrees, 270 is up @param {number} to */
function wedge(from, to) {
  const far = (/** @type {number} */ a) =>
    `${(40 + 90 * Math.cos((a * Math.PI) / 180)).toFixed(2)} ${(70 + 90 * Math.sin((a * Math.PI) / 180)).toFixed(2)}`;
  return `M40 70L${far(from)}L${far(to)}Z`;
}

/** @param {[string, string][]} shapes fill and path; "tint" is the suit colour, thinned over ivory */
function bands(shapes) {
  return shapes.map(([fill, d]) => (fill === 'tint'
    ? `<path fill="${IVORY}" d="${d}"/><path fill-opacity=".15" d="${d}"/>`
    : `<path fill="${fill}" d="${d}"/>`)).join('');
}

/** @param {Rank} rank @param {Suit} suit */
function court(rank, suit) {
  const half = `<g clip-path="url(#durak-half)">${MOTIF[rank]()}<path fill="${IVORY}" d="M28 69H72V72H28Z"/></g>`;
  return (
    `<rect x="28.5" y="18" width="43" height="104" rx="2.8" fill-opacity=".15"/>` + twice(half) +
    `<circle cx="50" cy="70" r="16" fill="${IVORY}"/>` +
    `<circle cx="50" cy="70" r="14.4" fill="none" stroke="${BRASS}" stroke-width=".8"/>` + pipAt(suit, 50, 70, 17) +
    `<rect x="28.5" y="18" width="43" height="104" rx="2.8" fill="none" stroke="currentColor" stroke-width=".7" stroke-opacity=".6"/>`
  );
}

/** True for a suit that can be drawn. @param {string} suit @returns {suit is Suit} */
export const isSuit = (suit) => Object.hasOwn(PIP, suit);

/** True for a card that can be drawn: a newer server may play with others. @param {string} card */
export const isDrawable = (card) => /^(6|7|8|9|10|J|Q|K|A)[SHDC]$/.test(card);

/**
 * The content of a face, to be put into an SVG box of 100 × 140 next to `definitions()`.
 * @param {string} card
 * @param {Indices} indices
 * @param {boolean} fourColour
 */
export function faceArt(card, indices, fourColour) {
  const { rank, suit } = readCard(card);
  const size = rank === '9' || rank === '10' ? 17.5 : 19;
  const middle = rank === 'A' ? ace(suit)
    : PLACES[rank] ? PLACES[rank].map(([x, y]) => pipAt(suit, x, y, size, y > 70 ? 180 : 0)).join('')
      : court(rank, suit);
  return (
    paper(fourColour ? IVORY : 'url(#durak-paper)') +
    `<g color="${suitColour(suit, fourColour)}" fill="currentColor">${middle}${twice(index(rank, suit, indices))}</g>`
  );
}

/** A face without anything on it. */
export const blankArt = () => paper('url(#durak-paper)');

/** @param {string} fill */
const paper = (fill) => `<rect x=".4" y=".4" width="99.2" height="139.2" rx="7.8" fill="${fill}" stroke="#b9ab8a" stroke-width=".8"/>`;

/** The content of a back; the small one is for cards under 50 px wide, where the lattice would turn to noise. @param {boolean} small */
export function backArt(small) {
  const rim = '<rect width="100" height="140" rx="8" fill="#f6efe0"/>';
  if (small) {
    return (
      `${rim}<rect x="5.5" y="5.5" width="89" height="129" rx="5" fill="url(#durak-wine)"/>` +
      `<g fill="none" stroke="${BACK_BRASS}" stroke-width="2.4" opacity=".85"><rect x="12.5" y="12.5" width="75" height="115" rx="3"/>` +
      `<path d="M50 33L74 70L50 107L26 70Z"/><path fill="${BACK_BRASS}" stroke="none" d="M50 52L62 70L50 88L38 70Z"/></g>`
    );
  }
  const suits = /** @type {Suit[]} */ (['S', 'H', 'C', 'D']);
  const pips = suits.map((suit, i) => {
    const angle = (i * Math.PI) / 2;
    return pipAt(suit, 50 + 10.4 * Math.sin(angle), 70 - 10.4 * Math.cos(angle), 12, i * 90);
  }).join('');
  return (
    `${rim}<rect x="5" y="5" width="90" height="130" rx="4.5" fill="url(#durak-wine)"/>` +
    `<rect x="9" y="9" width="82" height="122" rx="2.6" fill="url(#durak-lattice)" stroke="${BACK_BRASS}" stroke-width=".9" stroke-opacity=".8"/>` +
    `<circle cx="50" cy="70" r="24.3" fill="${WINE_DARK}" stroke="${BACK_BRASS}" stroke-width="1"/>` +
    `<circle cx="50" cy="70" r="21.6" fill="none" stroke="${BACK_BRASS}" stroke-width=".4" stroke-opacity=".7"/>` +
    `<g fill="#e6bf76">${pips}</g>`
  );
}

/** What faces and backs refer to; once in a document. */
export function definitions() {
  return (
    '<linearGradient id="durak-paper" x1="0" y1="0" x2=".35" y2="1"><stop stop-color="#fffdf7"/><stop offset="1" stop-color="#f5eedd"/></linearGradient>' +
    '<linearGradient id="durak-wine" x1="0" y1="0" x2=".35" y2="1"><stop stop-color="#74293d"/><stop offset="1" stop-color="#541a2b"/></linearGradient>' +
    '<clipPath id="durak-half"><path d="M28.5 70.5V20.8A2.8 2.8 0 0 1 31.3 18H68.7A2.8 2.8 0 0 1 71.5 20.8V70.5Z"/></clipPath>' +
    '<pattern id="durak-lattice" width="20" height="20" patternUnits="userSpaceOnUse">' +
    `<path d="M0 0L20 20M0 20L20 0M0 10L10 0L20 10L10 20Z" fill="none" stroke="${BACK_BRASS}" stroke-width=".4" stroke-opacity=".5"/>` +
    `<g fill="${BACK_BRASS}" fill-opacity=".75"><circle cx="10" cy="10" r="1"/><circle r="1"/><circle cx="20" r="1"/><circle cy="20" r="1"/><circle cx="20" cy="20" r="1"/></g></pattern>`
  );
}
