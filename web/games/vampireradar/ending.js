/**
 * The end of Vampire Radar on the display: what happened, and three facts of the finished game,
 * computed by the table for its replay and by this page's proof.
 */
import { fetchComputed } from "../../core/computed.js";
import { h } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { message, rich, seatOf, text } from "../../core/i18n.js";
import { isOnPaper } from "../../core/snapshot.js";
import { lastShot } from "./snapshot.js";
import { known } from "./whole_path.js";

/** The figures of the finished game, by the position at its end. */
/** @type {{at: number | null, figures: Message[]}} */
let counted = { at: null, figures: [] };

/**
 * Fetch the figures of a finished game, once, then `draw`.
 * @param {{phase: string, position: number}} snapshot @param {() => unknown} draw
 */
export async function fetchFigures({ phase, position }, draw) {
  if (phase !== "over" || counted.at === position) return;
  const mine = { at: position, figures: [] };
  counted = mine;
  const replay = await fetchComputed("/replay.json");
  if (!replay?.figures) return;
  mine.figures = replay.figures;
  draw();
}

/** Who has won, and how. @param {RadarSnapshot} snapshot @param {Message | null} notice */
export const headline = (snapshot, notice) =>
  h(
    "header#banner.headline",
    h("h1", text(`end.winner.${snapshot.outcome.winner}`)),
    h("p#happened", notice ? message(notice) : happened(snapshot)),
  );

/** @param {RadarSnapshot} snapshot */
function happened({ outcome: { reason }, log }) {
  const here = known.cells?.at(-1);
  const shot = lastShot({ log });
  if (reason === "vampire_dead" && shot?.hit && here) {
    const { pawn, cell } = shot;
    return [...rich("end.shot", { seat: seatOf(pawn), cell, other: here }), ...stayed(here)];
  }
  return [text(`end.reason.${reason}`), here ? ` ${text("task.here", { cell: here })}` : ""];
}

/** How long the vampire had stood where it was found, from two nights on. @param {string} here */
function stayed(here) {
  /** @type {{path: string[]}[]} */
  const nights = known.proof?.nights ?? [];
  const n = nights.length - 1 - nights.findLastIndex(({ path }) => path.at(-1) !== here);
  return n > 1 ? [" ", text("end.still", { n })] : [];
}

/** At most three facts; each stands only where the game has it. @param {RadarSnapshot} snapshot */
export function facts(snapshot) {
  /** @param {string} code */
  const figure = (code) => counted.figures.find((each) => each.code.startsWith(code))?.params;
  const [closest, missed] = [figure("figure.closest"), figure("figure.missed")];
  const { answers = 0, wrong = null } = known.proof ?? {};
  /** @type {[Child, Child][]} */
  const all = [];
  if (closest) all.push([text("fact.steps", { n: closest.n ?? 0 }), rich("fact.closest", closest)]);
  if (missed) all.push([text("fact.tiles", missed), rich("fact.missed", missed)]);
  if (wrong) all.push([icon("cross"), text("proof.wrong")]);
  else if (answers > 0 && !isOnPaper(snapshot))
    all.push([`${answers} / ${answers}`, text("fact.answers")]);
  return (
    all.length > 0 &&
    h(
      "ul#facts.facts",
      all.map(([number, words]) => h("li", h("b", number), h("p", words))),
    )
  );
}
