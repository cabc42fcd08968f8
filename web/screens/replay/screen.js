/** The replay of a game as descriptions: pure functions of the moments and of what this screen wants to see. */
import { centre, describe, drawField, fieldTable } from "../../games/vampireradar/board.js";
import { button, deviceButtons, languageButton, lightButton } from "../../core/controls.js";
import { drawOdds, evenly, heatLegend, percent } from "../../games/vampireradar/odds.js";
import { drawBoard } from "../../games/nosferatu/board.js";
import { hearts, icon, shape } from "../../core/icons.js";
import { nameThings } from "../../core/reference.js";
import { openHands, stood } from "../../games/shisogari/replay.js";
import { openCourt, stoodAtCourt } from "../../games/vampire_empire/replay.js";
import { openBoard, stoodIn } from "../../games/vwars/replay.js";
import { cut, path } from "./story.js";
import { h } from "../../core/dom.js";
import { band, curve } from "./timeline.js";
import { message, saidText, seatChip, text, winnerWords } from "../../core/i18n.js";

/** How many sentences are read at a time. */
export const PAGE = 3;
/** How many nights of the path are drawn. */
const NIGHTS = 6;
export const HEATS = ["likely", "possible", "off"];

/** Describe the whole screen. `replay`: {story, moments, index, isPlaying, speed, heat, isTrue, cell, page, size, back, isFile, isLight}. */
export function replayScreen(replay) {
  const { moments, index, story } = replay;
  const now = moments[index];
  const kind = kindOf(now.view);
  const isHunt = kind === "hunt";
  if (kind === "wars") nameThings(now.view);
  return h(
    "main",
    { class: `replay ${kind}` },
    h("div", { class: "land" }, LAND[kind](replay, now)),
    h(
      "div",
      { class: "side" },
      now.view.sample && h("p", { id: "sample" }, text("sample")),
      h(
        "header",
        {},
        h(
          "h1",
          { id: "banner" },
          !story.outcome ? text("replay") : winnerWords(story.game, story.outcome),
        ),
        story.outcome && h("p", { class: "muted" }, text(`end.reason.${story.outcome.reason}`)),
      ),
      h(
        "section",
        { class: "now", id: "now", "aria-label": text("replay.time") },
        h(
          "p",
          { class: "said" },
          now.hands && now.isSecret && !replay.isTrue ? text("replay.unheard") : message(now.said),
        ),
        STOOD[kind]?.(replay, now),
      ),
      isHunt && counts(now.view),
      kind === "wars" && stoodIn(now, replay.isTrue),
      figures(replay),
      feet(replay),
    ),
    h("div", { class: "time" }, strip(replay), controls(replay, isHunt)),
  );
}

/** What a game shows: a field in the dark, hands, a court with secret characters, cities, or an open field of hexagons. */
const kindOf = ({ tiles, backs, castle, cities }) =>
  tiles ? "hunt" : backs ? "cards" : castle ? "royal" : cities ? "wars" : "hexes";
const LAND = {
  hunt: (replay, now) => [huntField(replay, now), fieldTable(now.view, text)],
  cards: ({ isTrue }, now) => openHands(now, isTrue),
  royal: ({ isTrue }, now) => openCourt(now, isTrue),
  wars: ({ isTrue }, now) => openBoard(now, isTrue),
  hexes,
};
const STOOD = {
  hunt: known,
  cards: ({ isTrue }, now) => stood(now, isTrue),
  royal: (_, now) => stoodAtCourt(now),
};
const CURVES = {
  hunt: "replay.curve",
  cards: "replay.sums",
  royal: "replay.lives",
  wars: "replay.track",
  hexes: "replay.curve",
};

/* ---- the field ---- */

function huntField({ moments, index, heat, isTrue, cell: chosen }, now) {
  const odds =
    now.odds && heat !== "off" ? (heat === "possible" ? evenly(now.odds) : now.odds) : {};
  const params = now.said.params ?? {};
  return drawField(now.view, {
    title: text("field"),
    isInset: heat !== "off",
    focus: chosen ?? "A1",
    label: (cell) => inWords(cell, now, odds, isTrue),
    under: drawOdds(odds, centre),
    rings: chosen ? { [chosen]: "chosen" } : {},
    shot: now.event === "shot_fired" ? { cell: params.cell, direction: params.direction } : null,
    over: isTrue && now.truth ? trail(path(moments, index).slice(-NIGHTS), now.truth) : null,
  });
}

