/** Vampire Radar in the demo: who sits where, and the guided first night, from the public snapshot and the panes of the page. */
import { isOff, phaseOf } from "../../core/snapshot.js";
import { text } from "../../core/i18n.js";
import { CELLS, isWalled, neighbour, STEPS, tileAt } from "./drawing/field.js";
import { todaysAnswer } from "./snapshot.js";
import { FIRST_FIELD } from "./tiles/field_setup.js";
import { offer, walks } from "./turn.js";

/** The game that is proposed, the seats of the two phones by the names of their panes, and the bot's seat and level. */
export const proposal = { players: 3, field: FIRST_FIELD };
export const phones = { vampire: "V", human: "H1" };
export const bot = { seat: "H2", level: "heuristic" };

/** What the virtual board's page calls its tiles. */
export const boardWords = () => ({
  bullet: text("tile.bullet"),
  bat: text("tile.bat"),
  radar: text("tile.radar"),
});

/** The chapters in their order; each has its sentences under `guide.NAME`. */
export const CHAPTERS = ["hide", "human", "bot", "night", "dawn"];

/**
 * Return the chapter of the public snapshot; null where the guide is over. What is undone brings its chapter back.
 * @param {RadarSnapshot} snapshot
 */
export function chapter(snapshot) {
  const phase = phaseOf(snapshot);
  if (phase === "choosing") return "hide";
  if (phase === "night" && snapshot.revealing) return TOLD[lastSeal(snapshot) - 1] ?? null;
  const round = snapshot.view?.round;
  if (phase === "night") return round === 1 ? "night" : null;
  if (phase !== "turn" || round > 2) return null;
  const isMine = snapshot.to_move === phones.human;
  return round === 2 ? (isMine ? "dawn" : null) : isMine ? "human" : "bot";
}

/** The chapters in which a secret turn is published: the hiding has the first seal, the first night the second. */
const TOLD = ["hide", "dawn"];

/** @param {RadarSnapshot} snapshot */
const lastSeal = ({ log }) =>
  log.findLast(({ event }) => event.event === "night_fell")?.event.number ?? 0;

/** The pane to watch while waiting. */
const DISPLAY = { pane: "table" };

/** The control that leads back to a step's hidden control. */
const WAYS_BACK = [
  '[data-action="back"]',
  "#back",
  '[data-action="log"][aria-pressed="true"]',
  '[data-action="byhand"][data-arg="no"]',
  '[data-action="return"]',
  '[data-action="info"]',
];

/**
 * Return what to do next: {sentence, params, lit, isDone}. `lit` is the control that the sentence means: {pane, selector},
 * or {pane: "board", pawn, cell} where a pawn goes to a cell; where one waits it is the pane to look at. `isDone`: the secret turn was sent,
 * which a covered phone does not show.
 * @param {string|null} at the chapter
 * @param {RadarSnapshot} snapshot
 * @param {Record<string, Document|null|undefined>} panes the pages in the panes
 * @param {boolean} [wasDone] `isDone` of the step before in this chapter
 */
export function step(at, snapshot, panes, wasDone = false) {
  if (at === null) return { sentence: "over" };
  if (snapshot.vote) return pressing("asked", panes, "table", '[data-action="refuse"]');
  if (isOff(snapshot.board) || snapshot.board?.state === "ambiguous")
    return pressing("off", panes, "table", '[data-action="board"][data-arg="put_back"]');
  if (at === "hide" || at === "night") return secretStep(at, snapshot, panes, wasDone);
  return at === "human" ? humanStep(snapshot, panes) : { sentence: at, lit: DISPLAY };
}

/**
 * A step that is one press; where its control is hidden, the step that leads back to it; where the
 * pane still loads, "opening".
 * @param {string} sentence
 * @param {Record<string, any>} panes
 * @param {string} pane
 * @param {string} selector
 * @param {Params} [params]
 */
