/** The vampire's hearts, full ones first. */
import { icon } from "../../../core/icons.js";
import { h } from "../../../core/dom.js";
import { text } from "../../../core/i18n.js";

/** @param {number} left @param {number} most */
export function hearts(left, most) {
  return Array.from({ length: most }, (_, index) => icon("heart", index < left ? "full" : "empty"));
}

/**
 * Return the hearts as one image with a label; `more`: what follows them.
 * @param {{hp: number, max_hp: number}} view @param {Record<string, any>} [attrs]
 * @param {...Child} more
 */
export const heartsImage = ({ hp, max_hp: most }, attrs = {}, ...more) =>
  h(
    "span",
    { ...attrs, role: "img", "aria-label": text("hearts", { n: hp }) },
    hearts(hp, most),
    ...more,
  );
