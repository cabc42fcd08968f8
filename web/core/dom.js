/**
 * Elements described as plain values: drawing is a pure function that runs under node, `render` makes it real.
 * A described element is {tag, attrs, children}; a child is another one or a string.
 */
const SVG = "http://www.w3.org/2000/svg";
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Describe an element. Attributes that are null or false are left out, true is an empty value. */
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

function child(value) {
  return typeof value === "object" ? value : String(value);
}

/** Write a description out as markup. */
export function renderToString(tree) {
  if (typeof tree === "string") return tree.replace(/[&<>"]/g, (sign) => ESCAPED[sign]);
  const attrs = given(tree.attrs).map(([name, value]) => ` ${name}="${renderToString(value)}"`);
  return `<${tree.tag}${attrs.join("")}>${tree.children.map(renderToString).join("")}</${tree.tag}>`;
}

/** @returns {[string, string][]} */
function given(attrs) {
  return Object.entries(attrs)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => [name, value === true ? "" : String(value)]);
}

/**
 * Make the children of `parent` what is described, keeping the nodes that fit: focus, presses under way and
 * the live region survive. A node is kept only for the same tag and the same name (id, action, cell).
 */
export function render(parent, trees) {
  const old = [...parent.childNodes];
  trees
    .flat(Infinity)
    .filter(Boolean)
    .forEach((tree, index) => {
      const node = old[index];
      if (node && fits(node, tree)) refresh(node, tree);
      else if (node) node.replaceWith(made(tree, parent));
      else parent.append(made(tree, parent));
      old[index] = null;
    });
  for (const node of old) node?.remove();
}

function named(attrs) {
  return attrs.id ?? attrs["data-action"] ?? attrs["data-cell"] ?? "";
}

function fits(node, tree) {
  if (typeof tree === "string") return node.nodeType === 3;
  return node.localName === tree.tag && (node.treeName ?? "") === named(tree.attrs);
}

function made(tree, parent) {
  if (typeof tree === "string") return document.createTextNode(tree);
  const isSvg = tree.tag === "svg" || parent.namespaceURI === SVG;
  const node = isSvg ? document.createElementNS(SVG, tree.tag) : document.createElement(tree.tag);
  node.treeName = named(tree.attrs);
  refresh(node, tree);
  return node;
}

function refresh(node, tree) {
  if (typeof tree === "string") {
    if (node.data !== tree) node.data = tree;
    return;
  }
  const attrs = new Map(given(tree.attrs));
  for (const { name } of [...node.attributes]) if (!attrs.has(name)) node.removeAttribute(name);
  for (const [name, value] of attrs)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  render(node, tree.children);
}
