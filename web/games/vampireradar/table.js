/** The table display of Vampire Radar: the field, the last answer, hearts and bullets, the seat to move. */
import {
  arrows,
  offered,
  nextMark,
  offer,
  ownPawns,
  stillOffered,
  tapped as pressedTile,
  turnTask,
  walks,
  whyNotThere,
} from "./turn.js";
import {
  dawnWords,
  lastAnswer,
  lastNight,
  lastShot,
  nightSummary,
  todaysAnswer,
} from "./snapshot.js";
import { actsOf, dawnStage, isOfDawn, shotStage } from "./stage.js";
import { facts, headline } from "./ending.js";
import { centre, describe, drawField, litRing } from "./drawing/board.js";
import {
  button,
  doubleTapGuard,
  endButtons,
  halted,
  undoButton,
  whyNot,
  whyWait,
} from "../../core/controls.js";
import {
  followHints,
  suggestionNow,
  maySuggest,
  suggestButton,
} from "../../screens/table/hints.js";
import { corrections } from "../../screens/table/corrections.js";
import { CELLS } from "./drawing/field.js";
import { SYMBOLS, VAMPIRE } from "./drawing/symbols.js";
import { known, recallPath } from "../../proof/whole_path.js";
import { fetchEnding } from "../../screens/table/ending.js";
import { edit } from "./drawing/tokens.js";
import { heartsImage } from "./drawing/hearts.js";
import { icon } from "../../core/icons.js";
import {
  freeUndo,
  isBotToMove,
  isOff,
  isOnPaper,
  phaseOf,
  announcedEvents,
} from "../../core/snapshot.js";
import {
  corrected,
  display,
  foot,
  infoButton,
  logList,
  panel,
  readingAction,
  saying,
  seatHeading,
  settingUp,
  silent,
  unsure,
  warning,
  sharedChoices,
} from "../../screens/table/play.js";
import { h } from "../../core/dom.js";
import { memoizeOne } from "./drawing/memoize_one.js";
import { proofList } from "../../proof/verdict.js";
import {
  gameWords,
  loadGameWords,
  message,
  rich,
  seatChip,
  seatName,
  text,
  shapeOf,
} from "../../core/i18n.js";

export { actsOf, edit };

/** Load the words of the display alone: no phone waits for them. */
export const ready = () => loadGameWords("vampireradar", "table");

/** The choices at the start of a turn: nothing declined, and no marking. */
export const newTurn = { declined: null, marking: false };

/** Whether the display shows an event elsewhere than in its last line. @param {GameEvent} event */
const isShown = (event) => event.event in ANSWERS || event.event === "game_over" || isOfDawn(event);

/**
 * The scene of the display: as on all screens; "dawn" while a night is published, "shot" while its
 * result stands alone, "way" while the vampire's way is drawn.
 * @param {RadarTable} table
 */
function sceneOf({ snapshot, act, ui }) {
  if (snapshot.revealing) return "dawn";
  const now = phaseOf(snapshot);
  const isPlayed =
    !ui.byHand &&
    (act?.name === "dawn" ||
      (act?.name === "shot" && lastShot(snapshot)) ||
      (act?.name === "way" && now === "over"));
  return act && isPlayed ? act.name : now;
}

/** Describe the whole screen of the table. @param {RadarTable} table */
export function playScreen(table) {
  const now = sceneOf(table);
  const choices = choosing(table, now);
  const list = table.ui.list?.();
  const { aside, ui, snapshot } = table;
  return display(table, {
    looks: [
      now === "over" ? "ended" : now !== "turn" && "night",
      ["dawn", "shot", "way"].includes(now) && now,
      (list || (now === "over" && table.truth)) && "reading",
      aside?.head && "announcing",
    ],
    land: now !== "over" && [field(table, now)],
    banner: banner(table, now),
    body: ui.info ? logList(announcedEvents(snapshot.log), 6) : (list ?? body(table, now)),
    lead: [
      h("p#task.task", { class: shownSuggestion(table, now) && "suggestion" }, task(table, now)),
      !choices.length && suggesting(table),
    ],
    choices,
    bar: bar(table, now),
    foot: foot(table.snapshot, isShown),
  });
}