function pressing(sentence, panes, pane, selector, params = {}) {
  /** @param {string} each */
  const find = (each) => panes[pane]?.querySelector(each);
  const control = find(selector);
  if (control)
    return { sentence, params: { button: labelOf(control), ...params }, lit: { pane, selector } };
  const back = WAYS_BACK.find(find);
  return back
    ? { sentence: "back", params: { button: labelOf(find(back)) }, lit: { pane, selector: back } }
    : params.button
      ? { sentence, params }
      : { sentence: "opening" };
}

/** @param {any} control */
const labelOf = (control) => control.textContent.trim() || control.getAttribute("aria-label");

/**
 * @param {string} at
 * @param {RadarSnapshot} snapshot
 * @param {Record<string, any>} panes
 * @param {boolean} wasDone
 */
function secretStep(at, snapshot, panes, wasDone) {
  const page = panes.vampire;
  /** @param {string} selector */
  const find = (selector) => page?.querySelector(selector);
  /** @param {string} sentence @param {string} selector @param {Params} [params] */
  const press = (sentence, selector, params) =>
    pressing(`${at}.${sentence}`, panes, "vampire", selector, params);
  if (find("#sheet")) return pressing("either", panes, "vampire", "#sheet button");
  if (find("#end-night")) {
    // A tile that was tapped is chosen before the table has answered.
    const isDrafted = find('[data-action="undo"]:not([aria-disabled]), #field .ring.chosen');
    const cell = isDrafted ? null : freeTile(page, snapshot);
    return cell
      ? press("tile", `#field [data-cell="${cell}"]`, { cell })
      : press("send", "#end-night:not([aria-disabled])", { button: labelOf(find("#end-night")) });
  }
  if (find("#plan") || wasDone) return { sentence: `${at}.done`, lit: DISPLAY, isDone: true };
  return find(".secret") ? press("look", ".none") : press("look", "#reveal");
}

/**
 * A tile that the vampire may choose now: one without pawns, where there is one.
 * @param {any} page
 * @param {RadarSnapshot} snapshot
 */
function freeTile(page, { view }) {
  const cells = [...page.querySelectorAll("#field .live:has(.can)")].map(
    ({ dataset }) => dataset.cell,
  );
  const standing = Object.values(view.pawns);
  return cells.find((cell) => !standing.includes(cell)) ?? cells[0] ?? null;
}

/** @param {RadarSnapshot} snapshot @param {Record<string, any>} panes */
function humanStep(snapshot, panes) {
  /** @type {any} */
  const landed = offer(snapshot.legal);
  /** @type {any} */
  const asks = landed && `[data-action="${landed.type === "call_radar" ? "radar" : "bullet"}"]`;
  const pane = ["human", "table"].find((each) => asks && panes[each]?.querySelector(asks));
  if (pane) return pressing(`human.${landed.type}`, panes, pane, asks);
  const walk = isAnswered(snapshot) ? null : walkToRadar(snapshot);
  if (!walk) return pressing("human.end", panes, "human", '[data-action="end"]');
  const { pawn, to: cell } = walk;
  return { sentence: "human.walk", params: { pawn, cell }, lit: { pane: "board", pawn, cell } };
}

/** @param {RadarSnapshot} snapshot */
const isAnswered = (snapshot) => Boolean(todaysAnswer(snapshot));

/**
 * The walk that brings a pawn nearest to a radar; null without one.
 * @param {RadarSnapshot} snapshot
 */
function walkToRadar({ legal, view }) {
  const far = stepsToRadar(view);
  return walks(legal).reduce(
    /** @param {RadarAction | null} best @param {RadarAction} walk */
    (best, walk) => (best && far[best.to] <= far[walk.to] ? best : walk),
    null,
  );
}

/**
 * How many steps each cell is from the nearest radar, around walls.
 * @param {RadarField} view
 */
function stepsToRadar({ tiles, walls }) {
  const far = Object.fromEntries(
    CELLS.filter((cell) => tileAt(cell, tiles) === "r").map((cell) => [cell, 0]),
  );
  const reached = Object.keys(far);
  for (const cell of reached)
    for (const direction of Object.keys(STEPS)) {
      const next = neighbour(cell, direction);
      if (next === null || next in far || isWalled(cell, next, walls)) continue;
      far[next] = far[cell] + 1;
      reached.push(next);
    }
  return far;
}
