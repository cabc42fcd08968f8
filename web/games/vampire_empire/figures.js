/**
 * The drawings of Vampire Empire: its characters, shields, houses, banners and the castle. They do
 * not depend on the game's state, and carry their colours.
 */
import { h } from "../../core/dom.js";

/** @param {string} fill @param {string} d */
const path = (fill, d) => h("path", { fill, d });

const HAIR = "#33231c";
const GOLD = "#d9b25a";
const LINEN = "#f6f1e6";
/**
 * The colour of each character's robe.
 * @type {Record<string, string>}
 */
const ROBES = {
  lady: "#5b3350",
  lord: "#45307a",
  officer: "#45307a",
  monk: "#54402f",
  nun: "#2a2836",
  bishop: "#54402f",
  maid: "#2d3136",
  cook: "#c9c2b4",
  butler: "#2d3136",
};

/** Clothes and hair over a head and shoulders of 100 by 110. @type {Record<string, VNode[]>} */
const DRESS = {
  lady: [
    path(HAIR, "M27 76Q18 24 50 20 82 24 73 76L64 72Q70 42 62 35 50 30 38 35 30 42 36 72Z"),
    path(GOLD, "M34 28L40 31 45 20 50 27 55 20 60 31 66 28 63 37H37Z"),
  ],
  lord: [
    path(HAIR, "M32 44Q34 76 50 80 66 76 68 44L63 58Q58 62 50 62 42 62 37 58Z"),
    path(GOLD, "M31 33V12L41 22 50 7 59 22 69 12V33Q50 27 31 33Z"),
  ],
  officer: [
    path("#c22b3f", "M48 20Q56-6 84 8 92 16 84 28 76 14 58 24Z"),
    path(GOLD, "M29 44Q28 16 50 16 72 16 71 44L66 38H34Z"),
    path(GOLD, "M33 74 50 86 67 74V80L50 92 33 80Z"),
  ],
  monk: [
    path(HAIR, "M32 48Q27 24 50 22 73 24 68 48L64 38Q60 32 50 33 40 32 36 38Z"),
    path("#6b4a2e", "M22 84Q50 54 78 84L70 98Q50 76 30 98Z"),
  ],
  nun: [
    path("#23202e", "M24 92Q20 18 50 16 80 18 76 92L65 84Q72 42 63 35 50 30 37 35 28 42 35 84Z"),
    path(LINEN, "M33 38Q50 22 67 38V43Q50 31 33 43ZM36 66Q50 84 64 66L66 82Q50 94 34 82Z"),
  ],
  bishop: [
    path(LINEN, "M33 34 36 10 50-6 64 10 67 34Q50 27 33 34Z"),
    path(GOLD, "M47 4H53V11H59V17H53V27H47V17H41V11H47Z"),
    path(GOLD, "M42 72H58L55 110H45Z"),
  ],
  maid: [
    path(HAIR, "M31 50Q28 24 50 24 72 24 69 50 64 36 50 36 36 36 31 50Z"),
    path(LINEN, "M30 30Q32 12 50 12 68 12 70 30L63 26 57 31 50 26 43 31 37 26Z"),
    path(LINEN, "M38 76H62L68 110H32Z"),
  ],
  cook: [
    path(LINEN, "M33 34V20Q18 16 28 4 38-6 46 3 56-8 66 1 82 8 67 20V34Q50 28 33 34Z"),
    path(HAIR, "M38 57Q45 50 50 55 55 50 62 57 56 62 50 59 44 62 38 57Z"),
    path(LINEN, "M40 72H60L62 110H38Z"),
  ],
  butler: [
    path(HAIR, "M31 46Q28 22 52 22 72 22 69 46 66 34 48 35 38 34 31 46Z"),
    path(LINEN, "M43 70H57L53 108H47Z"),
    path(HAIR, "M38 70 50 75 62 70V84L50 79 38 84Z"),
  ],
};

const EYES = "M40 44H46V49H40ZM54 44H60V49H54Z";
const FANGS = path(LINEN, "M42 59 45 68 48 59ZM52 59 55 68 58 59Z");

/**
 * A character as it stands in a window; `isVampire`: with fangs, once that is public.
 * @param {string} name @param {boolean} isVampire
 */
export const figure = (name, isVampire) =>
  h(
    "svg",
    {
      class: "figure",
      viewBox: "0 -10 100 120",
      "aria-hidden": "true",
    },
    path(isVampire ? "#6d1024" : ROBES[name], "M10 110Q12 76 38 70H62Q88 76 90 110Z"),
    path(
      isVampire ? "#dfe3e6" : "#e8c9ac",
      "M43 60H57V74L50 80 43 74ZM32 44Q32 24 50 24 68 24 68 44 66 66 50 68 34 66 32 44Z",
    ),
    DRESS[name],
    path(isVampire ? "#e0213d" : "#1d1520", EYES),
    isVampire && FANGS,
  );

/** @param {string} d */
const charge = (d) => [path("#fff", d)];