/** What stands between the banner and the choices. @param {RadarTable} table @param {string} now */
function body(table, now) {
  const { snapshot, truth, aside } = table;
  if (now === "over") return truth ? proofList(truth) : (aside?.verdict ?? facts(snapshot));
  if (now === "shot") return shotStage(lastShot(snapshot), snapshot.view);
  if (now === "way") return null;
  return [now === "turn" && answer(table), counts(snapshot, now !== "turn")];
}

/** The words of each tile of a snapshot, in these words of the games. */
const fieldWords = memoizeOne(({ view, marks }, _gameWords) =>
  Object.fromEntries(CELLS.map((cell) => [cell, describe(cell, view, text, marks)])),
);

/** @param {RadarTable} table @param {string} now */
function field(table, now) {
  const { snapshot, ui, canControl, pending } = table;
  if (ui.byHand) return fieldByHand(snapshot, ui);
  const legal = canControl && phaseOf(snapshot) === "turn" && !pending ? snapshot.legal : [];
  const proposed = snapshot.vote?.arrangement;
  const wrong = proposed
    ? changesOf(proposed, snapshot.view)
    : misplaced(snapshot.board, snapshot.view);
  const pressable = ui.marking
    ? undefined
    : (table.aside?.cells ?? touchable(snapshot, legal, ui.pawn));
  const hands = canControl && (ui.marking || legal.length > 0);
  const waits = pending
    ? text("answer.none")
    : whyWait(snapshot, canControl ? snapshot.to_move : null);
  const left = traces(table, now);
  const { look } = table.hints ?? {};
  return drawField(snapshot.view, {
    title: text("field"),
    label: (cell) =>
      [fieldWords(snapshot, gameWords())[cell], table.hints?.words(cell)]
        .filter(Boolean)
        .join(", "),
    ...look,
    under: [look?.under, left.ring && litRing(left.ring)],
    caption: snapshot.settings.hints && now !== "over" ? text("hints.on") : null,
    pressable: hands ? pressable : [],
    whyNot: (cell) => (hands ? whyNotThere(snapshot, cell, ui.pawn) : waits),
    focus: ui.focus,
    marks: snapshot.marks,
    rings: { ...rings(snapshot.view, legal, ui.pawn), ...table.aside?.rings, ...wrong.rings },
    shot:
      table.aside?.shot ?? aimed(snapshot, ui, pending) ?? suggestedShot(table, now) ?? left.shot,
    ripple: pending?.event === "radar_called" ? pending.cell : null,
    badges: pending || wrong.arrows.length ? {} : { ...clawed(snapshot), ...left.badges },
    arrows: [...wrong.arrows, ...instructed(snapshot), ...suggestedWalk(table, now)],
    ...(now === "way" && { path: known.cells }),
  });
}

/** The field while it is edited. @param {RadarSnapshot} snapshot @param {Record<string, any>} ui */
function fieldByHand(snapshot, { byHand, pawn, focus }) {
  const view = edit.drafted(snapshot.view, byHand);
  return drawField(view, {
    title: text("field"),
    label: (cell) => describe(cell, view, text),
    pressable: CELLS.filter((cell) => edit.mayPress(view, cell, pawn)),
    whyNot: () => text("byhand.tap"),
    focus,
    ...changesOf(byHand, snapshot.view, pawn ? [view.pawns[pawn]] : []),
  });
}

/**
 * The changes of a draft: an arrow for each pawn, a ring for each token.
 * @param {Draft} draft @param {RadarView} view @param {string[]} [chosen]
 */
function changesOf({ pawns, tokens }, view, chosen = []) {
  return {
    arrows: Object.entries(pawns).map(([pawn, to]) => ({ from: view.pawns[pawn], to })),
    rings: {
      ...Object.fromEntries(Object.keys(tokens).map((cell) => [cell, "wrong"])),
      ...Object.fromEntries(chosen.map((cell) => [cell, "chosen"])),
    },
  };
}

/** @param {RadarSnapshot} snapshot @param {RadarAction[]} legal @param {any} chosen */
function touchable(snapshot, legal, chosen) {
  const own = Object.values(snapshot.view.pawns).filter(
    (cell) => ownPawns(snapshot.view, cell, snapshot.to_move).length,
  );
  return legal.length ? [...own, ...walks(legal, chosen).map(({ to }) => to)] : [];
}

