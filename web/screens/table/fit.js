/** How large the words of a display are: as in its style, or smaller where they would leave the window, since nobody scrolls there. */

/** Parts of their size, from the largest to the least. */
const SIZES = [1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55];
const BOXES = "main, main > *, .lower, .choices, .panel";
/** What has words that shrink: a drawing alone has none. */
const WORDED = "main > :not(:has(> #field))";
const WORDS = ".banner h1, .banner p";
/** After so long without another drawing a larger size is tried, in milliseconds. */
const REST = 300;

const isWide = (box) =>
  box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).whiteSpace !== "nowrap";
const isHigh = (box) => box.scrollHeight > box.clientHeight + 1;
const boxes = () => [document.scrollingElement, ...document.querySelectorAll(BOXES)];
const isLost = () =>
  boxes().some((box) => isHigh(box) || isWide(box)) ||
  [...document.querySelectorAll(WORDS)].some(isWide);

function isLostAt(at) {
  const size = String(SIZES[at]);
  // Each size is another layout of the page.
  /** @type {NodeListOf<HTMLElement>} */
  const worded = document.querySelectorAll(WORDED);
  for (const { style } of worded)
    if (style.getPropertyValue("--fit") !== size) style.setProperty("--fit", size);
  return isLost();
}

/** The size at which as much more fits as is outside the window now: text that wraps needs room by the square of its size. */
function guess() {
  const part = Math.min(
    ...boxes().map((box) => (box ? box.clientHeight / (box.scrollHeight || 1) : 1)),
  );
  const at = SIZES.findIndex((size) => size * size <= part);
  return at < 0 ? SIZES.length - 1 : Math.max(at, 1);
}

/** The size that each screen had last, null where none helped: the next drawing of it begins there. */
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
 * Choose the largest size at which nothing is outside the window. Its own size keeps a page that people scroll, and one
 * that no size would help.
 */
export function fitWords() {
  clearTimeout(later);
  grow(smaller());
}

/** Take the largest size that has room, from one that has; null is none. */
function grow(size) {
  let at = size;
  while (at > 0 && !isLostAt(at - 1)) at -= 1;
  isLostAt(at ?? 0);
  last.set(screenName(), at);
}

/** The same after a drawing, at once for who presses: in the size that this screen had last, and in a larger one at rest. */
export function fitSoon() {
  clearTimeout(later);
  const name = screenName();
  const at = last.get(name);
  if (at === undefined || (isLostAt(at ?? 0) && at !== null)) last.set(name, smaller());
  const now = last.get(name);
  if (now !== 0) later = setTimeout(() => (now === null ? fitWords() : grow(now)), REST);
}

/** A size at which nothing is outside the window, as little smaller as a guess says; null where none helps. */
function smaller() {
  if (!isLostAt(0)) return 0;
  if (getComputedStyle(document.body).overflowY !== "hidden") return null;
  for (let at = guess(); at < SIZES.length; at += 1) if (!isLostAt(at)) return at;
  isLostAt(0);
  return null;
}
