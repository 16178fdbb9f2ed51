/**
 * Markup from a description, with as little change to the document as possible.
 *
 * `h` describes an element, `own` one that a function draws once, `patch` makes an element's children what is described.
 * Children are matched by key, else by order and tag, and an element that stays is never taken out and put back: it keeps its
 * focus and its place for an animation. What scripts change on an element (a class, a custom property) stays until its
 * description changes.
 *
 * @typedef {object} Described
 * @property {string} tag
 * @property {string | number | null} key
 * @property {Attributes} attributes
 * @property {Child[]} kids
 * @property {(() => Element) | null} draw
 *
 * @typedef {Described | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Attributes `on`: listeners by event; `vars`: custom properties; `props`: properties of the
 *   element; `keep`: somebody else fills the element; everything else is an attribute, absent for null and false
 */

/** @type {WeakMap<Node, Described>} */
const described = new WeakMap();
/** @type {WeakMap<Element, Record<string, (event: any) => void>>} */
const listeners = new WeakMap();

/**
 * @param {string} tag
 * @param {Attributes} [attributes] `key` among them
 * @param {...(Child | Child[])} kids
 * @returns {Described}
 */
export function h(tag, attributes = {}, ...kids) {
  const { key = null, ...rest } = attributes;
  return { tag, key, attributes: rest, kids: kids.flat(), draw: null };
}

/** An element that `draw` makes once for this key. @param {string} key @param {() => Element} draw @returns {Described} */
export function own(key, draw) {
  return { tag: '#own', key, attributes: {}, kids: [], draw };
}

/** Make the children of an element what is described. @param {Element} parent @param {Child[]} kids */
export function patch(parent, kids) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const unkeyed = [];
  for (const node of parent.childNodes) {
    const was = described.get(node);
    if (was && was.key !== null) keyed.set(`${was.tag} ${was.key}`, node);
    else unkeyed.push(node);
  }
  const wanted = kids.filter((kid) => kid !== null && kid !== undefined && kid !== false).map((kid) => {
    if (typeof kid !== 'object') return { kid: String(kid), node: take(unkeyed, (node) => node instanceof Text) };
    if (kid.key !== null) {
      const name = `${kid.tag} ${kid.key}`;
      const node = keyed.get(name) ?? null;
      keyed.delete(name);
      return { kid, node };
    }
    return { kid, node: take(unkeyed, (node) => described.get(node)?.tag === kid.tag) };
  });
  for (const node of [...keyed.values(), ...unkeyed]) node.remove();
  let cursor = parent.firstChild;
  for (const { kid, node } of wanted) {
    const placed = node ?? (typeof kid === 'string' ? document.createTextNode(kid) : make(kid));
    if (placed === cursor) cursor = cursor.nextSibling;
    else parent.insertBefore(placed, cursor);
    if (typeof kid !== 'string') update(/** @type {Element} */ (placed), kid);
    else if (placed.textContent !== kid) placed.textContent = kid;
  }
}

/** @template T @param {T[]} from @param {(item: T) => boolean} fits @returns {T | null} */
function take(from, fits) {
  const index = from.findIndex(fits);
  return index < 0 ? null : from.splice(index, 1)[0];
}

/** @param {Described} kid @returns {Element} */
function make(kid) {
  if (!kid.draw) return document.createElement(kid.tag);
  const drawn = kid.draw();
  described.set(drawn, kid);
  return drawn;
}

/** @param {Element} element @param {Described} now */
function update(element, now) {
  if (now.draw) return;
  const before = described.get(element)?.attributes ?? {};
  described.set(element, now);
  for (const name of new Set([...Object.keys(before), ...Object.keys(now.attributes)])) {
    const value = now.attributes[name];
    if (name === 'keep') continue;
    if (name === 'on') listen(element, value ?? {});
    else if (name === 'vars') setVars(element, value ?? {}, before.vars ?? {});
    else if (name === 'props') setProperties(element, value ?? {}, before.props ?? {});
    else if (value === before[name]) continue;
    else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  if (!now.attributes.keep) patch(element, now.kids);
}

/** @param {Element} element @param {Record<string, (event: any) => void>} wanted */
function listen(element, wanted) {
  let current = listeners.get(element);
  if (!current) listeners.set(element, (current = {}));
  for (const event of Object.keys(wanted)) {
    if (!(event in current)) element.addEventListener(event, (fired) => listeners.get(element)?.[event]?.(fired));
  }
  for (const event of Object.keys(current)) if (!(event in wanted)) current[event] = () => {};
  Object.assign(current, wanted);
}

/** @param {Element} element @param {Record<string, string | number>} vars @param {Record<string, string | number>} before */
function setVars(element, vars, before) {
  const style = /** @type {HTMLElement} */ (element).style;
  for (const [name, value] of Object.entries(vars)) if (before[name] !== value) style.setProperty(name, String(value));
  for (const name of Object.keys(before)) if (!(name in vars)) style.removeProperty(name);
}

/**
 * A described property is set when its description changes, or when the person has changed it and the description insists.
 * @param {any} element @param {Record<string, any>} properties @param {Record<string, any>} before
 */
function setProperties(element, properties, before) {
  for (const [name, value] of Object.entries(properties)) {
    if ((before[name] !== value || name !== 'value') && element[name] !== value) element[name] = value;
  }
}
