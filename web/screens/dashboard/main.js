/** The wall: every table of a club, live, for a screen that nobody touches. */
import { lightButton, onPress, toggleTheme } from "../../core/controls.js";
import { byId, render } from "../../core/dom.js";
import { loadGame } from "../../games/index.js";
import { columnsFor, wallScreen } from "./cards.js";
import { loadStylesWithin } from "./styles.js";
import { loadGameWords, loadWords, nextLanguage } from "../../core/i18n.js";

const RETRY_MS = 1000;
const HEADER = 64;
let cards = {};
/** @type {any} */
let isUp = null;
/** Resolves when all updates are processed. */
let taken = Promise.resolve();

function draw() {
  const { style } = document.documentElement;
  const count = Object.keys(cards).length;
  style.setProperty("--columns", String(columnsFor(count, innerWidth, innerHeight - HEADER)));
  render(byId("screen"), [wallScreen(cards, isUp, lightButton(), drawings)]);
}

/** The functions that draw a table's field, by game. @type {Record<string, DrawView>} */
const drawings = {};

/** Load the words and drawings of this game's card. @param {string} name */
async function loadCard(name) {
  const [game] = await Promise.all([loadGame(name), loadGameWords(name)]);
  if (!game.loadDrawing || drawings[name]) return;
  [drawings[name]] = await Promise.all([
    game.loadDrawing(),
    loadStylesWithin(name, `.drawn-${name}`, ["style", ...(game.hasWallStyle ? ["wall"] : [])]),
  ]);
}

/** @param {{up: boolean, all: boolean, cards: Record<string, Card | null>}} parts */
async function take({ up, all, cards: fresh }) {
  isUp = up;
  const games = Object.values(fresh).flatMap((card) => card?.game ?? []);
  await Promise.all(games.map(loadCard));
  const known = { ...(all ? {} : cards), ...fresh };
  cards = Object.fromEntries(Object.entries(known).filter(([, card]) => card !== null));
  draw();
}

/** Receive updates until the page closes; mark the cards as old while the server is unreachable. */
function follow() {
  const source = new EventSource("/tables");
  source.onmessage = ({ data }) => {
    const next = () => take(JSON.parse(data));
    // Loading a card's game may take long; a later update is newer.
    taken = taken.then(next, next);
  };
  source.onerror = () => {
    source.close();
    isUp = false;
    draw();
    setTimeout(follow, RETRY_MS);
  };
}

await loadWords(location.hash.slice(1), "club", "host");
draw();
onPress(document.body, async ({ action }) => {
  if (action === "language") await nextLanguage();
  if (action === "light") toggleTheme();
  draw();
});
addEventListener("resize", draw);
follow();