/** A tile in words: what lies there, its chance, and the truth. */
function inWords(cell, now, odds, isTrue) {
  const chance =
    !now.odds || !Object.keys(odds).length
      ? null
      : odds[cell]
        ? `${percent(odds[cell])} %`
        : text("replay.impossible");
  return [
    describe(cell, now.view, text),
    chance,
    isTrue && cell === now.truth && text("replay.here"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** The last nights' ends as numbered dots, and the vampire where it is. */
function trail(ends, truth) {
  const points = ends.map(({ cell }) => centre(cell).join(",")).join(" ");
  const last = new Map(ends.map(({ night, cell }) => [cell, night]));
  last.delete(truth);
  const [x, y] = centre(truth);
  return h(
    "g",
    { class: "truth", "aria-hidden": "true" },
    h("polyline", { class: "way", points }),
    [...last].map(([cell, night]) =>
      h(
        "g",
        {
          class: "dot",
          transform: `translate(${centre(cell)
            .map((at, axis) => at + (axis ? -29 : 29))
            .join(" ")})`,
        },
        h("circle", { r: 14 }),
        h("text", { y: 6 }, night),
      ),
    ),
    h("rect", { class: "place", x: x - 45, y: y - 45, width: 90, height: 90, rx: 8 }),
    h(
      "g",
      { class: "me", transform: `translate(${x + 24} ${y - 24})` },
      h("circle", { r: 22 }),
      h("g", { transform: "scale(.58)" }, shape("bat")),
    ),
  );
}

/** The field of hexagons with what moved as an arrow, and a ring where a piece was taken or turned. */
function hexes({ moments, index }, now) {
  const before = moments[index - 1]?.view.pawns ?? {};
  const arrows = Object.entries(now.view.pawns).flatMap(([pawn, to]) =>
    before[pawn] && before[pawn] !== to ? [{ from: before[pawn], to }] : [],
  );
  return drawBoard(now.view, {
    title: text("field"),
    arrows,
    rings: now.event === "piece_jumped" ? { [now.said.params.at]: "taken" } : {},
  });
}

/* ---- the column beside it ---- */

/** What the table could know at this moment. */
function known({ moments, index, isTrue }, now) {
  if (!now.odds) return h("p", { class: "muted" }, text("replay.hiding"));
  const told = cut(moments, index);
  return [
    h(
      "p",
      { class: "count" },
      h("b", { id: "tiles" }, now.tiles),
      " ",
      text("replay.tiles", { n: now.tiles }),
    ),
    h(
      "p",
      { class: "share", id: "share" },
      now.isSecret
        ? text("replay.unheard")
        : isTrue && now.share !== null
          ? text("replay.share", { percent: now.share ? `${percent(now.share)} %` : "0 %" })
          : "–",
      told && h("span", { class: "cut", id: "cut" }, " ", text("replay.cut", told)),
    ),
  ];
}

function counts({ humans, bullets, out, hp, max_hp: most }) {
  return h(
    "section",
    { class: "counts", id: "counts", "aria-label": text("state") },
    h(
      "span",
      { class: "hp", role: "img", "aria-label": text("hearts", { n: hp }) },
      hearts(hp, most),
    ),
    humans.map((seat) =>
      h(
        "span",
        { class: out.includes(seat) ? "out" : null },
        seatChip(seat),
        " ",
        icon("bullet"),
        h("span", { class: "vh" }, text("bullets")),
        " ",
        bullets[seat],
      ),
    ),
  );
}

function figures({ story, page }) {
  const all = Math.ceil(story.figures.length / PAGE);
  return h(
    "section",
    { class: "figures", "aria-label": text("replay.figures") },
    h(
      "ul",
      { id: "figures" },
      story.figures.slice(page * PAGE, (page + 1) * PAGE).map((each) => h("li", {}, message(each))),
    ),
    story.rewound > 0 &&
      h("p", { class: "muted", id: "rewound" }, text("replay.rewound", { n: story.rewound })),
    all > 1 && button("figures", text("replay.figures.more", { n: page + 1, all })),
  );
}

function feet({ back, isFile, isLight, record }) {
  return h(
    "div",
    { class: "row foot" },
    isFile
      ? h(
          "a",
          { class: "button", id: "keep", href: record, download: "game.jsonl" },
          text("replay.record"),
        )
      : [
          h(
            "a",
            { class: "button", id: "save", href: "/replay.html", download: "replay.html" },
            text("replay.save"),
          ),
          h(
            "a",
            { class: "button", id: "keep", href: "/record.jsonl", download: "game.jsonl" },
            text("replay.record"),
          ),
        ],
    isFile ? [languageButton(), lightButton(isLight)] : deviceButtons(),
    back && h("a", { class: "button", id: "back", href: back }, text("back")),
  );
}

/* ---- time ---- */

function strip({ moments, index, size, isTrue }) {
  return h(
    "div",
    { class: "strip" },
    h(
      "svg",
      {
        id: "curve",
        viewBox: `0 0 ${size.width} ${size.height}`,
        role: "img",
        "aria-label": text(CURVES[kindOf(moments[index].view)]),
      },
      band(moments, size),
      curve(moments, index, size, isTrue),
    ),
    h("input", {
      type: "range",
      id: "time",
      min: 0,
      max: moments.length - 1,
      step: 1,
      "aria-label": text("replay.time"),
      "aria-valuetext": `${text("replay.moment", { n: index + 1, all: moments.length })}. ${saidText(moments[index].said)}`,
    }),
  );
}

function controls({ index, moments, isPlaying, speed, heat, isTrue, cell, odds }, isHunt) {
  const step = (action, name, label) =>
    button(action, drawn(name), { class: "narrow", "aria-label": text(label) });
  return h(
    "div",
    { class: "controls" },
    h(
      "div",
      { class: "row keys", role: "group", "aria-label": text("replay.time") },
      step("before", "before", "replay.before"),
      step("back", "back", "replay.back"),
      button("play", drawn(isPlaying ? "pause" : "play"), {
        class: "prime narrow",
        "aria-label": text(isPlaying ? "replay.pause" : "replay.play"),
      }),
      step("next", "next", "replay.next"),
      step("after", "after", "replay.after"),
      button("speed", `${speed}×`, {
        class: "narrow",
        "aria-label": text("replay.speed", { n: speed }),
      }),
    ),
    h(
      "p",
      { class: "moment" },
      moments[index].view.turns > 0 && [
        text("replay.turn", { turn: moments[index].view.turns }),
        " · ",
      ],
      moments[index].view.round && [
        h("span", { id: "round" }, text("replay.round", { round: moments[index].view.round })),
        " · ",
      ],
      h("span", { id: "moment" }, text("replay.moment", { n: index + 1, all: moments.length })),
    ),
    moments[index].hands &&
      h(
        "div",
        { class: "row looks" },
        button("truth", text("replay.hands"), { "aria-pressed": String(isTrue) }),
      ),
    isHunt &&
      h(
        "div",
        { class: "row looks" },
        button("heat", text(`replay.heat.${heat}`), {
          "aria-label": text("replay.heat", { what: text(`replay.heat.${heat}`) }),
        }),
        button("truth", [icon("bat", "V"), text("replay.truth")], {
          "aria-pressed": String(isTrue),
        }),
      ),
    isHunt && heatLegend(text("replay.legend")),
    isHunt &&
      h(
        "p",
        { class: "tile muted", id: "tile" },
        cell ? inWords(cell, moments[index], odds, isTrue) : text("replay.tap"),
      ),
  );
}

const DRAWN = {
  play: "M-14-22 22 0-14 22Z",
  pause: "M-18-22H-5V22H-18ZM5-22H18V22H5Z",
  back: "M14-22-20 0 14 22Z",
  next: "M-14-22 20 0-14 22Z",
  before: "M24-20 0 0 24 20ZM-2-20-26 0-2 20Z",
  after: "M-24-20 0 0-24 20ZM2-20 26 0 2 20Z",
};
const drawn = (name) =>
  h(
    "svg",
    { class: "icon", viewBox: "-29 -29 58 58", "aria-hidden": "true" },
    h("path", { d: DRAWN[name] }),
  );
