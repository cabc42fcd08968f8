/** What a page shows as markup, to be compared. */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Return a description of `web/core/dom.js` as markup. */
export function renderToString(tree) {
  if (typeof tree === "string") return tree.replace(/[&<>"]/g, (sign) => ESCAPED[sign]);
  const attrs = Object.entries(tree.attrs)
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([name, value]) => ` ${name}="${renderToString(value === true ? "" : String(value))}"`);
  return `<${tree.tag}${attrs.join("")}>${tree.children.map(renderToString).join("")}</${tree.tag}>`;
}
