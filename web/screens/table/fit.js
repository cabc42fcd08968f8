/**
 * Choose the text size of a display: as in its style, or smaller if it would overflow the window,
 * since nobody scrolls there.
 */

/** Factors of the size, from the largest to the smallest. */
const SIZES = [1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55];
const BOXES = "main, main > *, .lower, .choices, .panel";
/** The elements whose text shrinks: a drawing alone has none. */
const WORDED = "main > :not(:has(> #field))";
const WORDS = ".banner h1, .banner p, .who";
/** Milliseconds without another drawing after which a larger size is tried. */
const REST = 300;

/** @param {Element} box */
const isWide = (box) =>
  box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).whiteSpace !== "nowrap";
/** @param {Element} box */
const isHigh = (box) => box.scrollHeight > box.clientHeight + 1;
/** @returns {any[]} */
const boxes = () => [document.scrollingElement, ...document.querySelectorAll(BOXES)];
const isLost = () =>
  boxes().some((box) => isHigh(box) || isWide(box)) ||
  [...document.querySelectorAll(WORDS)].some(isWide);

/** @param {number} at */
function isLostAt(at) {
  const size = String(SIZES[at]);
  // Each size needs another layout of the page.
  /** @type {NodeListOf<HTMLElement>} */
  const worded = document.querySelectorAll(WORDED);
  for (const { style } of worded)
    if (style.getPropertyValue("--fit") !== size) style.setProperty("--fit", size);
  return isLost();
}

/** The size at which the overflow fits: the area of text grows with the square of its size. */
function guess() {
  const part = Math.min(
    ...boxes().map((box) => (box ? box.clientHeight / (box.scrollHeight || 1) : 1)),
  );
  const at = SIZES.findIndex((size) => size * size <= part);
  return at < 0 ? SIZES.length - 1 : Math.max(at, 1);
}

/** The last size of each screen, null if none helped: its next drawing begins there. */
const last = new Map();
const screenName = () =>
  [
    innerWidth,
    innerHeight,
    document.documentElement.lang,
    document.documentElement.className,
    document.querySelector("main")?.className,
  ].join(" ");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/**
 * Choose the largest size at which nothing overflows the window. A page that people scroll, and one
 * that no size would help, keeps its own size.
 */
export function fitWords() {
  clearTimeout(later);
  grow(smaller());
}

/** Set the largest size that fits, starting from one that fits; null is none. @param {any} size */
function grow(size) {
  let at = size;
  while (at > 0 && !isLostAt(at - 1)) at -= 1;
  isLostAt(at ?? 0);
  last.set(screenName(), at);
}

/** The same after a drawing, at once after a press: the last size, and a larger one at rest. */
export function fitSoon() {
  clearTimeout(later);
  const name = screenName();
  const at = last.get(name);
  if (at === undefined || (isLostAt(at ?? 0) && at !== null)) last.set(name, smaller());
  const now = last.get(name);
  if (now !== 0) later = setTimeout(() => (now === null ? fitWords() : grow(now)), REST);
}

/** The largest size at which nothing overflows the window, by an estimate; null if none helps. */
function smaller() {
  if (!isLostAt(0)) return 0;
  if (getComputedStyle(document.body).overflowY !== "hidden") return null;
  for (let at = guess(); at < SIZES.length; at += 1) if (!isLostAt(at)) return at;
  isLostAt(0);
  return null;
}
