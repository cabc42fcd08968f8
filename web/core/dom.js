/**
 * Elements described as plain values: drawing is a pure function that runs under node, `render` makes it real.
 * A described element is {tag, attrs, children}; a child is another one or a string.
 */
const SVG = "http://www.w3.org/2000/svg";

/** Attributes that a browser keeps as properties: what a person changes is not in the attribute. */
const PROPERTIES = ["value", "checked", "open"];

/**
 * Describe an element by a selector, as in h("p#notice.muted", child); attributes may come before
 * the children. One that is null or false is omitted, true is an empty value; `class` may be a list
 * with gaps; `value`, `checked` and `open` are properties, a name with "--" is a custom property of
 * the style.
 * @param {string} selector @param {...any} parts @returns {VNode}
 */
export function h(selector, ...parts) {
  const [, tag, id, names = ""] = SELECTOR.exec(selector) ?? [];
  const { class: look, ...more } = isAttributes(parts[0]) ? parts.shift() : {};
  const classes = [names.replaceAll(".", " "), look].flat().filter(Boolean).join(" ");
  return {
    tag,
    attrs: { ...(id && { id }), ...more, ...(classes && { class: classes }) },
    children: parts
      .flat(Infinity)
      .filter((child) => child || child === 0)
      .map(child),
  };
}

