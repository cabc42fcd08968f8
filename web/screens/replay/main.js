/** The page /replay: shows a finished game, or a notice during one, and leaves when the next game begins. */
import { otherLight } from "../../core/controls.js";
import { openReplay } from "./controls.js";
import { followPublic } from "../../core/stream.js";
import { applyStyles, loadStyles } from "../../core/styles.js";
import { h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  text,
  useWordsOf,
} from "../../core/i18n.js";

/** @type {Record<string, string>} */
const BACK = { "#table": "/table", "#seat": "/seat" };
const back = BACK[location.hash] ?? null;
/** @param {string} code */
const waiting = (code) =>
  render(document.getElementById("screen"), [
    h(
      "main",
      { class: "wait" },
      h("h1", {}, text("replay")),
      h("p", { id: "wait" }, text(code)),
      back && h("a", { class: "button", id: "back", href: back }, text("back")),
    ),
  ]);
let isOpen = false;

/** @param {Update} update */
async function show({ snapshot }) {
  const isOver = snapshot.phase === "over";
  if (isOpen && !isOver) location.replace(back ?? "/table");
  if (isOpen) return;
  if (!isOver) return waiting("replay.wait");
  const reply = await fetch("/replay.json", { cache: "no-store" });
  const answer = await reply.json();
  if (!reply.ok) return waiting(answer.code);
  if (isOpen) return;
  isOpen = true;
  const { game } = answer;
  const [{ replay: format }] = await Promise.all([
    import(`../../games/${game}/replay.js`),
    loadStyles(game, "replay"),
    loadGameWords(game, "replay"),
  ]);
  await loadStyles(game, ...(format.styles ?? []));
  applyStyles(game);
  useWordsOf(game);
  const draw = openReplay(answer, {
    format,
    back,
    isFile: false,
    isAuto: back !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    chooseLanguage: nextLanguage,
    chooseLight: otherLight,
  });
  followLanguage(draw);
}

await loadWords(null, "replay");
waiting("replay.wait");
followPublic(show, () => {});