/** The signs of professions and borders, in a square of 64. @type {Record<string, VNode[]>} */
const SIGNS = {
  noble: charge("M-26 20V-16L-12 0 0-24 12 0 26-16V20Z"),
  clergy: charge("M-6-30H6V-14H22V-2H6V30H-6V-2H-22V-14H-6Z"),
  servant: charge(
    "M-14-26A12 12 0 1 1-2-4V2H26V12H18V24H10V12H-2V26H-12V-4A12 12 0 0 1-14-26ZM-8-18A5 5 0 1 0-7-18Z",
  ),
  holy: charge("M0-30Q22-4 22 8A22 22 0 0 1-22 8Q-22-4 0-30Z"),
  vampire: charge("M-29-16Q0 2 29-16L20 24 11 2H-11L-20 24Z"),
};

/** What a support does, by its first effect. @type {Record<string, VNode[]>} */
const DEEDS = {
  marker: charge("M-20-28H-13V28H-20ZM-13-26H24L14-12 24 2H-13Z"),
  cancel_card: charge("M-24-16-16-24 0-8 16-24 24-16 8 0 24 16 16 24 0 8-16 24-24 16-8 0Z"),
  draw: charge("M-24-18H0V18H-24ZM6-12H26V24H-8V24H6Z"),
  search: charge(
    "M-6-26A18 18 0 1 0 6 6L22 26 29 19 10 0A18 18 0 0 0-6-26ZM-6-18A10 10 0 1 1-7-18Z",
  ),
  look_city: charge("M-30 0Q0-30 30 0 0 30-30 0ZM0-11A11 11 0 1 0 1-11ZM0-5A5 5 0 1 1-1-5Z"),
  swap_castle: charge("M-28-6V-14H8V-26L28-10 8 6V-6ZM28 14V6L-8 6-28 18-8 30V14Z"),
  ask: charge("M-28-24H28V12H2L-14 28V12H-28Z"),
};

/** A card's picture: its borders, or what a support does. @param {string[]} names */
export const emblem = (names) =>
  h(
    "span.emblem",
    { "aria-hidden": "true" },
    names.map((name) =>
      h("svg", { viewBox: "-32 -32 64 64" }, SIGNS[name] ?? DEEDS[name] ?? DEEDS.ask),
    ),
  );

/** A heraldic shield with the sign of a profession or border. @param {string} border */
export const shield = (border) =>
  h(
    "svg.icon.shield",
    { viewBox: "-50 -54 100 112", "aria-hidden": "true" },
    h("path", { class: "escutcheon", d: "M-44-48H44V-4Q42 38 0 54-42 38-44-4Z" }),
    h("g", { transform: "translate(0 -4)" }, SIGNS[border]),
  );

/** What a defence marker shows. */
export const guard = () =>
  h(
    "svg.icon.guard",
    { viewBox: "-32 -32 64 64", "aria-hidden": "true" },
    h("path.lined", { d: "M-22-24H22V0Q20 18 0 27-20 18-22 0Z" }),
  );

/** A dark house for a card of the city. */
export const house = () =>
  h(
    "svg.house",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    path("var(--roof)", "M2 52 50 12 98 52H86V100H14V52ZM66 8H80V32L66 22Z"),
    path("var(--shutters)", "M26 60H42V78H26ZM58 60H74V78H58Z"),
  );

/** A gravestone. */
export const grave = () =>
  h(
    "svg.stone",
    { viewBox: "0 0 100 100", "aria-hidden": "true" },
    path("var(--slab)", "M18 100V40Q18 8 50 8 82 8 82 40V100Z"),
    path("var(--turf)", "M4 100Q10 86 22 92 30 84 44 92 58 84 72 92 88 86 96 100Z"),
  );

/** A standard on its pole. */
export const standard = () =>
  h(
    "svg.standard",
    { viewBox: "0 0 100 130", "aria-hidden": "true" },
    path("#b08a55", "M8 0H14V130H8Z"),
    path("var(--cloth)", "M14 6H96L84 32 96 58H14Z"),
  );

/** The castle's wall: battlements over stone, stretched over the room that it has. */
export const wall = () =>
  h(
    "svg.wall",
    { viewBox: "0 0 300 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    path(
      "var(--stone)",
      `M0 100V0H12V6H24V0H36V10H${Array.from({ length: 12 }, (_, at) => `${48 + at * 18}V4H${57 + at * 18}V10H`).join("")}264V0H276V6H288V0H300V100Z`,
    ),
    h("path.courses", {
      d: "M0 30H300M0 52H300M0 74H300M40 12V30M150 12V30M230 12V30M90 30V52M190 30V52M60 74V100M210 74V100",
    }),
  );

/** The water of the moat. */
export const water = () =>
  h(
    "svg.water",
    { viewBox: "0 0 400 20", preserveAspectRatio: "none", "aria-hidden": "true" },
    path(
      "var(--moat)",
      `M0 10${Array.from({ length: 10 }, (_, at) => `Q${at * 40 + 10} 0 ${at * 40 + 20} 10T${at * 40 + 40} 10`).join("")}V20H0Z`,
    ),
  );
