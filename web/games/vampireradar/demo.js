/** VampireRader in the demo: who sits where, and the guided first night, from the public picture alone. */
import { scene } from "../../core/snapshot.js";
import { text } from "../../core/i18n.js";
import { FIRST_FIELD } from "./tiles/field_setup.js";

/** The game that is proposed, the seats of the two phones by the names of their panes, and the bot's seat and level. */
export const proposal = { players: 3, field: FIRST_FIELD };
export const phones = { vampire: "V", human: "H1" };
export const bot = { seat: "H2", level: "heuristic" };

/** What the virtual board's page calls its tiles. */
export const boardWords = () => ({
  bullet: text("tile.bullet"),
  bat: text("tile.bat"),
  radar: text("tile.radar"),
});

/** What the vampire's phone shows, which is a pane of this very page: its cover, its secret part, or that it was sent. */
export function phoneShows(before) {
  const phone = document.querySelector("iframe[name=vampire]")?.contentDocument;
  if (phone?.getElementById("end-night")) return "act";
  return before === "done" || phone?.getElementById("plan") ? "done" : "look";
}

/** The chapters in their order; each has its sentences under `guide.NAME`. */
export const CHAPTERS = ["hide", "human", "bot", "night", "dawn"];

/**
 * The chapter after `before` (null at first), given the public picture; null when the guide is over.
 * It goes forward only: an undo or a second round brings no chapter back.
 * @param {object} picture
 * @param {string|null} before
 */
export function chapter(picture, before) {
  if (before === "over") return "over";
  const now = chapterOf(picture, before);
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

function chapterOf(picture, before) {
  const shown = scene(picture);
  if (shown === "lobby" || shown === "choosing") return "hide";
  if (shown === "night") return "night";
  if (shown === "over") return "over";
  const isTold = before === "night" || before === "dawn";
  if (isTold) return before === "dawn" && picture.to_move !== phones.human ? "over" : "dawn";
  return picture.to_move === phones.human ? "human" : "bot";
}
