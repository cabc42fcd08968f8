/** The page /replay: it shows a game that is over, says so as long as one is played, and goes back when the next begins. */
import { ready as readyCards } from "../../games/shisogari/cards.js";
import { ready as readyCourt } from "../../games/vampire_empire/court.js";
import { otherLight } from "../../core/controls.js";
import { openReplay } from "./controls.js";
import { followPublic } from "../../core/stream.js";
import { h, render } from "../../core/dom.js";
import { ready as readyWars } from "../../games/vwars/board.js";
import { followLanguage, loadWords, nextLanguage, text } from "../../core/i18n.js";

const BACK = { "#table": "/table", "#seat": "/seat" };
const back = BACK[location.hash] ?? null;
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
let story = null;

async function inNextLanguage() {
  await nextLanguage();
  await dressed();
}

/** Load what only a game of cards, or V-Wars, needs. */
async function dressed() {
  const { backs, castle, cities } = story.moments[0].view;
  if (backs) await readyCards();
  if (castle) await readyCourt();
  if (cities) await readyWars();
}

async function show({ picture }) {
  const isOver = picture.phase === "over";
  if (isOpen && !isOver) location.replace(back ?? "/table");
  if (isOpen) return;
  if (!isOver) return waiting("replay.wait");
  const reply = await fetch("/replay.json", { cache: "no-store" });
  const answer = await reply.json();
  if (!reply.ok) return waiting(answer.code);
  if (isOpen) return;
  [isOpen, story] = [true, answer];
  await dressed();
  const draw = openReplay(story, {
    back,
    isFile: false,
    chooseLanguage: inNextLanguage,
    chooseLight: otherLight,
  });
  followLanguage(() => dressed().then(draw));
}

await loadWords(null, "replay");
waiting("replay.wait");
followPublic(show, () => {});
