/** The instruction sheet: which printed tile lies where, how it is turned, and what is still to do. Pure descriptions. */
import { at } from "../drawing/field.js";
import { shape } from "../../../core/icons.js";
import { h } from "../../../core/dom.js";

/** The sheet's tiles as {cell, number, turn, state, seen}, in order. @param {RadarSheet} sheet */
export function steps({ tiles }) {
  return Object.entries(tiles)
    .map(([cell, [number, turn, state, seen]]) => ({ cell, number, turn: turn ?? 0, state, seen }))
    .sort((a, b) => at(a.cell)[1] - at(b.cell)[1] || at(a.cell)[0] - at(b.cell)[0]);
}

/** What is next: a mistake, a tile, null when all is done. @param {RadarSheet} sheet */
export function nextStep(sheet) {
  const open = steps(sheet).filter(({ state }) => state !== "done");
  return open.find(({ state }) => state !== "todo") ?? open[0] ?? null;
}

/** How many tiles lie as they should. @param {RadarSheet} sheet */
export const done = (sheet) => steps(sheet).filter(({ state }) => state === "done").length;

/** The message of a step, as a code and its parameters. @param {RadarStep} step */
export function stepText({ cell, number, state, seen }) {
  /** @type {Record<string, string>} */
  const codes = {
    done: "sheet.right",
    turn: "sheet.turn",
    wrong: "sheet.wrong",
    todo: "sheet.todo",
  };
  return { code: codes[state], params: { cell, number, seen } };
}

/**
 * A step upon its tile, around the tile's middle: the number, the notch on the side that it must look to, a tick.
 * @param {RadarStep} step @param {boolean} isNext
 */
export function drawStep({ number, turn, state }, isNext) {
  return h(
    "g",
    { class: `step ${state}${isNext ? " next" : ""}` },
    h("rect.frame", { x: -44, y: -44, width: 88, height: 88, rx: 8 }),
    h("path.notch", { d: "M0-40 9-28H-9Z", transform: `rotate(${turn})` }),
    h("text.number", { x: -24, y: 38 }, number),
    state === "done" && h("g.tick", { transform: "translate(28 28) scale(.42)" }, shape("check")),
    state === "wrong" && h("g.tick", { transform: "translate(28 28) scale(.42)" }, shape("cross")),
  );
}
