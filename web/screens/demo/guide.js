/** The guided first night of the demo: which chapter it is, from the public picture alone. */
import { scene } from "../../core/snapshot.js";

/** The chapters in their order; each has its sentences under `guide.NAME`. */
export const CHAPTERS = ["hide", "human", "bot", "night", "dawn"];

/**
 * The chapter after `before` (null at first), given the public picture; null when the guide is over.
 * It goes forward only: an undo or a second round brings no chapter back.
 * @param {object} picture
 * @param {string|null} before
 * @param {string} mine the human's seat that is played by hand
 */
export function chapter(picture, before, mine) {
  if (before === "over") return "over";
  const now = chapterOf(picture, before, mine);
  return CHAPTERS.indexOf(now) < CHAPTERS.indexOf(before) && now !== "over" ? before : now;
}

/**
 * The name of the sentence of a chapter: what the vampire's phone shows ("look", "act" or "done") says how far a night
 * is, the public picture how far a turn is.
 */
export function sentence(at, { view }, phone) {
  if (at === "hide" || at === "night") return `${at}.${phone}`;
  if (at !== "human") return at;
  return `human.${view.actions_left > 1 ? "walk" : view.actions_left === 1 ? "more" : "end"}`;
}

function chapterOf(picture, before, mine) {
  const shown = scene(picture);
  if (shown === "lobby" || shown === "choosing") return "hide";
  if (shown === "night") return "night";
  if (shown === "over") return "over";
  const isTold = before === "night" || before === "dawn";
  if (isTold) return before === "dawn" && picture.to_move !== mine ? "over" : "dawn";
  return picture.to_move === mine ? "human" : "bot";
}
