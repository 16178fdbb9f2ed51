/**
 * Cards and ornaments as SVG elements.
 *
 * Each drawing is put once into a hidden sprite of the document and referred to by `<use>`: a hand of 33 cards is 33 references,
 * and `wear` gives them all another look at once.
 * All elements are decoration for assistive technology (`aria-hidden`); the name of a card belongs on the button around it.
 *
 * @import { Indices } from './card-art.js'
 *
 * @typedef {{ indices: Indices, fourColour: boolean }} Look letters of the courts and ace; four colours for the suits
 */

import { PIP, STROKES, backArt, blankArt, definitions, faceArt, isDrawable, isSuit, suitColour } from './card-art.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} kind class name
 * @param {string} viewBox
 * @param {string} [content] own markup only, never anything received
 * @returns {SVGSVGElement}
 */
function drawing(kind, viewBox, content = '') {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', kind);
  svg.setAttribute('viewBox', viewBox);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  svg.innerHTML = content;
  return svg;
}

/** Not `display: none`: some browsers then drop gradients and clips that are referred to. @returns {SVGDefsElement} */
function sprite() {
  const found = document.getElementById('durak-sprite');
  if (found) return /** @type {SVGDefsElement} */ (/** @type {unknown} */ (found));
  const svg = drawing('sprite', '0 0 1 1', `<defs id="durak-sprite">${definitions()}</defs>`);
  svg.setAttribute('width', '0');
  svg.setAttribute('height', '0');
  svg.style.position = 'absolute';
  document.body.append(svg);
  return /** @type {SVGDefsElement} */ (svg.firstElementChild);
}

/** How cards look now. @type {Look} */
let look = { indices: 'latin', fourColour: false };

/** The drawings in the sprite, by their ids. @type {Map<string, (look: Look) => string>} */
const drawings = new Map();

/** Let all cards look so, those that are shown already too. @param {Look} wanted */
export function wear(wanted) {
  if (wanted.indices === look.indices && wanted.fourColour === look.fourColour) return;
  look = wanted;
  for (const [id, draw] of drawings) /** @type {Element} */ (document.getElementById(id)).innerHTML = draw(look);
}

/**
 * A reference to a drawing, drawn on first use.
 * @param {string} kind @param {string} id @param {number} height of its box, which is 100 wide @param {(look: Look) => string} draw
 */
function reference(kind, id, height, draw) {
  const defs = sprite();
  if (!drawings.has(id)) {
    const group = document.createElementNS(SVG, 'g');
    group.id = id;
    group.innerHTML = draw(look);
    defs.append(group);
    drawings.set(id, draw);
  }
  return drawing(kind, `0 0 100 ${height}`, `<use href="#${id}"/>`);
}

/** A hair of stretch is better than a gap at the edge of a box that was rounded to whole pixels and is not exactly 5:7.
 *  @param {SVGSVGElement} svg */
function stretched(svg) {
  svg.setAttribute('preserveAspectRatio', 'none');
  return svg;
}

/** The face of a card, `<svg class="face">`, 5:7; blank paper for one that this page does not know. @param {string} card "6S", "10H", "QD" */
export function cardFace(card) {
  if (!isDrawable(card)) return stretched(reference('face', 'durak-blank', 140, blankArt));
  return stretched(reference('face', `durak-${card}`, 140, ({ indices, fourColour }) => faceArt(card, indices, fourColour)));
}

/** A back, `<svg class="back">`. @param {boolean} [small] for widths under 50 px */
export function cardBack(small = false) {
  return stretched(reference('back', small ? 'durak-back-small' : 'durak-back', 140, () => backArt(small)));
}

/** A pip in its colour, `<svg class="pip">`, square. @param {string} suit */
export function pip(suit) {
  if (!isSuit(suit)) return drawing('pip', '0 0 100 100');
  return reference('pip', `durak-pip-${suit}`, 100, ({ fourColour }) => `<path d="${PIP[suit]}" fill="${suitColour(suit, fourColour)}"/>`);
}

/** The outline of the trump, stitched into the cloth: `<svg class="stitch">`, coloured by CSS. @param {string} suit */
export function stitchedPip(suit) {
  return drawing('stitch', '0 0 100 100', isSuit(suit) ? `<path d="${PIP[suit]}" vector-effect="non-scaling-stroke"/>` : '');
}

/** The name of the game in the letters of the cards: `<svg class="wordmark">`. Give it a name where it is the heading.
 *  @param {string} [letters] "DURAK" or "ДУРАК" */
export function wordmark(letters = 'DURAK') {
  const pitch = 24;
  const paths = [...letters].map((letter, i) => `<path d="${STROKES[letter]}" transform="translate(${i * pitch} 0)"/>`).join('');
  return drawing('wordmark', `0 0 ${pitch * (letters.length - 1) + 20} 28`,
    `<g fill="none" stroke="currentColor" stroke-width="3" stroke-miterlimit="2.8">${paths}</g>`);
}

/** The cap of the durak: `<svg class="cap">`, 170 × 120. */
export function jesterCap() {
  const brass = '#e3bd72';
  const dark = '#541a2b';
  const horn = 'M40.6 101.4C40.6 76 33.5 58.5 22 58.5C16 58.5 11.5 61.5 8.2 67.5C7.5 44 22 25 43.5 25C55 25 64 31 70.6 40C63 58 60.5 80 60.5 101.4Z';
  const bell = (/** @type {number} */ x, /** @type {number} */ y) =>
    `<circle cx="${x}" cy="${y}" r="7.9" fill="${brass}"/><path d="M${x - 5} ${y + 1.6}h10M${x} ${y + 1.6}v4.6" stroke="#74293d" stroke-width="1.5" fill="none"/>`;
  const studs = [46.3, 65.7, 85, 104.3, 123.7].map((x) => `M${x} 106l4.3 4.3l-4.3 4.3l-4.3-4.3Z`).join('');
  return drawing('cap', '0 0 170 120', (
    `<g stroke="${brass}" stroke-width="2" stroke-linejoin="round">` +
    `<path d="${horn}" fill="#74293d"/><path d="${horn}" fill="${dark}" transform="translate(170 0)scale(-1 1)"/>` +
    `<path d="M85 15C68 36 61 66 61 101.4H109C109 66 102 36 85 15Z" fill="${brass}"/></g>` +
    `<path d="M85 18.5C69.5 39 62.2 67 62 101.4H85Z" fill="#f6efe0"/>` +
    `<path d="M85 55.5L95.2 73.7L85 92L74.8 73.7Z" fill="${dark}"/>` +
    `<rect x="32.5" y="101.5" width="105" height="17" rx="3.5" fill="${dark}" stroke="${brass}" stroke-width="2"/>` +
    `<path d="${studs}" fill="${brass}"/>${bell(8.2, 73.7)}${bell(161.8, 73.7)}${bell(85, 8.2)}`
  ));
}
