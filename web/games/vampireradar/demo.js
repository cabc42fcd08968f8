/** Vampire Radar in the demo: who sits where, and the guided first night, from the public snapshot and the panes of the page. */
import { isOff, phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";
import { litRing } from "./drawing/board.js";
import { CELLS, isWalled, neighbour, shotCells, STEPS, tileAt } from "./drawing/field.js";
import { todaysAnswer } from "./snapshot.js";
import { FIRST_FIELD } from "./tiles/field_setup.js";
import { offer, shots, walks } from "./turn.js";

/** The game that is proposed, the seats of the two phones by the names of their panes, and the bot's seat and level. */
export const proposal = { players: 3, field: FIRST_FIELD };
export const phones = { vampire: "V", human: "H1" };
export const bot = { seat: "H2", level: "heuristic" };

/** What ends the game where its guide ends: the pane whose seat asks for it, and the request. */
export const finish = { pane: "vampire", request: "surrender" };

/** What the virtual board's page calls its tiles. */
export const boardWords = () => ({
  bullet: text("tile.bullet"),
  bat: text("tile.bat"),
  radar: text("tile.radar"),
});

/** The chapters in their order; each has its sentences under `guide.NAME`. */
export const CHAPTERS = ["hide", "human", "bot", "night", "dawn", "end"];

/**
 * Return the chapter of the public snapshot; null where the guide is over. What is undone brings its chapter back.
 * @param {RadarSnapshot} snapshot
 */
export function chapter(snapshot) {
  const phase = phaseOf(snapshot);
  if (phase === "over") return "end";
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

/** The radar's ring over the display. @param {{cell: string, distance: number}} ring */
export const overBoard = (ring) =>
  h("svg", { viewBox: "0 0 650 650", "aria-hidden": "true" }, litRing(ring));

/** How long a pressed shot may take, in ms, until the table has it; then it is pressed again. */
const FIRE_MS = 6000;

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
 * @typedef {object} Step what to do next
 * @property {string} sentence its words, under `guide.NAME`, with `params`
 * @property {Params} [params]
 * @property {{sentence: string, params?: Params}} [told] what has happened, in words before it
 * @property {Record<string, any>} [lit] the control that the sentence means: {pane, selector}, without
 * a pane one of the guide itself, or {pane: "board", pawn, cell} where a pawn goes to a cell; where
 * one waits it is the pane to look at. With `ring`, {cell, distance}, tiles of the display are lit
 * @property {boolean} [isDone] the secret turn was sent, which a covered phone does not show
 * @property {string | null} [place] where the vampire stands, as its open phone showed
 * @property {number} [fired] when the shot was pressed, in ms of this page
 * @property {boolean} [mayFinish] whether the game may be ended from here
 */

/**
 * Return what to do next.
 * @param {string|null} at the chapter
 * @param {RadarSnapshot} snapshot
 * @param {Record<string, Document|null|undefined>} panes the pages in the panes
 * @param {Partial<Step>} [before] the step before: its `isDone` counts in this chapter alone
 * @returns {Step}
 */
export function step(at, snapshot, panes, before = {}) {
  const place = vampirePlace(panes.vampire) ?? before.place ?? null;
  return { ...nextStep(at, snapshot, panes, { ...before, place }), place };
}

/** @type {(at: string | null, snapshot: RadarSnapshot, panes: Record<string, any>, before: Partial<Step>) => Step} */
function nextStep(at, snapshot, panes, before) {
  const { isDone: wasDone = false } = before;
  if (at === null) return { sentence: "over", mayFinish: true };
  if (at === "end") return endStep(panes);
  if (snapshot.vote) return pressing("asked", panes, "table", '[data-action="refuse"]');
  if (isOff(snapshot.board) || snapshot.board?.state === "ambiguous")
    return pressing("off", panes, "table", '[data-action="board"][data-arg="put_back"]');
  if (at === "hide") return secretStep(at, snapshot, panes, wasDone);
  if (at === "night") {
    const next = secretStep(at, snapshot, panes, wasDone);
    const isFirst = ["night.look", "night.tile"].includes(next.sentence);
    return isFirst ? { ...next, told: happened(snapshot, bot.seat) } : next;
  }
  if (at === "human") return humanStep(snapshot, panes);
  if (at === "bot") {
    const told = happened(snapshot, bot.seat);
    return { sentence: told ? "bot.on" : "bot", lit: DISPLAY, told };
  }
  return snapshot.revealing ? { sentence: at, lit: DISPLAY } : dawnStep(snapshot, panes, before);
}

/**
 * The tile of the vampire on its phone while that is open: the chosen one, else where it stands.
 * @param {Document | null | undefined} page
 */
function vampirePlace(page) {
  /** @param {string} ring */
  const cellWith = (ring) =>
    page?.querySelector(`#field [data-cell]:has(.ring.${ring})`)?.getAttribute("data-cell");
  return cellWith("chosen") ?? cellWith("me") ?? null;
}

/**
 * A step that is one press; where its control is hidden, the step that leads back to it; where the
 * pane still loads, "opening".
 * @param {string} sentence @param {Record<string, any>} panes @param {string} pane
 * @param {string} selector @param {Params} [params] @returns {Step}
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
 * @param {string} at @param {RadarSnapshot} snapshot @param {Record<string, any>} panes
 * @param {boolean} wasDone @returns {Step}
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
 * @param {any} page @param {RadarSnapshot} snapshot
 */
function freeTile(page, { view }) {
  const cells = [...page.querySelectorAll("#field .live:has(.can)")].map(
    ({ dataset }) => dataset.cell,
  );
  const standing = Object.values(view.pawns);
  return cells.find((cell) => !standing.includes(cell)) ?? cells[0] ?? null;
}

/**
 * What a seat's last shot or radar brought; undefined without one in its last turn.
 * @param {RadarSnapshot} snapshot @param {string} seat
 */
function happened({ log }, seat) {
  const begun = log.findLastIndex(
    ({ event }) => event.event === "turn_started" && event.seat === seat,
  );
  /** @type {any} */
  const last = log.slice(begun).findLast(({ event }) => event.event in ANSWERS)?.event;
  return begun < 0 || !last ? undefined : ANSWERS[last.event](last, seat === bot.seat);
}

/** @type {Record<string, (event: any, isBot: boolean) => {sentence: string, params?: Params}>} */
const ANSWERS = {
  radar_called: ({ distance }, isBot) => ({
    sentence: isBot ? "bot.radar" : "human.answer",
    params: { n: distance },
  }),
  shot_fired: ({ hit }, isBot) => ({
    sentence: `${isBot ? "bot" : "dawn"}.${hit ? "hit" : "miss"}`,
  }),
};

/**
 * Hunt the vampire, whose place the newcomer knows: a shot that hits, or a step that leads to one.
 * @param {RadarSnapshot} snapshot @param {Record<string, any>} panes @param {Partial<Step>} before
 * @returns {Step}
 */
function dawnStep(snapshot, panes, { sentence: last, place = null, fired = performance.now() }) {
  const told = happened(snapshot, phones.human);
  const shot = !told && place && hittingShot(snapshot, place);
  if (told || !shot)
    return {
      sentence: "dawn.end",
      told,
      mayFinish: true,
      lit: { selector: '[data-action="finish"]' },
    };
  const { walk, pawn, direction } = shot;
  if (walk)
    return {
      sentence: "human.walk",
      params: { pawn, cell: walk.to },
      lit: { pane: "board", pawn, cell: walk.to },
    };
  const choice = `[data-action="pawn"][data-arg="${pawn}"]`;
  /** @param {string} selector */
  const find = (selector) => panes.human?.querySelector(selector);
  if (find(choice) && !find(`${choice}[aria-pressed="true"]`))
    return pressing("dawn.pawn", panes, "human", choice, { pawn });
  const arrow = `[data-action="shoot"][data-arg="${direction}"]`;
  const isAimed = find(`${arrow}[aria-pressed="true"]`);
  const hasFired = last === "answer" || last === "dawn.fire";
  if (!isAimed && hasFired && performance.now() - fired < FIRE_MS)
    return { sentence: "answer", lit: DISPLAY, fired };
  return pressing(isAimed ? "dawn.fire" : "dawn.aim", panes, "human", arrow, {
    cell: place,
    direction,
  });
}

/**
 * A shot that hits a tile now, {pawn, direction}, or after a step, {pawn, walk}; null without one.
 * @param {RadarSnapshot} snapshot @param {string} place @returns {any}
 */
function hittingShot({ legal, view }, place) {
  /** @param {string} from */
  const towards = (from) =>
    Object.keys(STEPS).find((direction) => shotCells(from, direction, view).includes(place));
  for (const pawn of Object.keys(view.pawns).sort()) {
    const direction = shots(legal, pawn).length && towards(view.pawns[pawn]);
    if (direction) return { pawn, direction };
  }
  const walk =
    (view.actions_left ?? 0) > 1 &&
    walks(legal).find(({ pawn, to }) => shots(legal, pawn).length && towards(to));
  return walk ? { pawn: walk.pawn, walk } : null;
}

/** The end: the proof and the replay. @param {Record<string, any>} panes @returns {Step} */
function endStep({ table }) {
  const panes = { table };
  if (table?.location.pathname === "/replay") return { sentence: "over" };
  for (const action of ["reveal", "replay"])
    if (table?.querySelector(`[data-action="${action}"]`))
      return pressing(`end.${action}`, panes, "table", `[data-action="${action}"]`);
  return { sentence: "end", lit: DISPLAY };
}

/** @param {RadarSnapshot} snapshot @param {Record<string, any>} panes @returns {Step} */
function humanStep(snapshot, panes) {
  /** @type {any} */
  const landed = offer(snapshot.legal);
  /** @type {any} */
  const asks = landed && `[data-action="${landed.type === "call_radar" ? "radar" : "bullet"}"]`;
  const pane = ["human", "table"].find((each) => asks && panes[each]?.querySelector(asks));
  if (pane) return pressing(`human.${landed.type}`, panes, pane, asks, { pawn: landed.pawn });
  const walk = isAnswered(snapshot) ? null : walkToRadar(snapshot);
  if (!walk) {
    /** @type {any} */
    const answer = todaysAnswer(snapshot)?.event;
    const end = pressing("human.end", panes, "human", '[data-action="end"]');
    const ring = answer?.event === "radar_called" ? answer : null;
    return { ...end, told: happened(snapshot, phones.human), lit: end.lit && { ...end.lit, ring } };
  }
  const { pawn, to: cell } = walk;
  return { sentence: "human.walk", params: { pawn, cell }, lit: { pane: "board", pawn, cell } };
}

/** @param {RadarSnapshot} snapshot */
const isAnswered = (snapshot) => Boolean(todaysAnswer(snapshot));

/** The walk to the nearest place to a radar, or null. @param {RadarSnapshot} snapshot */
function walkToRadar({ legal, view }) {
  const far = stepsToRadar(view);
  return walks(legal).reduce(
    /** @param {RadarAction | null} best @param {RadarAction} walk */
    (best, walk) => (best && far[best.to] <= far[walk.to] ? best : walk),
    null,
  );
}

/** How many steps each cell is from the nearest radar, around walls. @param {RadarField} view */
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
