/** The one polite live region: sentences are gathered for a moment, then said together. */

const GATHER_MS = 350;

/** @type {string[]} */
let gathered = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Say sentences soon, with whatever else happens. @param {...string} sentences */
export function announce(...sentences) {
  if (sentences.length === 0) return;
  gathered.push(...sentences);
  timer ??= setTimeout(() => {
    timer = undefined;
    const region = document.getElementById('live');
    if (region) region.textContent = gathered.join(' ');
    gathered = [];
  }, GATHER_MS);
}