/** @param {RadarView} view @param {RadarAction[]} legal @param {any} pawn */
function rings(view, legal, pawn) {
  if (!pawn || !view.pawns[pawn]) return {};
  const targets = walks(legal, pawn).map(({ to }) => [to, "can"]);
  return Object.fromEntries([...targets, [view.pawns[pawn], "chosen"]]);
}

/** @param {RadarSnapshot} snapshot @param {Record<string, any>} ui @param {any} pending */
function aimed({ view, aim }, ui, pending) {
  if (pending?.event === "shot_fired")
    return { cell: pending.cell, direction: pending.direction, isFired: true };
  if (!ui.aim && aim?.type === "shoot" && view.pawns[aim.pawn])
    return { cell: view.pawns[aim.pawn], direction: aim.direction };
  return ui.pawn && ui.aim && view.pawns[ui.pawn]
    ? { cell: view.pawns[ui.pawn], direction: ui.aim }
    : null;
}

/**
 * The requested suggestion, while it is shown; null without one.
 * @param {Pick<RadarTable, "snapshot" | "ui" | "canControl" | "pending">} table @param {string} now
 */
function shownSuggestion({ snapshot, ui, canControl, pending }, now) {
  const isHidden =
    now !== "turn" || !canControl || pending || ui.aim || ui.marking || isUrgent(snapshot);
  return isHidden ? null : suggestionNow(snapshot, ui);
}

/** @param {RadarTable} table @param {string} now */
function suggestedShot(table, now) {
  const action = shownSuggestion(table, now)?.action;
  return action?.type === "shoot"
    ? { cell: table.snapshot.view.pawns[action.pawn], direction: action.direction }
    : null;
}

/** @param {RadarTable} table @param {string} now */
function suggestedWalk(table, now) {
  const action = shownSuggestion(table, now)?.action;
  return action?.type === "walk"
    ? [{ from: table.snapshot.view.pawns[action.pawn], to: action.to }]
    : [];
}

/**
 * The marks of today's answer on the field: the line of a shot, a radar's number on its tile, and,
 * while it is new or explained, the tiles at that distance.
 * @param {RadarTable} table @param {string} now
 */
function traces({ snapshot, act, ui }, now) {
  /** @type {any} */
  const event =
    now === "shot" ? lastShot(snapshot) : now === "turn" ? todaysAnswer(snapshot)?.event : null;
  const { cell, direction, distance } = event ?? {};
  if (event?.event === "shot_fired")
    return {
      shot: { cell, direction, [now === "shot" ? "isBurning" : "isPast"]: true },
      badges: {},
    };
  if (event?.event !== "radar_called") return { shot: null, badges: {} };
  const isLit = act?.name === "radar" || (ui.list && ui.list === ui.why);
  return { shot: null, badges: { [cell]: distance }, ring: isLit && { cell, distance } };
}

/** A claw mark where the last night's pawns were taken. @param {RadarSnapshot} snapshot */
function clawed(snapshot) {
  const { announced } = lastNight(snapshot.log) ?? { announced: [] };
  return Object.fromEntries(
    announced
      .filter(({ event }) => event.cell && event.event === "pawns_killed")
      .map(({ event }) => [event.cell, "claw"]),
  );
}

/**
 * Arrows and rings that show what the board sees differently, tiles that a hand has just emptied, or the readings to choose from.
 * @param {Omit<BoardStatus, "asks"> & {asks: any[]}} board @param {RadarView} view
 */
function misplaced(board, view) {
  if (board?.state === "ambiguous") {
    return {
      arrows: board.readings.flatMap((actions, index) => steps(actions, view.pawns, index + 1)),
      rings: {},
    };
  }
  if (board?.state === "setting_up") {
    const { moves, set, off, empty, lay, take } = corrections(board);
    const cells = [
      ...moves.map(({ to }) => to),
      ...[...set, ...off, ...lay, ...take].map(({ cell }) => cell),
      ...empty,
    ];
    return { arrows: [], rings: Object.fromEntries(cells.map((cell) => [cell, "unsure"])) };
  }
  if (!isOff(board)) {
    const asks = (board?.asks ?? [])
      .flatMap(({ params }) => [params.cell, params.other])
      .filter(Boolean);
    return {
      arrows: [],
      rings: Object.fromEntries([
        ...(board?.lifted ?? []).map((cell) => [cell, "air"]),
        ...asks.map((cell) => [cell, "unsure"]),
      ]),
    };
  }
  const { moves, set, off, empty, lay, take } = corrections(board);
  const cells = [...set, ...off, ...lay, ...take].map(({ cell }) => cell).concat(empty);
  return {
    arrows: moves.map(({ from, to }) => ({ from, to })),
    rings: Object.fromEntries(cells.map((cell) => [cell, "wrong"])),
  };
}

