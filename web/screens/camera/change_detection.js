/** Detect changes of the view in small grey pictures. */

/** Grey levels by which a pixel must differ. */
const STEP = 20;
/** Share of the pixels that must differ: a pawn's cap covers some 25 of 19,200. */
const SHARE = 0.0006;
/** Comparisons without a movement after which the view is settled. */
const SETTLE_LOOKS = 1;

/** Grey levels (0 to 255) of RGBA pixels. @param {Uint8ClampedArray} rgba */
export function greyOf(rgba) {
  const grey = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < grey.length; at++) {
    grey[at] = (rgba[4 * at] * 77 + rgba[4 * at + 1] * 150 + rgba[4 * at + 2] * 29) >> 8;
  }
  return grey;
}

/**
 * Whether two grey pictures differ by more than noise; ignores a change of the overall brightness.
 * @param {Uint8Array} one @param {Uint8Array} other
 */
export function differs(one, other) {
  if (one.length !== other.length) return true;
  let light = 0;
  for (let at = 0; at < one.length; at++) light += other[at] - one[at];
  light /= one.length;
  let many = 0;
  for (let at = 0; at < one.length; at++) {
    if (Math.abs(other[at] - one[at] - light) > STEP) many++;
  }
  return many > SHARE * one.length;
}

/** Compares views: `look` returns the state of the view, `sent` stores it as sent. */
export class ChangeWatch {
  /** @type {any} */
  #last = null;
  /** @type {any} */
  #sent = null;
  #rest = 0;

  /** Return "moving", "changed" (settled, and not sent) or "same". @param {Uint8Array} view */
  look(view) {
    const isMoving = this.#last === null || differs(this.#last, view);
    this.#last = view;
    this.#rest = isMoving ? 0 : this.#rest + 1;
    if (this.#rest < SETTLE_LOOKS) return "moving";
    return this.#sent !== null && !differs(this.#sent, view) ? "same" : "changed";
  }

  /** Store the last view as the sent one. */
  sent() {
    this.#sent = this.#last;
  }
}
