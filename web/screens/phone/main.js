/** A phone after joining: get its role, draw its name, then load and draw its game's page. */
import { Channel } from "../../core/channel.js";
import { byId, h, render } from "../../core/dom.js";
import {
  isSeat,
  loadGameWords,
  loadWords,
  seatName,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";
import { untilLoaded } from "../../core/loading.js";

async function begin() {
  /** @type {any} */
  const channel = await Channel.open({ storage: "seat-key" });
  const [hello] = await Promise.all([channel && untilAnswered(channel), loadWords()]);
  if (!hello?.ok || !isSeat(hello.role)) return location.replace("/join");
  const { game, seats, phase } = hello.snapshot;
  await loadGameWords(game);
  useWordsOf(game);
  useSeats(seats);
  render(byId("screen"), [openingPage(hello.role, phase === "lobby")]);
  await drawn();
  preloadModules();
  /** @type {any} Loading ends with the module. */
  const { openSeat } = await untilLoaded(() => import("./seat.js"));
  await openSeat(channel, hello);
}

/**
 * What a phone shows until its game is loaded. Of a game it tells nothing: an answer that the other
 * screens hold back may be in the snapshot.
 * @param {string} seat @param {boolean} isLobby
 */
const openingPage = (seat, isLobby) =>
  h(
    "main.opening",
    h("h1.stripe", { translate: "no" }, seatName(seat)),
    isLobby && h("p", text("lobby.seated")),
  );

/** Fulfils when the browser has begun to draw; a hidden page has no frames to wait for. */
const drawn = () => new Promise((done) => setTimeout(done));

/** Fetch all modules of the game at once, which templates/seat.html names. */
function preloadModules() {
  const names = document.querySelector("template");
  if (names) document.head.append(names.content);
}

/**
 * A phone may wake before its network does: retry until the table answers.
 * @param {import("../../core/channel.js").Channel} channel
 */
async function untilAnswered(channel) {
  for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
    try {
      return await channel.request("hello");
    } catch (error) {
      if (error.code !== "not_sent") return null;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

await begin();
