/** The picture of the end. */
import { h } from "../../core/dom.js";

/** The lamp's place, how far its light falls, and where its post stands. */
const LIGHT = "M0-34 46 50H-46Z";
const POST = "M-2 50V-30H2V50ZM-9-30-5-40H5L9-30Z";
const ROOFS =
  "M-160 50V14L-142 2-124 14V24H-108V-2H-84V20L-70 10-56 20V50ZM56 50V22H74V4L90-8 106 4V16H122V-4H142V50Z";
const WINDOWS =
  "M-146 18H-138V28H-146ZM-100 6H-92V16H-100ZM-74 26H-66V36H-74ZM86 8H94V18H86ZM128 4H136V14H128ZM64 28H70V36H64Z";
/** A figure in hat and coat, standing on 0. */
const FIGURE =
  "M-13-40H-8L-7-50H7L8-40H13V-37H8Q7-30 4-28 13-24 14 0H-14Q-13-24-4-28-7-30-8-37H-13Z";
/** A pawn, standing on 0. */
const PAWN = "M-9 0V-4L-4-18A8 8 0 1 1 4-18L9-4V0Z";

const DARK = "#05090e";

/** The streets' middles: a wide screen shows what lies beside the picture too. */
const STREETS = [-304, 0, 304];
const HUNTERS = [-34, -20, 20, 34];

/**
 * Describe the end: the fugitive in the lamp's light among pawns, or on the roofs under the moon while the street below
 * is searched; at a draw an empty street.
 * @param {string} winner
 */
export const triumph = (winner) =>
  h(
    "svg.triumph",
    { viewBox: "-160 -50 320 100", "aria-hidden": "true" },
    winner === "fugitive" && h("circle", { cx: 106, cy: -18, r: 28, fill: "var(--moon)" }),
    h("path", { d: LIGHT, fill: "#ffd27a", opacity: winner === "hunters" ? 0.75 : 0.3 }),
    STREETS.map((x) =>
      h(
        "g",
        { transform: `translate(${x} 0)` },
        h("path", { d: ROOFS, fill: DARK }),
        h("path", { d: WINDOWS, fill: "#ffcf70" }),
      ),
    ),
    h("path", { d: POST, fill: DARK }),
    winner !== "draw" &&
      h("path", {
        d: FIGURE,
        fill: DARK,
        transform: winner === "fugitive" ? "translate(104 6) scale(.9)" : "translate(0 50)",
      }),
    winner === "fugitive" &&
      h("path", {
        d: "M40 46Q56 44 62 28 70 8 92 6",
        fill: "none",
        stroke: "#ff6b7a",
        "stroke-width": 3,
        "stroke-dasharray": "1 7",
        "stroke-linecap": "round",
      }),
    winner !== "draw" &&
      HUNTERS.map((x) => h("path", { d: PAWN, fill: "#e9dfc8", transform: `translate(${x} 49)` })),
  );
