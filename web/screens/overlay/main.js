/** What a stream's picture is overlaid with: whose turn it is and the last message, on a transparent page. Read only; no key, no sound. */
import { icon } from "../../core/icons.js";
import { gameOf, loadGame, loadSounds } from "../../games/index.js";
import { lookUp } from "../../core/reference.js";
import { scene, tellable } from "../../core/snapshot.js";
import { news, UpdateQueue } from "../table/update_queue.js";
import { followPublic } from "../../core/stream.js";
import { h, render } from "../../core/dom.js";
import {
  LANGUAGES,
  loadGameWords,
  loadWords,
  message,
  seatChip,
  text,
  useSeats,
  useWordsOf,
  winnerWords,
} from "../../core/i18n.js";

const LINES = 2;
const shown = { picture: null, log: [], isPending: false, isLost: false };
const stage = new UpdateQueue({
  show,
  play: () => {},
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
});

async function show(update, pending) {
  shown.isPending = Boolean(pending);
  if (update) {
    await loadGame(update.picture.game);
    shown.picture = update.picture;
    useSeats(update.picture.seats);
    shown.log = tellable(
      news({ picture: update.picture, events: update.picture.log }).events,
    ).slice(-LINES);
    await learn(update.picture);
  }
  draw();
}

async function learn(picture) {
  const { game } = picture;
  await Promise.all([lookUp(picture), loadGameWords(game)]);
  useWordsOf(game);
}

function draw() {
  if (!shown.picture) return;
  const game = gameOf(shown.picture.game);
  if (shown.picture.view) game.nameThings?.(shown.picture.view);
  render(document.getElementById("screen"), [
    h(
      "main",
      { class: "overlay", "aria-label": text(`game.${shown.picture.game}`) },
      shown.picture.sample && h("p", { id: "sample" }, text("sample")),
      h(
        "section",
        { class: "third" },
        h("h1", { id: "now" }, now(shown.picture, game)),
        h(
          "ol",
          { id: "said" },
          shown.log.map((entry, index) =>
            h(
              "li",
              {},
              shown.isPending && index === shown.log.length - 1 ? "…" : message(entry.said),
            ),
          ),
        ),
      ),
    ),
  ]);
}

function now(picture, game) {
  if (shown.isLost) return text("link.again");
  if (picture.paused) return text("paused.now");
  if (game.showsMover && picture.to_move) return seatChip(picture.to_move);
  const what = scene(picture);
  if (what === "turn") return seatChip(picture.to_move);
  if (what === "over") return winnerWords(picture.outcome, game.winners);
  if (what === "lobby") return text(`game.${picture.game}`);
  return [
    icon("moon"),
    " ",
    what === "choosing" ? text("night.choosing") : text("night.name", { n: picture.view.night }),
  ];
}

/** What stands behind #: a language, and "light" for plates on a light ground, as the stream's picture wants them. */
const wanted = location.hash.slice(1).split(",");
if (wanted.includes("light")) {
  document.documentElement.classList.add("light");
  document.head.append(
    Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: "/static/core/light.css",
    }),
  );
}
await loadWords(
  wanted.find((each) => each in LANGUAGES),
  "host",
);
followPublic(
  async (update) => {
    // An answer is held back here for as long as on the display.
    await loadSounds(update.picture.game);
    await stage.add(update);
  },
  (link) => {
    shown.isLost = link !== "up";
    draw();
  },
);
