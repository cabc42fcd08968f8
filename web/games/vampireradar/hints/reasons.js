/**
 * The reasons of an answer: the rule's sentence and the arithmetic, from the public snapshot alone.
 * It uses public data only: an example tile is the first one of the board that fits the numbers.
 */
import { lastAnswer, nightSummary } from "../snapshot.js";
import { at, CELLS, distanceOf, neighbour, shotCells } from "../drawing/field.js";

/**
 * The sentences of `reasons`, each {code, params}: for the last answer, and for the night that was published last.
 * @param {RadarSnapshot} snapshot
 */
export function reasons(snapshot) {
  /** @type {any} */
  const event = lastAnswer(snapshot)?.event;
  return [...(REASONS[event?.event]?.(event, snapshot.view) ?? []), ...night(snapshot.log)];
}

/** @type {Record<string, (event: any, view: RadarView) => Message[]>} */
const REASONS = {
  radar_called({ cell, distance }) {
    const example = CELLS.find((other) => distance > 0 && distanceOf(cell, other) === distance);
    return [
      { code: "why.radar", params: { cell, distance } },
      example
        ? {
            code: `why.radar.example.${at(example)[1] < at(cell)[1] ? "up" : "down"}`,
            params: { cell, other: example, ...apart(cell, example), distance },
          }
        : { code: "why.radar.zero", params: { cell } },
      { code: "why.radar.then", params: {} },
    ];
  },
  shot_fired({ cell, direction, hit }, view) {
    // Where that rule holds, the pawns of that moment ended the line, and they may have gone on since.
    if (view.options.pawns_block_shots)
      return [{ code: "why.shot.pawns", params: { cell, direction } }];
    /** @type {any[]} */
    const line = shotCells(cell, direction, view);
    const next = neighbour(line.at(-1), direction);
    return [
      { code: "why.shot", params: { cell, direction, cells: line.join(" ") } },
      next
        ? { code: "why.shot.wall", params: { cell: line.at(-1), other: next } }
        : { code: "why.shot.edge", params: { cell: line.at(-1) } },
      { code: hit ? "why.shot.hit" : "why.shot.miss", params: { cells: line.join(" "), cell } },
    ];
  },
};

/** @param {LogEntry[]} log */
function night(log) {
  const { isOver, announced } = nightSummary(log) ?? { announced: [] };
  const kinds = [...new Set(announced.map(({ event }) => event.event))];
  return [
    ...kinds.map((kind) => ({ code: `why.${kind}`, params: {} })),
    ...(isOver ? [{ code: announced.length ? "why.night" : "why.night.quiet", params: {} }] : []),
  ];
}

/** @param {string} cell @param {string} other */
const apart = (cell, other) => ({
  across: Math.abs(at(cell)[0] - at(other)[0]),
  along: Math.abs(at(cell)[1] - at(other)[1]),
});
