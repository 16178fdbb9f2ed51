/**
 * The small stroke icons. Each is one path in a box of 24, drawn with a line of 2 in the text colour; the word beside it or the
 * `aria-label` of its button names it.
 */

/** @type {Record<string, string>} */
const PATHS = {
  leave: 'M10 4H5V20H10M10 12H20M16 8L20 12L16 16',
  smile: 'M12 3A9 9 0 1 0 12 21A9 9 0 1 0 12 3ZM8 14C9.8 17 14.2 17 16 14M9 9.2V10.2M15 9.2V10.2',
  menu: 'M3.5 6.5H20.5M3.5 12H20.5M3.5 17.5H20.5',
  sound: 'M4 9.5H7.5L12 5.5V18.5L7.5 14.5H4ZM15.5 9.5C16.7 11 16.7 13 15.5 14.5M18.3 7C20.7 10 20.7 14 18.3 17',
  mute: 'M4 9.5H7.5L12 5.5V18.5L7.5 14.5H4ZM16 9.5L21 14.5M21 9.5L16 14.5',
  shield: 'M12 3.5L19 6V11.5C19 16 16 19 12 20.5C8 19 5 16 5 11.5V6Z',
  attack: 'M4.5 19.5L19.5 4.5M13 4.5H19.5V11M5.5 12.5L11.5 18.5',
  plus: 'M12 5V19M5 12H19',
  check: 'M4.5 12.5L9.5 17.5L19.5 6.5',
  flag: 'M6 21V4M6 4.5H18L15.5 9L18 13.5H6',
  moon: 'M19.5 14.5A8 8 0 1 1 9.5 4.5A6.5 6.5 0 0 0 19.5 14.5Z',
  book: 'M12 6.5C9.5 4.7 6.5 4.5 3.5 5V18.5C6.5 18 9.5 18.2 12 20C14.5 18.2 17.5 18 20.5 18.5V5C17.5 4.5 14.5 4.7 12 6.5ZM12 6.5V20',
  sliders: 'M3.5 7.5H12M17 7.5H20.5M14.5 5A2.5 2.5 0 1 0 14.5 10A2.5 2.5 0 1 0 14.5 5ZM3.5 16.5H6.5M11.5 16.5H20.5M9 14A2.5 2.5 0 1 0 9 19A2.5 2.5 0 1 0 9 14Z',
  replay: 'M5.2 9.5A7.5 7.5 0 1 1 4.5 13M5 4.5V9.5H10',
  share: 'M12 14.5V3.5M8 7L12 3L16 7M8 11H5V20.5H19V11H16',
  take: 'M12 4V14.5M7.5 10.5L12 15L16.5 10.5M4 15V20H20V15',
  forward: 'M4 12H20M14 6L20 12L14 18',
  back: 'M20 12H4M10 6L4 12L10 18',
  close: 'M5.5 5.5L18.5 18.5M18.5 5.5L5.5 18.5',
  copy: 'M9 8.5H20V20.5H9ZM15.5 8.5V3.5H4V15.5H9',
  eye: 'M2.5 12C5 7.5 8.3 5.5 12 5.5S19 7.5 21.5 12C19 16.5 15.7 18.5 12 18.5S5 16.5 2.5 12ZM12 9A3 3 0 1 0 12 15A3 3 0 1 0 12 9Z',
  // The cap of the durak, for a line of text.
  cap: 'M6.5 19.5H17.5M7 16H17C17 12 18 9.5 21 9.5C20.5 6 17.5 4.5 14.5 7.5L12 4L9.5 7.5C6.5 4.5 3.5 6 3 9.5C6 9.5 7 12 7 16Z',
  play: 'M7 4.5V19.5L19 12Z',
  pause: 'M8 5V19M16 5V19',
};

/**
 * `<svg class="icon">` of 1.25em.
 * @param {string} name a key of the table above
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