/**
 * The walks of a reading, each from where the one before it left the pawn.
 * @param {any[]} actions @param {Record<string, string>} pawns @param {number} label
 */
function steps(actions, pawns, label) {
  const standing = { ...pawns };
  return actions
    .filter(({ type }) => type === "walk")
    .map(({ pawn, to }) => {
      const from = standing[pawn];
      standing[pawn] = to;
      return { from, to, label, action: readingAction(actions) };
    });
}

/** @param {RadarTable} table @param {string} now */
function banner(table, now) {
  const { snapshot, notice, ui } = table;
  if (now === "shot") return null;
  if (now === "over" || now === "way") return headline(snapshot, notice);
  const words = ui.byHand
    ? saying(edit.changes(ui.byHand, snapshot.view), notice)
    : (halted(snapshot) ??
      (now === "dawn"
        ? null
        : (corrected(snapshot.board) ?? silent(snapshot.board) ?? unsure(snapshot.board))));
  if (words) return warning(words);
  if (now === "dawn") return dawn(snapshot);
  const small = notice
    ? message(notice)
    : (table.aside?.small ?? settingUp(snapshot.board) ?? BANNERS[now].small(table));
  const isNamed = now === "turn" && !table.aside?.head;
  return h(
    "header#banner",
    { class: `banner ${isNamed ? snapshot.to_move : "dusk"}` },
    h("h1", table.aside?.head ?? BANNERS[now].head(snapshot)),
    isNamed && dots(snapshot),
    small?.length ? h("p", small) : null,
  );
}

/** A dot for each action, full ones for those left. @param {RadarSnapshot} snapshot */
function dots({ view: { actions_left: left }, log }) {
  /** @type {any} */
  const begun = log.findLast(({ event }) => event.event === "turn_started")?.event;
  const n = left ?? 0;
  return h(
    "span.dots",
    h("span.vh", text("turn.actions", { n })),
    Array.from({ length: Math.max(n, begun?.actions_left ?? 0) }, (_, index) =>
      h("i", { class: index < n ? "left" : null }),
    ),
  );
}

/** The events of a night: one frame for all of them. @param {RadarSnapshot} snapshot */
function dawn(snapshot) {
  const words = dawnStage(snapshot);
  const last = announcedEvents(snapshot.log).findLast(({ event }) => event.event !== "turn_ended");
  return h(
    "header#banner.banner.dusk",
    h("p", text("dawn")),
    words.length ? words : h("h1#dawn", message(last?.message)),
  );
}

/** @type {Record<string, {head: (snapshot: RadarSnapshot) => Child, small: (table: RadarTable) => any}>} */
const BANNERS = {
  turn: {
    head: (snapshot) => seatHeading(snapshot.to_move),
    small: ({ snapshot }) => instruction(snapshot),
  },
  night: {
    head: (snapshot) => text("night.name", { n: snapshot.view.night }),
    small: nightWords,
  },
  choosing: {
    head: () => text("night.choosing"),
    small: ({ isSlow }) => (isSlow ? text("night.look") : null),
  },
};

/**
 * The next action of the bot to move, as an instruction for people, or that it still decides; null
 * in a person's turn.
 * @param {RadarSnapshot} snapshot
 */
function instruction(snapshot) {
  if (!isBotToMove(snapshot)) return null;
  const { aim } = snapshot;
  return aim ? rich(`bot.${aim.type}`, { pawn: aim.pawn, cell: aim.to ?? "" }) : text("bot.thinks");
}

/** Where a hand is to move a pawn for a bot. @param {RadarSnapshot} snapshot */
function instructed({ aim, view }) {
  return aim?.type === "walk" && view.pawns[aim.pawn]
    ? [{ from: view.pawns[aim.pawn], to: aim.to }]
    : [];
}

