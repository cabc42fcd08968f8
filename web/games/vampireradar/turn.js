/**
 * A human's turn of Vampire Radar, on the display and on phones: the meaning of a press, and the
 * buttons for shots and landings.
 */
import { button } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { noStep } from "./drawing/board.js";
import { pawnsByCell } from "./drawing/field.js";
import { h } from "../../core/dom.js";
import { plainText, text, seatOf } from "../../core/i18n.js";

/** @param {RadarAction[]} legal @param {string | null} [pawn] */
export const walks = (legal, pawn) =>
  legal.filter((action) => action.type === "walk" && (!pawn || action.pawn === pawn));

/** @param {RadarAction[]} legal @param {any} pawn */
export const shots = (legal, pawn) =>
  legal.filter((action) => action.type === "shoot" && action.pawn === pawn);

/**
 * The meaning of a press on a tile for the seat to move: {walk} to be sent, or {pawn} now chosen
 * (null for none). Without a chosen pawn a free tile means the walk of the only pawn that can go
 * there; on a shared tile pressing again goes through the player's pawns.
 * @param {RadarSnapshot} snapshot @param {string} cell @param {any} chosen
 */
export function tapped({ view, legal, to_move: seat }, cell, chosen) {
  const own = ownPawns(view, cell, seat);
  const ways = walks(legal, chosen).filter(({ to }) => to === cell);
  if (ways.length === 1 && (chosen || !own.length)) return { walk: ways[0] };
  const next = own.indexOf(chosen) + 1;
  return { pawn: own[next] ?? null };
}

/**
 * Why a press on a tile means nothing for the seat to move, which has chosen a pawn or none.
 * @param {RadarSnapshot} snapshot @param {string} cell @param {any} chosen
 */
export function whyNotThere({ view, legal }, cell, chosen) {
  if (view.actions_left === 0) return text("no_actions_left");
  if (chosen && walks(legal, chosen).length)
    return plainText(noStep(view, view.pawns[chosen], cell));
  const [pawn] = pawnsByCell(view.pawns)[cell] ?? [];
  if (pawn) return text("not_your_pawn", { pawn });
  return chosen
    ? text("too_many_pawns_acting", { most: view.options.pawns_per_turn })
    : text("task.pawn");
}

/** @param {RadarView} view @param {string} cell @param {string} seat */
export function ownPawns(view, cell, seat) {
  return Object.keys(view.pawns)
    .sort()
    .filter((pawn) => seatOf(pawn) === seat && view.pawns[pawn] === cell);
}

/**
 * The pencil mark that follows the present one when a tile is pressed.
 * @param {{marks: Record<string, string>}} snapshot @param {string} cell
 */
export function nextMark({ marks }, cell) {
  return { "": "?", "?": "x", x: "" }[marks[cell] ?? ""];
}

/** The free follow-up of a landing; null without one. @param {RadarAction[]} legal */
export function offer(legal) {
  return legal.find(({ type }) => type === "call_radar" || type === "take_bullet") ?? null;
}

/**
 * The offer of a landing that was not declined; null without one. `declined`: the offer as JSON.
 * @param {RadarAction[]} legal @param {any} declined
 */
export function stillOffered(legal, declined) {
  const landed = offer(legal);
  return landed && declined !== JSON.stringify(landed) ? landed : null;
}

/**
 * Return the sentence of what the seat to move may do now. `ui`: {pawn, aim, declined, marking}.
 * @param {RadarSnapshot} snapshot @param {Record<string, any>} choices
 */
export function turnTask({ legal, view }, { pawn, aim, declined, marking }) {
  if (marking) return text("task.mark");
  const landed = stillOffered(legal, declined);
  if (landed) return text(`task.${landed.type}`);
  if (view.actions_left === 0) return text("task.end");
  if (!pawn) return text("task.pawn");
  if (aim) return text("task.shoot");
  const [canWalk, canShoot] = [walks(legal, pawn).length > 0, shots(legal, pawn).length > 0];
  return text(
    canWalk && canShoot
      ? "task.both"
      : canWalk
        ? "task.walk"
        : canShoot
          ? "task.arrow"
          : "task.pawn",
  );
}

/**
 * Four arrows to aim a pawn; the second press on the same one fires.
 * @param {RadarAction[]} legal @param {any} pawn @param {any} aim
 */
export function arrows(legal, pawn, aim) {
  const can = shots(legal, pawn).length > 0;
  return ["W", "N", "S", "E"]
    .filter(() => can)
    .map((direction) => {
      const isAimed = aim === direction;
      return button(
        ["shoot", direction],
        [icon(direction), icon("bullet", "bullet"), isAimed && h("span.word", text("act.fire"))],
        {
          class: `arrow${isAimed ? " prime" : ""}`,
          "aria-pressed": String(isAimed),
          "aria-label": text(isAimed ? "act.fire.at" : "act.aim", { direction }),
        },
      );
    });
}

/** The button for a landing's offer, and the one to decline it. @param {RadarAction} action */
export function offered(action) {
  const name = action.type === "call_radar" ? "radar" : "bullet";
  return [
    button(name, [icon(name), text(`act.${name}`)], { class: "prime glow" }),
    button("decline", text("no")),
  ];
}
