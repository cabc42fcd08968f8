/**
 * The end of Vampire Radar on the display: what happened, and three facts of the finished game,
 * computed by the table for its replay and by this page's proof.
 */
import { h } from "../../core/dom.js";
import { message, rich, seatOf, text } from "../../core/i18n.js";
import { lastShot } from "./snapshot.js";
import { known } from "../../proof/whole_path.js";
import { factList } from "../../screens/table/ending.js";

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

/** @type {[string, (params: any) => Child, string][]} */
const FACTS = [
  ["figure.closest", ({ n = 0 }) => text("fact.steps", { n }), "fact.closest"],
  ["figure.closest.same", () => text("fact.steps", { n: 0 }), "fact.closest"],
  ["figure.missed", (params) => text("fact.tiles", params), "fact.missed"],
];

/** @param {RadarSnapshot} snapshot */
export const facts = (snapshot) => factList(snapshot, FACTS);