/** @param {RadarTable} table */
function nightWords({ isSlow }) {
  return text(isSlow ? "night.look" : "task.night");
}

/** Today's answer, or what the night brought; null before both. @param {RadarTable} table */
function answer(table) {
  const { snapshot, pending, isFresh } = table;
  if (pending)
    return h("section#answer.answer", h("b.word", h("span", "…")), h("p", pendingWords(pending)));
  const entry = todaysAnswer(snapshot);
  const why = button("why", text("why"), { class: "wideonly" });
  if (entry)
    return h(
      "section#answer.answer.given",
      { class: isFresh && "fresh" },
      ANSWERS[entry.event.event]?.(entry.event, table) ?? h("p", message(entry.message)),
      why,
    );
  const words = dawnWords(snapshot);
  return (
    words.length > 0 &&
    h("section#answer.answer.morning", h("p.muted", text("dawn")), h("p#dawn.dawn", words), why)
  );
}

/** @param {any} event */
function pendingWords({ event, cell, pawn, direction }) {
  return event === "radar_called"
    ? rich("answer.radar", { cell, pawn })
    : rich("answer.shot", { cell, pawn, direction });
}

/** @type {Record<string, (event: any, table: RadarTable) => Child>} */
const ANSWERS = {
  radar_called: ({ distance, cell, pawn }, { act }) => [
    h("b", h("span", distance)),
    h("p", rich(act ? "answer.lit" : "answer.steps", { n: distance, cell, pawn })),
  ],
  shot_fired: ({ hit, cell, pawn, direction }) => [
    h(
      "b.word",
      hit
        ? h("span", icon("heart", "heart"), " ", text("answer.hit"))
        : h("span.wind", text("answer.miss")),
    ),
    h("p", rich("answer.shot", { cell, pawn, direction })),
  ],
};

/** @param {RadarSnapshot} snapshot @param {boolean} isNight */
function counts({ view }, isNight) {
  /** @param {string} seat */
  const left = (seat) => view.bullets[seat] ?? 0;
  return h(
    "section#counts.counts",
    { "aria-label": text("state") },
    h(
      "div.hp",
      h(
        "span",
        h("svg.icon", { viewBox: "-46 -46 92 92", "aria-hidden": "true" }, VAMPIRE),
        h("span.word", " ", text("vampire")),
      ),
      heartsImage(view, { id: "hearts" }, " ", view.hp),
    ),
    !isNight &&
      view.humans.map((seat) =>
        h(
          "div",
          { class: `player${view.out.includes(seat) ? " out" : ""}`, "data-seat": seat },
          seatChip(seat),
          h(
            "span.bullets",
            { role: "img", "aria-label": `${text("bullets")} ${left(seat)}` },
            left(seat) <= MOST_DRAWN
              ? Array.from({ length: left(seat) }, bullet)
              : [bullet(), " ", left(seat)],
          ),
        ),
      ),
    !isNight &&
      h(
        "div.chips",
        view.humans.map((seat) =>
          h(
            "span",
            {
              class: view.out.includes(seat) ? "out" : null,
              "aria-label": `${seatName(seat)}: ${text("bullets")} ${left(seat)}`,
              role: "img",
            },
            icon(shapeOf(seat), seat),
            " ",
            left(seat),
          ),
        ),
      ),
  );
}

/** More bullets than this are a number. */
const MOST_DRAWN = 6;

const bullet = () =>
  h("svg.icon.bullet", { viewBox: "-16 -36 32 72", "aria-hidden": "true" }, SYMBOLS.bullet);

/** The rule's sentences for the last message, and the public numbers. @param {Message[]} reasons */
const whyList = (reasons) =>
  h(
    "ol#why.why",
    { "aria-label": text("why"), tabindex: 0 },
    reasons.map((each) => h("li", message(each))),
  );

