/**
 * The overlay for a stream's picture: the seat to move and the last message, on a transparent
 * page. Read only; no key, no sound.
 */
import "../../core/fonts.js";
import { icon } from "../../core/icons.js";
import { gameOf, loadGame } from "../../games/index.js";
import { lookUp } from "../../core/reference.js";
import { newest } from "../../core/loading.js";
import { phaseOf, announcedEvents } from "../../core/snapshot.js";
import { news } from "../table/news.js";
import { subscribePublic } from "../../core/public_stream.js";
import { byId, h, render } from "../../core/dom.js";
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
/** @type {Record<string, any>} */
const overlay = { snapshot: null, log: [], isPending: false, isLost: false };

/** @param {Update} update */
function show({ snapshot }) {
  useWordsOf(snapshot.game);
  useSeats(snapshot.seats);
  overlay.snapshot = snapshot;
  overlay.log = lastMessages(news({ snapshot, events: snapshot.log }).events);
  setPending(false);
}

/** @param {boolean} isPending */
function setPending(isPending) {
  overlay.isPending = isPending;
  draw();
}

/**
 * The last messages. The end of a turn is shown only after a night without events; other turns
 * have messages of their actions.
 * @param {LogEntry[]} log
 */
function lastMessages(log) {
  const entries = announcedEvents(log);
  /** @param {number} at */
  const name = (at) => entries[at]?.event.event;
  return entries
    .filter((_, at) => name(at) !== "turn_ended" || name(at - 1) === "night_fell")
    .slice(-LINES);
}

/** @param {Update} update */
const learn = ({ snapshot }) =>
  Promise.all([lookUp(snapshot), loadGame(snapshot.game), loadGameWords(snapshot.game)]);

function draw() {
  if (!overlay.snapshot) return;
  const game = gameOf(overlay.snapshot.game);
  if (overlay.snapshot.view) game.nameThings?.(overlay.snapshot.view);
  render(byId("screen"), [
    h(
      "main.overlay",
      { "aria-label": text(`game.${overlay.snapshot.game}`) },
      overlay.snapshot.sample && h("p#sample", text("sample")),
      h(
        "section.third",
        h("h1#now", now(overlay.snapshot, game)),
        h(
          "ol#message",
          overlay.log.map(
            /** @param {LogEntry} entry @param {number} index */
            (entry, index) =>
              h(
                "li",
                overlay.isPending && index === overlay.log.length - 1
                  ? "…"
                  : message(entry.message),
              ),
          ),
        ),
      ),
    ),
  ]);
}

/** @param {any} snapshot @param {GameFacts} game */
function now(snapshot, game) {
  if (overlay.isLost) return text("link.again");
  if (snapshot.paused) return text("paused.now");
  if (game.showsMover && snapshot.to_move) return seatChip(snapshot.to_move);
  const what = phaseOf(snapshot);
  if (what === "turn") return seatChip(snapshot.to_move);
  if (what === "over") return winnerWords(snapshot.outcome, game.winners);
  if (what === "lobby") return text(`game.${snapshot.game}`);
  return [
    icon("moon"),
    " ",
    what === "choosing" ? text("night.choosing") : text("night.name", { n: snapshot.view.night }),
  ];
}

/** Read the part after #: a language, and "light" for plates on a light ground. */
const asked = location.hash.slice(1).split(",");
if (asked.includes("light")) {
  document.documentElement.classList.add("light");
  document.head.append(
    Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: "/static/core/light.css",
    }),
  );
}
await loadWords(
  asked.find((each) => each in LANGUAGES),
  "host",
);
subscribePublic(
  newest(learn, show),
  (link) => {
    overlay.isLost = link !== "up";
    draw();
  },
  () => setPending(true),
);