const SELECTOR = /^(\w+)(?:#([\w-]+))?(?:\.(.+))?$/;

/** @param {any} part */
const isAttributes = (part) => part?.constructor === Object && !part.tag;

/** @param {any} value @returns {VNode | string} */
function child(value) {
  return typeof value === "object" ? value : String(value);
}

/** The element with an id, which the page has for certain. @type {(id: string) => HTMLElement} */
export const byId = (id) => {
  /** @type {any} */
  const element = document.getElementById(id);
  return element;
};

/** Announcements that stay: a screen reader may be behind by some, and its player may read them. */
const ANNOUNCEMENTS = 8;

/**
 * Add sentences to the page's live region, which a screen reader says after those before them.
 * Empty ones are left out, and one that repeats the sentence before it: two events may have the same
 * words.
 * @param {string[]} sentences
 */
export function announce(sentences) {
  const words = sentences.filter(Boolean).filter((each, at, all) => each !== all[at - 1]);
  if (!words.length) return;
  const region = byId("say");
  region.append(Object.assign(document.createElement("p"), { textContent: words.join(" ") }));
  if (region.children.length > ANNOUNCEMENTS) region.firstElementChild?.remove();
}

/** Put the focus on the first element that a selector finds. @param {string} selector */
export function focusOn(selector) {
  /** @type {any} */
  const element = document.querySelector(selector);
  element?.focus();
}

/**
 * Patch the children of `parent` to match the descriptions, and keep matching nodes: focus, current
 * presses and the live region survive. A node is kept only for the same tag and the same name (id,
 * action, cell), at any place among its siblings, so that a change before it does not replace it.
 * Where the focused node is no longer described, the heading gets the focus: a screen reader goes on
 * there.
 * @param {any} parent @param {any[]} vnodes
 */
export function render(parent, vnodes) {
  const children = vnodes.flat(Infinity).filter(Boolean);
  /** @type {any} */
  const focused = document.activeElement;
  const hadFocus = focused !== parent && parent.contains(focused);
  // Removing the focused node makes the browser lay out the half drawn page.
  if (hadFocus && !stays(focused, parent, children)) focused.blur();
  place(parent, children);
  if (!hadFocus || focused === document.activeElement) return;
  // A node that was moved has lost the focus too.
  const next = parent.contains(focused) ? focused : parent.querySelector("h1");
  next?.focus({ preventScroll: true });
}

/**
 * Whether a node below `parent` is kept when the children are drawn.
 * @param {any} node @param {any} parent @param {(VNode | string)[]} vnodes @returns {boolean}
 */
function stays(node, parent, vnodes) {
  const top = [...parent.childNodes].find((each) => each.contains(node));
  /** @param {any} each */
  const isAlike = (each) => keyOf(each) === keyOf(top);
  const before = [...parent.childNodes].filter(isAlike).indexOf(top);
  const vnode = vnodes.filter((each) => keyFor(each) === keyOf(top))[before];
  if (!vnode) return false;
  return top === node || (typeof vnode === "object" && stays(node, top, vnode.children));
}

/** @param {any} parent @param {(VNode | string)[]} vnodes */
function place(parent, vnodes) {
  if (!isInPlace(parent, vnodes)) return arrange(parent, vnodes);
  let node = parent.firstChild;
  for (const vnode of vnodes) {
    refresh(node, vnode);
    node = node.nextSibling;
  }
}

/**
 * Whether each description has its node already, in this order: true of most drawings.
 * @param {any} parent @param {(VNode | string)[]} vnodes
 */
function isInPlace(parent, vnodes) {
  let node = parent.firstChild;
  for (const vnode of vnodes) {
    if (!node || !isSame(node, vnode)) return false;
    node = node.nextSibling;
  }
  return !node;
}

/** Whether a node has this tag and name. @param {any} node @param {VNode | string} vnode */
function isSame(node, vnode) {
  if (node.vnode === vnode) return true;
  if (typeof vnode === "string" || !node.vnode) return keyOf(node) === keyFor(vnode);
  return node.vnode.tag === vnode.tag && nameOf(node.vnode.attrs) === nameOf(vnode.attrs);
}

/** @param {any} parent @param {(VNode | string)[]} vnodes */
function arrange(parent, vnodes) {
  const nodesByKey = new Map();
  for (const node of parent.childNodes) {
    const key = keyOf(node);
    if (nodesByKey.has(key)) nodesByKey.get(key).push(node);
    else nodesByKey.set(key, [node]);
  }
  const pairs = vnodes.map((vnode) => [nodesByKey.get(keyFor(vnode))?.shift(), vnode]);
  // Remove nodes first: then the others are in place, and moving one would end its focus.
  for (const nodes of nodesByKey.values()) for (const node of nodes) node.remove();
  let next = parent.firstChild;
  for (const [old, vnode] of pairs) {
    const node = old ?? create(vnode, parent);
    if (old) refresh(old, vnode);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/** @param {VNode | string} vnode */
const keyFor = (vnode) => (typeof vnode === "string" ? "" : `${vnode.tag} ${nameOf(vnode.attrs)}`);

/** @param {any} node */
function keyOf(node) {
  if (node.nodeType === 3) return "";
  return node.vnode ? keyFor(node.vnode) : `${node.localName} ${nameOf({})}`;
}

/** @param {Record<string, any>} attrs */
function nameOf(attrs) {
  return attrs.id ?? [attrs["data-action"], attrs["data-arg"], attrs["data-cell"]].join(" ");
}

/** @param {VNode | string} vnode @param {any} parent */
function create(vnode, parent) {
  if (typeof vnode === "string") return document.createTextNode(vnode);
  const isSvg = vnode.tag === "svg" || parent.namespaceURI === SVG;
  const node = isSvg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
  refresh(node, vnode);
  // The focus goes to a heading when what had it is gone.
  if (vnode.tag === "h1") node.setAttribute("tabindex", "-1");
  return node;
}

/** @param {any} node @param {VNode | string} vnode */
function refresh(node, vnode) {
  if (typeof vnode === "string") {
    if (node.data !== vnode) node.data = vnode;
    return;
  }
  // An unchanged description needs no comparison.
  if (node.vnode === vnode) return;
  const before = node.vnode?.attrs ?? attributesOf(node);
  node.vnode = vnode;
  for (const name in before) if (!(name in vnode.attrs)) assign(node, name, null);
  for (const name in vnode.attrs)
    if (vnode.attrs[name] !== before[name]) assign(node, name, vnode.attrs[name]);
  place(node, vnode.children);
  // A text that is being typed is its player's.
  if (node === document.activeElement && typeof node.selectionStart === "number") return;
  // After the options of a list and the ends of a scale, which limit a value.
  for (const name of PROPERTIES) if (name in vnode.attrs) node[name] = vnode.attrs[name] ?? "";
}

/** @param {any} node @param {string} name @param {any} value */
function assign(node, name, value) {
  if (PROPERTIES.includes(name)) return;
  const isOmitted = (value ?? false) === false;
  if (name.startsWith("--")) node.style.setProperty(name, isOmitted ? "" : value);
  else if (isOmitted) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : value);
}

/**
 * The attributes of a node that the page's own markup made.
 * @param {Element} node @returns {Record<string, any>}
 */
const attributesOf = (node) =>
  Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
