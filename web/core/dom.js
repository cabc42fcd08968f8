/**
 * Elements described as plain values: drawing is a pure function that runs under node, `render` makes it real.
 * A described element is {tag, attrs, children}; a child is another one or a string.
 */
const SVG = "http://www.w3.org/2000/svg";

/**
 * Describe an element. Attributes that are null or false are omitted, true is an empty value.
 * @param {string} tag
 * @param {Record<string, any>} attrs
 * @param {...any} children
 * @returns {Tree}
 */
export function h(tag, attrs = {}, ...children) {
  return {
    tag,
    attrs,
    children: children
      .flat(Infinity)
      .filter((child) => child || child === 0)
      .map(child),
  };
}

/**
 * @param {any} value
 * @returns {Tree | string}
 */
function child(value) {
  return typeof value === "object" ? value : String(value);
}

/**
 * Patch the children of `parent` to match the descriptions, and keep matching nodes: focus, current
 * presses and the live region survive. A node is kept only for the same tag and the same name (id,
 * action, cell), at any place among its siblings, so that a change before it does not replace it.
 * @param {any} parent
 * @param {any[]} trees
 */
export function render(parent, trees) {
  const drawn = trees.flat(Infinity).filter(Boolean);
  /** @type {any} */
  const focused = document.activeElement;
  // Removing the focused node makes the browser lay out the half drawn page.
  if (parent.contains(focused) && focused !== parent && !stays(focused, parent, drawn))
    focused.blur();
  place(parent, drawn);
}

/**
 * Whether a node below `parent` is kept when the children are drawn.
 * @param {any} node
 * @param {any} parent
 * @param {(Tree | string)[]} trees
 * @returns {boolean}
 */
function stays(node, parent, trees) {
  const top = [...parent.childNodes].find((each) => each.contains(node));
  /** @param {any} each */
  const isAlike = (each) => keyOf(each) === keyOf(top);
  const before = [...parent.childNodes].filter(isAlike).indexOf(top);
  const tree = trees.filter((each) => keyFor(each) === keyOf(top))[before];
  if (!tree) return false;
  return top === node || (typeof tree === "object" && stays(node, top, tree.children));
}

/**
 * @param {any} parent
 * @param {(Tree | string)[]} trees
 */
function place(parent, trees) {
  if (!isInPlace(parent, trees)) return arrange(parent, trees);
  let node = parent.firstChild;
  for (const tree of trees) {
    refresh(node, tree);
    node = node.nextSibling;
  }
}

/**
 * Whether each description has its node already, in this order: true of most drawings.
 * @param {any} parent
 * @param {(Tree | string)[]} trees
 */
function isInPlace(parent, trees) {
  let node = parent.firstChild;
  for (const tree of trees) {
    if (!node || !isKept(node, tree)) return false;
    node = node.nextSibling;
  }
  return !node;
}

/**
 * Whether a node is of a description's tag and name.
 * @param {any} node
 * @param {Tree | string} tree
 */
function isKept(node, tree) {
  if (node.tree === tree) return true;
  if (typeof tree === "string" || !node.tree) return keyOf(node) === keyFor(tree);
  return node.tree.tag === tree.tag && named(node.tree.attrs) === named(tree.attrs);
}

/**
 * @param {any} parent
 * @param {(Tree | string)[]} trees
 */
function arrange(parent, trees) {
  const kept = new Map();
  for (const node of parent.childNodes) {
    const key = keyOf(node);
    if (kept.has(key)) kept.get(key).push(node);
    else kept.set(key, [node]);
  }
  const drawn = trees.map((tree) => [kept.get(keyFor(tree))?.shift(), tree]);
  // Remove nodes first: then the others are in place, and moving one would end its focus.
  for (const nodes of kept.values()) for (const node of nodes) node.remove();
  let next = parent.firstChild;
  for (const [old, tree] of drawn) {
    const node = old ?? made(tree, parent);
    if (old) refresh(old, tree);
    if (node === next) next = next.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/** @param {Tree | string} tree */
const keyFor = (tree) => (typeof tree === "string" ? "" : `${tree.tag} ${named(tree.attrs)}`);

/** @param {any} node */
function keyOf(node) {
  if (node.nodeType === 3) return "";
  return node.tree ? keyFor(node.tree) : `${node.localName} `;
}

/** @param {Record<string, any>} attrs */
function named(attrs) {
  return attrs.id ?? attrs["data-action"] ?? attrs["data-cell"] ?? "";
}

/**
 * @param {Tree | string} tree
 * @param {any} parent
 */
function made(tree, parent) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const isSvg = tree.tag === "svg" || parent.namespaceURI === SVG;
  const node = isSvg ? document.createElementNS(SVG, tree.tag) : document.createElement(tree.tag);
  refresh(node, tree);
  return node;
}

/**
 * @param {any} node
 * @param {Tree | string} tree
 */
function refresh(node, tree) {
  if (typeof tree === "string") {
    if (node.data !== tree) node.data = tree;
    return;
  }
  // An unchanged description needs no comparison.
  if (node.tree === tree) return;
  const before = node.tree?.attrs ?? attributesOf(node);
  node.tree = tree;
  for (const name in before)
    if (!isGiven(tree.attrs[name]) && isGiven(before[name])) node.removeAttribute(name);
  for (const name in tree.attrs) {
    const value = tree.attrs[name];
    if (value !== before[name] && isGiven(value))
      node.setAttribute(name, value === true ? "" : value);
  }
  place(node, tree.children);
}

/** @param {any} value */
const isGiven = (value) => value !== null && value !== undefined && value !== false;

/**
 * The attributes of a node that the page's own markup made.
 * @param {Element} node
 * @returns {Record<string, any>}
 */
const attributesOf = (node) =>
  Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