/** @param {RadarTable} table @param {string} now */
function choosing(table, now) {
  const { snapshot, ui, pending, truth, aside } = table;
  if (ui.info) return panel(snapshot, ui, now, more(snapshot, ui));
  if (ui.list) return [];
  if (pending && !ui.byHand) return [];
  const shared = sharedChoices(table, now, [aside?.over ?? endButtons(!truth), infoButton()]);
  if (shared) return shared;
  if (aside) return aside.choices;
  // A hand still walks a bot's pawn; the bot itself asks, shoots and ends.
  if (isBotToMove(snapshot)) return [];
  const landed = stillOffered(snapshot.legal, ui.declined);
  if (landed) return offered(landed);
  const aims = arrows(snapshot.legal, ui.pawn, ui.aim);
  return aims.length ? [h("span.shooting", text("act.shoot")), aims].flat() : [];
}

/** The button for a suggestion, where nothing is read. @param {RadarTable} table */
const suggesting = (table) =>
  !table.ui.list && suggestButton(table, "V", shownSuggestion(table, "turn"));

/**
 * The possible actions, in one sentence; nothing if a vote or a bot has its own.
 * @param {RadarTable} table @param {string} now
 */
function task(table, now) {
  const { snapshot, ui, canControl, pending, aside } = table;
  if (now !== "turn" || pending || aside || ui.info || ui.list || ui.byHand) return null;
  if (isUrgent(snapshot) || snapshot.board?.state === "ambiguous" || instruction(snapshot))
    return null;
  const suggestion = shownSuggestion(table, now);
  if (suggestion) return suggestion.words();
  return canControl ? turnTask(snapshot, ui) : text("task.watch");
}

/** Whether something must be settled before anybody plays on. @param {RadarSnapshot} snapshot */
function isUrgent({ vote, board }) {
  return Boolean(vote) || isOff(board);
}

/** @param {RadarTable} table @param {string} now */
function bar({ snapshot, ui, canControl, pending }, now) {
  if (ui.info) return [];
  const isReading = Boolean(ui.list);
  if (now === "shot") return [];
  if (canControl && !isReading && (isUrgent(snapshot) || ui.byHand)) return [];
  if (canControl && now === "over" && !isReading) return [];
  const info = infoButton(isReading);
  // What ended by a slip of the finger: until the dawn begins nobody has learned anything.
  if (canControl && now === "night" && !isReading && freeUndo(snapshot))
    return [undoButton(snapshot), info];
  if (!canControl || now !== "turn" || isReading) return [info];
  const canEnd =
    !pending && !isBotToMove(snapshot) && snapshot.legal.some(({ type }) => type === "end");
  return [
    undoButton(snapshot),
    button("end", text("turn.end"), {
      class: !ui.aim && !stillOffered(snapshot.legal, ui.declined) ? "prime" : null,
      ...whyNot(!canEnd && (whyWait(snapshot, snapshot.to_move) ?? text("answer.none"))),
    }),
    snapshot.settings.clues &&
      button("clues", icon("list"), { class: "narrow wideonly", "aria-label": text("clues") }),
    snapshot.settings.marks &&
      button("marks", icon("pencil"), {
        class: "narrow wideonly",
        "aria-label": text("marks"),
        "aria-pressed": String(Boolean(ui.marking)),
      }),
    info,
  ];
}

/** The game's part of the panel. @param {RadarSnapshot} snapshot @param {Record<string, any>} ui */
const more = (snapshot, { marking }) => ({
  tools: [
    snapshot.settings.marks &&
      button("marks", icon("pencil"), {
        "aria-label": text("marks"),
        "aria-pressed": String(Boolean(marking)),
      }),
  ],
  acts: [!isOnPaper(snapshot) && button("onpaper", text("switch_to_paper"))],
  facts: [
    isTold(snapshot) && button("why", text("why")),
    snapshot.settings.clues && button("clues", text("clues")),
    maySuggest(snapshot, "V") && button("suggest", text("suggest")),
  ],
});

/** Whether there is an answer or a night to explain. @param {RadarSnapshot} snapshot */
const isTold = (snapshot) => Boolean(lastAnswer(snapshot) ?? nightSummary(snapshot.log));

/* ---- presses ---- */

const [isEndSlip, isShotSlip] = [doubleTapGuard(), doubleTapGuard()];

/**
 * The meaning of a press on a tile: a mark, a walk for the board's reader, or the pawn now chosen.
 * @param {RadarSnapshot} snapshot @param {string} cell @param {Record<string, any>} ui
 */
