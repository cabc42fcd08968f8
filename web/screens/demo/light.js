/** Highlight the control that the guide's sentence means, on whichever page of the demo it is. */

const NARROW = "(max-width: 1000px)";
/** The element that was lit last: it is brought into view once, not whenever somebody scrolls. */
/** @type {any} */
let before = null;

/**
 * Put the frame `around` the control that a step lights, or around nothing. The virtual board is a page of another server
 * and lights its own pawns and cells.
 * @param {HTMLElement} around
 * @param {{pane: string, selector?: string, pawn?: string, cell?: string}|undefined} lit
 */
export function light(around, lit) {
  const board = frameOf("board");
  const { pawn = null, cell = null } = lit ?? {};
  // What is lit there is public, and only the demo's server has that page's address.
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

/** The page in a pane; nothing while it loads, or if it is of another server. */
export const pageOf = (name) => frameOf(name)?.contentDocument;

/** @returns {HTMLIFrameElement|null} */
const frameOf = (name) => document.querySelector(`.pane.${name} iframe`);

function bringIntoView(shown) {
  const isNarrow = matchMedia(NARROW).matches;
  shown.scrollIntoView({ block: isNarrow ? "center" : "nearest" });
}

/** Place the frame around the control, within its pane. */
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
