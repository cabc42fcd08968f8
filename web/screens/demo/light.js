/** Highlight the control of the guide's sentence, on any page of the demo. */

const NARROW = "(max-width: 1000px)";
/** The last highlighted element: it is scrolled into view once, not whenever somebody scrolls. */
/** @type {any} */
let before = null;

/**
 * Put the frame `around` the control of a step, or hide it. The virtual board is a page of another
 * server and highlights its own pawns and cells. A `lit` without a pane is a control of this page.
 * @param {HTMLElement} around
 * @param {{pane?: string, selector?: string, pawn?: string, cell?: string}|undefined} lit
 */
export function light(around, lit) {
  const board = frameOf("board");
  const { pawn = null, cell = null } = lit ?? {};
  // The highlight is public, and only the demo's server has that page's address.
  board?.contentWindow?.postMessage({ pawn, cell }, "*");
  const frame = lit?.pane ? frameOf(lit.pane) : null;
  const page = lit?.pane ? frame?.contentDocument : document;
  const control = lit?.selector ? page?.querySelector(lit.selector) : null;
  const target = control ?? (lit && !lit.selector ? frame : null);
  if (target && target !== before) bringIntoView(target);
  before = target ?? before;
  for (const pane of document.querySelectorAll(".pane"))
    pane.classList.toggle("lit", Boolean(lit?.pane && pane.classList.contains(lit.pane)));
  around.hidden = !control;
  if (control) surround(around, control, frame);
}

/** The page in a pane; null while it loads, or if it is of another server. @param {string} name */
export const pageOf = (name) => frameOf(name)?.contentDocument;

/** @returns {HTMLIFrameElement|null} @param {string} name */
const frameOf = (name) => document.querySelector(`.pane.${name} iframe`);

/** @param {any} target */
function bringIntoView(target) {
  const isNarrow = matchMedia(NARROW).matches;
  target.scrollIntoView({ block: isNarrow ? "center" : "nearest" });
}

/**
 * Place the frame around the control, within its pane.
 * @param {HTMLElement} around @param {any} control @param {HTMLIFrameElement | null} frame
 */
function surround(around, control, frame) {
  for (const [name, pixels] of Object.entries(placeOf(control, frame)))
    around.style.setProperty(`--${name}`, `${pixels}px`);
}

/**
 * The place of an element on this page.
 * @param {Element} element
 * @param {HTMLIFrameElement | null} frame the pane that it is in
 */
function placeOf(element, frame) {
  const inner = element.getBoundingClientRect();
  if (!frame) return { left: inner.left, top: inner.top, width: inner.width, height: inner.height };
  const outer = frame.getBoundingClientRect();
  const scale = outer.width / frame.clientWidth;
  return {
    left: outer.left + inner.left * scale,
    top: outer.top + inner.top * scale,
    width: inner.width * scale,
    height: inner.height * scale,
  };
}

/** Lay a drawing over the board, or hide it. @param {HTMLElement} over @param {boolean} isShown */
export function layOver(over, isShown) {
  const board = isShown && pageOf("table")?.querySelector("#field");
  over.hidden = !board;
  if (!board) return;
  for (const [name, pixels] of Object.entries(placeOf(board, frameOf("table"))))
    over.style.setProperty(`--${name}`, `${pixels}px`);
}
