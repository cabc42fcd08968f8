/** What a stream's picture is overlaid with: whose turn it is and what was said last, on nothing. Read only; no key, no sound. */
import { icon } from "./icons.js";
import { lookUp, nameThings } from "./lookup.js";
import { scene, tellable } from "./picture.js";
import { news, Stage } from "./stage.js";
import { followPublic } from "./stream.js";
import { el, patch } from "./tree.js";
import {
  addWords,
  LANGUAGES,
  loadWords,
  said,
  seatChip,
  text,
  useSeats,
  winnerWords,
} from "./words.js";

/** Games whose words every page has; those of others are fetched when they are played. */
const EVERYWHERE = ["vampireradar", "nosferatu"];
const LINES = 2;
const shown = { picture: null, log: [], isPending: false, isLost: false, game: null };
const stage = new Stage({
  show,
  play: () => {},
  wait: (ms) => new Promise((done) => setTimeout(done, ms)),
});

async function show(update, pending) {
  shown.isPending = Boolean(pending);
  if (update) {
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
  if (EVERYWHERE.includes(game)) return;
  await lookUp(picture);
  if (game === shown.game) return;
  shown.game = game;
  const reply = await fetch(`/i18n/games/${game}.${document.documentElement.lang}.json`);
  if (reply.ok) addWords(await reply.json());
}

function draw() {
  if (!shown.picture) return;
  if (shown.picture.view?.cities) nameThings(shown.picture.view);
  patch(document.getElementById("screen"), [
    el(
      "main",
      { class: "overlay", "aria-label": text(`game.${shown.picture.game}`) },
      shown.picture.sample && el("p", { id: "sample" }, text("sample")),
      el("h1", { id: "now" }, now(shown.picture)),
      el(
        "ol",
        { id: "said" },
        shown.log.map((entry, index) =>
          el("li", {}, shown.isPending && index === shown.log.length - 1 ? "…" : said(entry.said)),
        ),
      ),
    ),
  ]);
}

function now(picture) {
  if (shown.isLost) return text("link.again");
  if (picture.paused) return text("paused.now");
  if (picture.game === "shisogari" && picture.to_move) return seatChip(picture.to_move);
  const what = scene(picture);
  if (what === "turn") return seatChip(picture.to_move);
  if (what === "over") return winnerWords(picture.game, picture.outcome);
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
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/light.css" }),
  );
}
await loadWords(
  wanted.find((each) => each in LANGUAGES),
  "host",
);
followPublic(
  (update) => stage.add(update),
  (link) => {
    shown.isLost = link !== "up";
    draw();
  },
);