export function tapped(snapshot, cell, ui) {
  if (ui.marking) return { request: ["mark", { cell, mark: nextMark(snapshot, cell) }] };
  const { walk, pawn } = pressedTile(snapshot, cell, ui.pawn);
  return walk
    ? { request: ["touch", { pawn: walk.pawn, cell: walk.to }], pawn: walk.pawn, aim: null }
    : { pawn, aim: null };
}

/** @param {string} type @returns {(table: RadarTable) => {submit: RadarAction | undefined}} */
const submitted =
  (type) =>
  ({ snapshot: { legal } }) => ({ submit: legal.find((action) => action.type === type) });

/** @type {LoadingActions<RadarTable>} */
export const ACTIONS = {
  shoot({ ui }, direction) {
    const isSlip = isShotSlip();
    if (ui.aim !== direction) return { aim: direction };
    return isSlip ? null : { submit: { type: "shoot", pawn: ui.pawn, direction }, aim: null };
  },
  radar: submitted("call_radar"),
  bullet: submitted("take_bullet"),
  decline: ({ snapshot }) => ({ declined: JSON.stringify(offer(snapshot.legal)) }),
  // The second of two quick taps is no end of the next player's turn.
  end: () => (isEndSlip() ? null : { submit: { type: "end" } }),
  // By night, and while the vampire is asked on paper, by who acted last; the second of two taps on End turn is no undo.
  undo: ({ snapshot: { to_move: mover, undo } }) =>
    mover !== "V"
      ? { request: ["undo", { seat: mover }] }
      : isEndSlip()
        ? null
        : { request: ["undo", { seat: undo.seat }] },
  onpaper: () => ({ request: ["switch_to_paper"], info: false }),
  marks: ({ ui }) => ({ marking: !ui.marking, info: false, pawn: null, aim: null }),
  async why({ snapshot }) {
    const [{ reasons }] = await Promise.all([
      import("./hints/reasons.js"),
      loadGameWords("vampireradar", "rules"),
    ]);
    const whys = reasons(snapshot);
    const why = () => whyList(whys);
    return { list: why, why, info: false };
  },
  async suggest(table) {
    const current = shownSuggestion(table, "turn");
    if (current && !table.ui.info) return { suggestion: null };
    const { fetchSuggestion, suggestionWords } = await import("../../screens/table/suggestion.js");
    const suggestion = await fetchSuggestion(table.snapshot);
    const words = () =>
      suggestion.action
        ? suggestionWords(suggestion, { ...suggestion.action, cell: suggestion.action.to ?? "" })
        : text("suggest.none");
    return {
      suggestion: suggestion && { ...suggestion, words },
      info: false,
      aim: null,
      marking: false,
    };
  },
  async clues({ snapshot }) {
    const { fetchClues, clueList } = await import("./hints/clues.js");
    const clues = await fetchClues(snapshot.position);
    return { list: () => clueList(clues), info: false };
  },
};

/* ---- motion ---- */

const SLIDE_MS = 250;
/** @type {Record<string, string>} */
let lastPawns = {};

/**
 * Let pawns that stand on another tile than at the last drawing slide there.
 * @param {RadarSnapshot} snapshot
 */
export function drawn({ view }) {
  const before = lastPawns;
  lastPawns = view?.pawns ?? {};
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [pawn, cell] of Object.entries(lastPawns)) {
    if (!before[pawn] || before[pawn] === cell) continue;
    const [from, to] = [centre(before[pawn]), centre(cell)];
    document
      .querySelector(`#field [data-pawn="${pawn}"]`)
      ?.animate(
        [{ translate: `${from[0] - to[0]}px ${from[1] - to[1]}px` }, { translate: "0px" }],
        { duration: SLIDE_MS, easing: "ease-out" },
      );
  }
}

/* ---- what is fetched ---- */

/**
 * Fetch further data of the screen: the path at the end, and the hints.
 * @param {RadarTable} table @param {() => unknown} draw
 */
export async function follow(table, draw) {
  const fetchHints = async () => (await import("./hints/hints.js")).fetchHints();
  await Promise.all([
    recallPath(table.snapshot, draw),
    fetchEnding(table.snapshot, draw),
    followHints(table, draw, fetchHints),
  ]);
}
