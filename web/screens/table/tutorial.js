/**
 * A round to watch before a game: recorded moments, which the game's display draws as it draws a
 * game, with a sentence for each. `tools/tutorials.py` records them.
 */
import { timedFetch } from "../../core/browser.js";
import { button, CLOSES, narrowButton } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { loadGameWords, rich, text } from "../../core/i18n.js";
import { useReference } from "../../core/reference.js";

/** Nobody acts in a recorded moment, and nothing is asked. */
const STILL = {
  legal: [],
  warnings: [],
  marks: {},
  board: {},
  paused: false,
  awaited: null,
  vote: null,
  undo: null,
  aim: null,
  seal: null,
};

/** @type {any[]} */
let moments = [];

/** Load the round of a game and its words. @param {string} game */
export async function loadTutorial(game) {
  const [round] = await Promise.all([
    timedFetch(`/static/games/${game}/tutorial.json`).then((reply) => reply.json()),
    loadGameWords(game, "tutorial"),
  ]);
  moments = wholeMoments(round.moments);
  useReference(round.reference);
}

/** The moments of a file that has only changes and new entries. @param {any[]} changes */
export function wholeMoments(changes) {
  /** @type {any} */
  let before = { view: {}, log: [] };
  return changes.map((each) => {
    before = {
      ...before,
      ...each,
      view: { ...before.view, ...each.view },
      log: [...before.log, ...each.log],
    };
    return before;
  });
}

/**
 * The state of the display at the present moment, with the guide's words: the game's `playScreen`
 * draws it. `game` is its display, null while that loads.
 * @param {TableState} table @param {GameDisplay | null | undefined} game @returns {TableState}
 */
export function tutorialTable(table, game) {
  const step = Math.min(table.ui.step ?? 0, moments.length - 1);
  const { words, params, press, event, ...moment } = moments[step];
  const watched = {
    ...table,
    snapshot: { ...table.snapshot, ...STILL, ...moment },
    canControl: false,
    pending: null,
    notice: null,
    isFresh: false,
    act: game?.actsOf?.([{ event: { event } }])[0] ?? null,
    guide: guide(step, rich(`tutorial.${words}`, params)),
  };
  return press && game
    ? { ...watched, ui: { ...table.ui, ...game.ACTIONS[press](watched) } }
    : watched;
}

/** @param {number} step @param {Child} words */
function guide(step, words) {
  const isLast = step === moments.length - 1;
  return h(
    "div.guide",
    h("p#tutorial", { "aria-live": "polite" }, words),
    h(
      "div.row",
      h("small.muted", text("tutorial.step", { n: step + 1, of: moments.length })),
      !isLast && narrowButton("seats", icon("cross"), text("tutorial.done"), CLOSES),
      step > 0 && button("earlier", text("back")),
      isLast
        ? button("seats", text("tutorial.done"), { class: "prime", ...CLOSES })
        : button("later", text("tutorial.next"), { class: "prime" }),
    ),
  );
}
