/** The controls that a page has now, as a screen reader finds them, and presses of them. */
import { handled } from "../controls.js";
import { letterOf, pawnName } from "../i18n.js";
import { wordsOf } from "./matching.js";

/** What a screen reader finds; what a finger alone can press is elsewhere too, as a button. */
const CONTROLS = "button, a[href], summary, input, select, textarea, [data-cell], [data-why-not]";
/** Typed or chosen by hand: a press puts the focus there. */
const FIELDS =
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), select, textarea";

/** The accessible name of an element, nearly. @param {any} element @returns {string} */
export function nameOf(element) {
  const own = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent;
  return plain(own ?? (textOf(element) || element.getAttribute("placeholder") || ""));
}

/** What a screen reader reads of a node, spaced. @param {any} node @returns {string} */
export function textOf(node) {
  if (node.nodeType === 3) return node.data;
  if (node.nodeType !== 1 || node.getAttribute("aria-hidden") === "true") return "";
  const label = node.getAttribute("aria-label") ?? node.getAttribute("alt");
  return label ? ` ${label} ` : [...node.childNodes].map(textOf).join(" ");
}

/** @param {string} words */
export const plain = (words) =>
  words
    .replaceAll("\u00ad", "")
    .replace(/\s+/g, " ")
    .replace(/ (?=[,;.])/g, "")
    .trim();

/** @param {any} element */
const isVisible = (element) =>
  element.checkVisibility?.({ visibilityProperty: true }) !== false && !element.closest("[inert]");

/**
 * The controls below `root` that have a name, in their order. Equal names are told apart by a
 * number behind the second one and those after it.
 * @param {Element} root
 * @returns {PageControl[]}
 */
export function readControls(root) {
  const controls = [...root.querySelectorAll(CONTROLS)]
    // A press cannot hold: the toggle beside it does the same.
    .filter((element) => element.id !== "hold" && isVisible(element))
    .map(readControl)
    .filter(({ name }) => wordsOf(name).length);
  const times = new Map();
  for (const control of controls) {
    const key = wordsOf(control.name).join(" ");
    const n = (times.get(key) ?? 0) + 1;
    times.set(key, n);
    if (n > 1) control.name += ` ${n}`;
    control.names.unshift(wordsOf(control.name));
  }
  return controls;
}

/** @param {any} element @returns {PageControl} */
function readControl(element) {
  const { action = "", arg = "", cell, whyNot } = element.dataset;
  const isOff = element.getAttribute("aria-disabled") === "true" || Boolean(element.disabled);
  const pawn = /^H\d[a-h]$/.test(arg) ? [letterOf(arg), pawnName(arg)] : [];
  return {
    element,
    action,
    place: cell ?? null,
    name: nameOf(element),
    names: [cell ?? [], pawn].flat().map(wordsOf),
    isOff: isOff || Boolean(whyNot),
    whyNot: whyNot ?? null,
  };
}

/**
 * Press a control as a finger does; fulfilled when the page has handled it.
 * @param {PageControl} control
 */
export async function press({ element }) {
  if (element.matches(FIELDS)) return element.focus();
  element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  await handled;
}
