/**
 * The replay of a game as descriptions: pure functions of the moments and of this screen's
 * choices.
 */
import { button, deviceButtons, narrowButton } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { message, plainText, text, winnerWords } from "../../core/i18n.js";
import { band, curve } from "./timeline.js";

/** The number of sentences shown at a time. */
export const PAGE = 3;

/**
 * Describe the whole screen. `replay`: {data, format, moments, index, isPlaying, speed, isTrue, cell, page, size, back, isFile,
 * isLight}; `format` is that of the game's `replay.js`.
 * @param {ReplayState} replay
 */
export function replayScreen(replay) {
  const { moments, index, data } = replay;
  const now = moments[index];
  const { format } = replay;
  format.prepare?.(now);
  return h(
    "main",
    { class: `replay ${format.className}` },
    h("div.land", format.land(replay, now)),
    h(
      "div.side",
      now.view.sample && h("p#sample", text("sample")),
      h(
        "header",
        h("h1#banner", !data.outcome ? text("replay") : winnerWords(data.outcome, format.winners)),
        data.outcome && h("p.muted", text(`end.reason.${data.outcome.reason}`)),
      ),
      h(
        "section#now.now",
        { "aria-label": text("replay.time") },
        h(
          "p.message",
          now.hands && now.isSecret && !replay.isTrue
            ? text("replay.private")
            : message(now.message),
        ),
        format.state?.(replay, now),
      ),
      format.more?.(replay, now),
      figures(replay),
      footButtons(replay),
    ),
    h("div.time", strip(replay), controls(replay)),
  );
}

/* ---- the column beside it ---- */

/** @param {ReplayState} replayState */
function figures({ data, page }) {
  const all = Math.ceil(data.figures.length / PAGE);
  return h(
    "section.figures",
    { "aria-label": text("replay.figures") },
    h(
      "ul#figures",
      // On a window nearly as high as wide they scroll, by keys too.
      { tabindex: 0 },
      data.figures.slice(page * PAGE, (page + 1) * PAGE).map((each) => h("li", message(each))),
    ),
    data.rewound > 0 && h("p#rewound.muted", text("replay.rewound", { n: data.rewound })),
    all > 1 && button("figures", text("replay.figures.more", { n: page + 1, all })),
  );
}

/** @param {ReplayState} replayState */
function footButtons({ back, isFile, record }) {
  return h(
    "div.row.foot",
    isFile
      ? h("a#keep.button", { href: record, download: "game.jsonl" }, text("replay.record"))
      : [
          h(
            "a#save.button",
            { href: "/replay.html", download: "replay.html" },
            text("replay.save"),
          ),
          h(
            "a#keep.button",
            { href: "/record.jsonl", download: "game.jsonl" },
            text("replay.record"),
          ),
        ],
    deviceButtons(),
    back && h("a#back.button", { href: back }, text("back")),
  );
}

/* ---- time ---- */

/** @param {ReplayState} replayState */
function strip({ moments, index, size, isTrue, format }) {
  return h(
    "div.strip",
    h(
      "svg#curve",
      {
        viewBox: `0 0 ${size.width} ${size.height}`,
        role: "img",
        "aria-label": text(format.curve),
      },
      band(moments, size, format),
      curve(moments, index, size, isTrue, format),
    ),
    h("input#time", {
      type: "range",

      min: 0,
      max: moments.length - 1,
      step: 1,
      value: index,
      "aria-label": text("replay.time"),
      "aria-valuetext": `${text("replay.moment", { n: index + 1, all: moments.length })}. ${plainText(moments[index].message)}`,
    }),
  );
}

/** @param {ReplayState} replay */
function controls(replay) {
  const { index, moments, isPlaying, speed, isTrue, format } = replay;
  /** @param {string} action @param {string} name @param {string} label */
  const step = (action, name, label) => narrowButton(action, drawn(name), text(label));
  return h(
    "div.controls",
    h(
      "div.row.keys",
      { role: "group", "aria-label": text("replay.time") },
      step("before", "before", "replay.before"),
      step("back", "back", "replay.back"),
      button("play", drawn(isPlaying ? "pause" : "play"), {
        class: "prime narrow",
        "aria-label": text(isPlaying ? "replay.pause" : "replay.play"),
      }),
      step("next", "next", "replay.next"),
      step("after", "after", "replay.after"),
      narrowButton("speed", `${speed}×`, text("replay.speed", { n: speed })),
    ),
    h(
      "p.moment",
      moments[index].view.turns > 0 && [
        text("replay.turn", { turn: moments[index].view.turns }),
        " · ",
      ],
      moments[index].view.round && [
        h("span#round", text("replay.round", { round: moments[index].view.round })),
        " · ",
      ],
      h("span#moment", text("replay.moment", { n: index + 1, all: moments.length })),
    ),
    moments[index].hands &&
      h("div.row.looks", button("truth", text("replay.hands"), { "aria-pressed": String(isTrue) })),
    format.looks?.(replay),
  );
}

/** @type {Record<string, string>} */
const DRAWN = {
  play: "M-14-22 22 0-14 22Z",
  pause: "M-18-22H-5V22H-18ZM5-22H18V22H5Z",
  back: "M14-22-20 0 14 22Z",
  next: "M-14-22 20 0-14 22Z",
  before: "M24-20 0 0 24 20ZM-2-20-26 0-2 20Z",
  after: "M-24-20 0 0-24 20ZM2-20 26 0 2 20Z",
};
/** @param {string} name */
const drawn = (name) =>
  h("svg.icon", { viewBox: "-29 -29 58 58", "aria-hidden": "true" }, h("path", { d: DRAWN[name] }));
