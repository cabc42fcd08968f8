/** The page /replay: shows a finished game, or a notice during one, and leaves when the next game begins. */
import { askComputed } from "../../core/computed.js";
import { toggleTheme } from "../../core/controls.js";
import { openReplay } from "./controls.js";
import { addCommands, untilLoaded } from "../../core/loading.js";
import { subscribePublic } from "../../core/public_stream.js";
import { applyStyles, loadStyles } from "../../core/styles.js";
import { byId, h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  text,
  useWordsOf,
} from "../../core/i18n.js";

/** @type {Record<string, string>} */
const BACK = { "#table": "/table", "#seat": "/seat" };
const back = BACK[location.hash] ?? null;
/** @param {string} code @param {Params} [params] */
const waiting = (code, params) =>
  render(byId("screen"), [
    h(
      "main.wait",
      h("h1", text("replay")),
      h("p#wait", text(code, params)),
      back && h("a#back.button", { href: back }, text("back")),
    ),
  ]);
/** @type {Snapshot | null} */
let state = null;
let isOpen = false;
let isLoading = false;
/** Whether the table still shows a finished game. */
let isWanted = false;

/** The finished game with its modules; {code, params} where the table refuses it. */
async function load() {
  const reply = await askComputed("/replay.json");
  const answer = await reply.json();
  if (!reply.ok) return { code: answer.code, params: answer };
  const { game } = answer;
  const [{ replay: format }] = await Promise.all([
    import(`../../games/${game}/replay.js`),
    loadStyles(game, "replay"),
    loadGameWords(game, "replay"),
  ]);
  await loadStyles(game, ...(format.styles ?? []));
  return { answer, format };
}

/** @param {Update} update */
async function show({ snapshot }) {
  state = snapshot;
  const isOver = snapshot.phase === "over";
  isWanted = isOver;
  if (isOpen && !isOver) location.replace(back ?? "/table");
  if (isOpen || isLoading) return;
  if (!isOver) return waiting("replay.wait");
  isLoading = true;
  const loaded = await untilLoaded(load, () => isWanted);
  isLoading = false;
  if (!loaded || !isWanted) return waiting("replay.wait");
  if (loaded.code) return waiting(loaded.code, loaded.params);
  isOpen = true;
  const { answer, format } = loaded;
  const { game } = answer;
  applyStyles(game);
  useWordsOf(game);
  const draw = openReplay(answer, {
    format,
    back,
    isFile: false,
    isAuto: back !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches,
    chooseLanguage: nextLanguage,
    chooseLight: toggleTheme,
  });
  followLanguage(draw);
}

await loadWords(null, "replay");
waiting("replay.wait");
subscribePublic(show, () => {});
addCommands({ snapshot: () => state, isDisplay: true });
