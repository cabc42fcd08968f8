/** How large the words of a display are: as in its style, or smaller where they would leave the window, since nobody scrolls there. */

/** Parts of their size, from the largest to the least. */
const SIZES = [1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55];
const BOXES = "main, main > *, .lower, .choices, .panel";

const WORDS = ".banner h1, .banner p";

const isWide = (box) =>
  box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).whiteSpace !== "nowrap";
const isHigh = (box) => box.scrollHeight > box.clientHeight + 1;
const isLost = () =>
  [document.scrollingElement, ...document.querySelectorAll(BOXES)].some(
    (box) => isHigh(box) || isWide(box),
  ) || [...document.querySelectorAll(WORDS)].some(isWide);

/**
 * Choose the largest size at which nothing is outside the window. Its own size keeps a page that people scroll, and one
 * that no size would help.
 */
export function fitWords() {
  const { style } = document.documentElement;
  const isLostAt = (at) => {
    style.setProperty("--fit", String(SIZES[at]));
    return isLost();
  };
  if (!isLostAt(0) || getComputedStyle(document.body).overflowY !== "hidden") return;
  let [isTooLarge, fits] = [0, SIZES.length - 1];
  if (isLostAt(fits)) fits = 0;
  while (fits - isTooLarge > 1) {
    const middle = (isTooLarge + fits) >> 1;
    if (isLostAt(middle)) isTooLarge = middle;
    else fits = middle;
  }
  isLostAt(fits);
}
