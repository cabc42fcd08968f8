/** Highlight the control of the guide's sentence, on any page of the demo. */

const NARROW = "(max-width: 1000px)";
/** The last highlighted element: it is scrolled into view once, not whenever somebody scrolls. */
/** @type {any} */
let before = null;

/**
 * Put the frame `around` the control of a step, or hide it. The virtual board is a page of another
 * server and highlights its own pawns and cells.
 * @param {HTMLElement} around
 * @param {{pane: string, selector?: string, pawn?: string, cell?: string}|undefined} lit
 */
export function light(around, lit) {
  const board = frameOf("board");
  const { pawn = null, cell = null } = lit ?? {};
  // The highlight is public, and only the demo's server has that page's address.
  board?.contentWindow?.postMessage({ pawn, cell }, "*");
  const frame = lit && frameOf(lit.pane);
  const control = lit?.selector ? pageOf(lit.pane)?.querySelector(lit.selector) : null;
  const shown = control ?? (lit && !lit.selector ? frame : null);
  if (shown && shown !== before) bringIntoView(shown);
  before = shown ?? before;
  for (const pane of document.querySelectorAll(".pane"))
    pane.classList.toggle("lit", Boolean(lit && pane.classList.contains(lit.pane)));
  around.hidden = !control;
  if (control && frame) surround(around, control, frame);
}

/**
 * The page in a pane; null while it loads, or if it is of another server.
 * @param {string} name
 */
export const pageOf = (name) => frameOf(name)?.contentDocument;

/** @returns {HTMLIFrameElement|null} @param {string} name */
const frameOf = (name) => document.querySelector(`.pane.${name} iframe`);

/** @param {any} shown */
function bringIntoView(shown) {
  const isNarrow = matchMedia(NARROW).matches;
  shown.scrollIntoView({ block: isNarrow ? "center" : "nearest" });
}

/**
 * Place the frame around the control, within its pane.
 * @param {HTMLElement} around
 * @param {any} control
 * @param {HTMLIFrameElement} frame
 */
function surround(around, control, frame) {
  const outer = frame.getBoundingClientRect();
  const scale = outer.width / frame.clientWidth;
  const inner = control.getBoundingClientRect();
  const place = {
    left: outer.left + inner.left * scale,
    top: outer.top + inner.top * scale,
    width: inner.width * scale,
    height: inner.height * scale,
  };
  for (const [name, pixels] of Object.entries(place))
    around.style.setProperty(`--${name}`, `${pixels}px`);
}
