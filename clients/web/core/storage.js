/** The browser's storage. What it holds may be anything: each reader checks what it gets. */

/** What is kept under a key; undefined if nothing that can be read. @param {string} key @returns {unknown} */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '');
  } catch {
    return undefined; // nothing there, damaged, or forbidden
  }
}

/** The entries of an object that is kept under a key, and of nothing else. @param {string} key @returns {Map<string, unknown>} */
export function storedEntries(key) {
  const value = stored(key);
  return new Map(typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

/** A browser that forbids storage plays all the same. @param {string} key @param {unknown} value */
export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* private mode, full disk */ }
}
