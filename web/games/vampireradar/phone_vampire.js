/**
 * The vampire's phone. The cover is a function of the public snapshot alone. Secrets are in the
 * page only while the player looks, make no sound and no vibration, and are removed with every loss
 * of attention.
 */
import { timedFetch } from "../../core/browser.js";
import { END_MS, standing, todaysAnswer } from "./snapshot.js";
import {
  button,
  deviceButtons,
  lobbySecret,
  seatButtons,
  secondPress,
  votePanel,
  whyNot,
  whyWait,
} from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { cellOf, isPlacing, isPlanning, legalOf, planningPhone, stack } from "../../core/phone.js";
import { hasPaper, isOnPaper, phaseOf } from "../../core/snapshot.js";
import { recallPath } from "../../proof/whole_path.js";
import { h } from "../../core/dom.js";
import { message, nightText, plainText, seatName, text, shapeOf } from "../../core/i18n.js";

const ANSWERS = ["radar_called", "shot_fired"];
/** The module that draws the field: a lobby needs none. @type {any} */
let board = null;
/** @type {typeof import("./phone_end.js").endPage} */
let endPage;
/** @type {typeof import("./drawing/hearts.js").heartsImage?} */
let heartsImage = null;

/** Open the page. @param {SeatPage} parts */
export function open({ seat, request, show }) {
  const base = planningPhone({
    seat,
    request,
    show,
    initialState: () => ({ sure: null, sheet: null, tab: "map" }),
    resetOnMove: ({ refusal }) => ({ refusal }),
    isReady: ({ phase }) => phase === "lobby" || board !== null,
    ready: async () => {
      ({ heartsImage } = await import("./drawing/hearts.js"));
      ({ endPage } = await import("./phone_end.js"));
      board = await import("./drawing/board.js");
    },
    page,
    start: "place",
    possible,
    draftDefaults: { tapped: null },
  });
  const { phone, draw } = base;
  phone.answers = new Map();
  /** @type {Record<string, (argument?: any) => unknown>} */
  const actions = { ...base.actions, ...handlers(base), reveal: base.toggle };
  return {
    ...base,
    endMs: END_MS,
    /** @param {Snapshot} snapshot */
    roomOf: (snapshot) => (hasPaper(snapshot) ? "paper" : null),
    isSilent: true,
    /** @param {RadarSnapshot} snapshot @param {RadarSecret} secret */
    update(snapshot, secret) {
      rememberAnswers(phone, snapshot);
      const drawn = base.update(snapshot, secret);
      recallPath(snapshot, draw);
      return drawn;
    },
    pressed: base.pressed(({ action, cell }) => (cell ? actions.tile(cell) : actions[action]?.())),
    /** @param {boolean} isUp */
    linked(isUp) {
      // Without the network there is nothing to recall; the next link brings it.
      if (isUp) recall(phone).then(draw, () => {});
      base.linked(isUp);
    },
  };
}

/** @param {RadarVampirePhone} phone */
function page(phone) {
  const { snapshot } = phone;
  if (snapshot.outcome) return endPage(phone);
  const isOpen = phone.look !== null;
  const isActing = isOpen && isPlanning(phone) && phone.tab === "map" && !hasPaper(snapshot);
  return h(
    "main",
    isOpen ? revealed(phone) : cover(phone),
    stack(phone, isActing ? nightButtons(phone) : snapshot.view ? seatButtons() : deviceButtons()),
  );
}

/** Fetch the public answers from before this page. @param {RadarVampirePhone} phone */
async function recall(phone) {
  /** @type {{ok: boolean, json(): Promise<RadarTold[]>}} */
  const reply = await timedFetch("/answers");
  const before = reply.ok
    ? (await reply.json()).filter(({ event }) => ANSWERS.includes(event.event))
    : [];
  phone.answers = new Map(before.map(({ position, message: words }) => [position, words]));
  if (phone.snapshot) rememberAnswers(phone, phone.snapshot);
}

/**
 * Store the answers of the present game that the log repeats, without those that were undone.
 * @param {{answers: Map<number, Message | null>}} phone
 * @param {Pick<RadarSnapshot, "phase" | "log">} snapshot
 */
export function rememberAnswers(phone, { phase, log }) {
  const start = log.findLastIndex(({ event }) => event.event === "game_started");
  if (phase === "lobby") {
    phone.answers = new Map();
    return;
  }
  const first = log[start]?.position ?? 0;
  phone.answers = new Map([...phone.answers].filter(([position]) => position > first));
  const entries = log.slice(start + 1).filter(({ event }) => ANSWERS.includes(event.event));
  const stands = standing(log);
  for (const entry of entries) {
    phone.answers.delete(entry.position);
    if (stands.includes(entry)) phone.answers.set(entry.position, entry.message);
  }
}

/* ---- the draft ---- */

/** @param {RadarVampirePhone} phone */
const viewOf = ({ snapshot, secret, seen }) => seen?.view ?? { ...snapshot.view, own: secret.own };

/** @param {{phone: RadarVampirePhone & {sheet: any[]}, add: (action: any) => any, back: () => any, commit: (actions: any[]) => any, place: (cell: string) => any}} base */
function handlers({ phone, add, back, commit, place }) {
  const isSecond = secondPress();
  /** @param {string} type */
  const choose = (type) => () => add(phone.sheet.find((action) => action.type === type));
  return {
    /** @param {string} cell */
    tile(cell) {
      const isMeant = isPlanning(phone) && possible(phone).some((each) => cellOf(each) === cell);
      if (isMeant && !phone.isBusy) phone.tapped = cell;
      return place(cell);
    },
    walk: choose("walk"),
    attack: choose("attack"),
    heal: choose("heal"),
    undo: back,
    async end_night() {
      if (phone.isBusy || !isPlanning(phone)) return;
      if (isSecond(Boolean(phone.sure)) || isPlacing(phone)) await commit(whole(phone));
      else phone.sure = "end";
    },
    log: () => {
      phone.tab = phone.tab === "log" ? "map" : "log";
    },
  };
}

/** The actions that a press may mean; a start may be replaced. @param {RadarVampirePhone} phone */
function possible(phone) {
  return isPlacing(phone)
    ? phone.secret.legal
    : legalOf(phone).filter(({ type }) => type !== "end");
}

/** @param {RadarVampirePhone} phone */
function whole(phone) {
  const isWhole = isPlacing(phone) || phone.seen?.view.outcome;
  return isWhole ? phone.draft : [...phone.draft, { type: "end" }];
}

/* ---- what is seen ---- */

/** The cover: the same with and without a draft or commit. @param {RadarVampirePhone} phone */
export function cover({ snapshot, isLost, notice }) {
  const now = phaseOf(snapshot);
  const line = snapshot.revealing
    ? text("dawn")
    : now === "night"
      ? text("night.name", { n: snapshot.view.night })
      : now === "choosing"
        ? text("night.cover")
        : text(snapshot.view && isOnPaper(snapshot) ? "paper.cover" : "cover.quiet");
  const task = coverTask(snapshot, now);
  return h(
    "section.quiet",
    h("h1#cover", isLost ? "…" : line),
    task && h("p#task.sentence", task),
    notice && h("p#notice.bad", message(notice)),
    votePanel(snapshot, "V"),
  );
}

/**
 * The text of a covered phone: the next instruction, or the seat it waits for and the last answer,
 * from the public snapshot alone.
 * @param {RadarSnapshot} snapshot @param {string} now
 */
function coverTask(snapshot, now) {
  if (snapshot.vote) return null;
  if (now === "lobby") return text("lobby.seated");
  if (now !== "turn")
    return snapshot.revealing
      ? text("board.look")
      : isOnPaper(snapshot)
        ? null
        : text(now === "choosing" ? "task.look.hide" : "task.look");
  const waits = text("event.turn_started", { seat: snapshot.to_move });
  return [waits, " ", plainText(todaysAnswer(snapshot)?.message)];
}

/** @param {RadarVampirePhone} phone */
function nightButtons(phone) {
  const end = isPlacing(phone) ? "night.hide" : phone.sure ? "sure" : "night.end";
  return [
    button("undo", text("back"), { ...whyNot(!phone.draft.length && text("nothing_to_undo")) }),
    button("end_night", text(end), {
      id: "end-night",
      class: "prime",
      ...whyNot(isPlacing(phone) && !phone.draft.length && text("night.tap")),
    }),
  ];
}

/** @param {RadarVampirePhone} phone */
function revealed(phone) {
  const { snapshot } = phone;
  // The path is shown to be copied onto paper, where the vampire goes on from its end.
  const tab = hasPaper(snapshot) ? "copy" : phone.tab;
  if (!snapshot.view) return lobbySecret(phone);
  return h(
    "section.secret",
    { translate: "no" },
    h(
      "div.line",
      h("h1", heading(phone)),
      tab !== "copy" &&
        button("log", text(tab === "log" ? "map" : "log"), {
          "aria-pressed": String(tab === "log"),
        }),
    ),
    publicLine(snapshot.view),
    tab === "copy" && copied(phone),
    tab === "map" ? [map(phone), plan(phone)] : notes(phone),
  );
}

/** @param {RadarVampirePhone} phone */
function heading(phone) {
  if (isPlanning(phone))
    return isPlacing(phone)
      ? text("night.where")
      : text("night.yours", { n: viewOf(phone).own.actions_left });
  return phone.snapshot.secret
    ? text("night.sent")
    : text("turn.theirs", { seat: phone.snapshot.to_move });
}

/** @param {RadarView} view */
function publicLine(view) {
  return h(
    "p.line",
    h(
      "span.chips",
      view.humans.map((seat) =>
        h(
          "span",
          icon(shapeOf(seat), seat),
          h("span.vh", `${seatName(seat)}: ${text("bullets")}`),
          " ",
          view.bullets[seat] ?? 0,
        ),
      ),
    ),
    heartsImage?.(view),
  );
}

/** @param {RadarVampirePhone} phone */
function map(phone) {
  const view = viewOf(phone);
  const acting = isPlanning(phone) ? possible(phone) : [];
  const me = view.own?.cell;
  const words = grouped(acting);
  /** @param {string} cell */
  const badge = (cell) =>
    words[cell].some(({ type }) => type === "attack")
      ? "sword"
      : words[cell].some(({ type }) => type === "heal")
        ? "bat"
        : null;
  return board.drawField(view, {
    compact: true,
    title: text("field"),
    describedBy: "step",
    marks: phone.snapshot.marks,
    trail: view.own?.trail,
    focus: me ?? "C3",
    pressable: Object.keys(words),
    /** @param {string} cell */
    whyNot: (cell) => whyNotThere(phone, cell),
    rings: {
      ...Object.fromEntries(Object.keys(words).map((cell) => [cell, "can"])),
      ...(me && { [me]: "me" }),
      ...(phone.tapped && { [phone.tapped]: "chosen" }),
    },
    badges: Object.fromEntries(Object.keys(words).map((cell) => [cell, badge(cell)])),
    /** @param {string} cell */
    label: (cell) =>
      [
        board.describe(cell, view, text, phone.snapshot.marks),
        cell === me && text("you.here"),
        ...(words[cell] ?? []).map(({ type }) => text(`act.${type}`)),
      ]
        .filter(Boolean)
        .join(", "),
  });
}

/**
 * Why a tile cannot be pressed; it may tell of the vampire's place, and stays under the hold.
 * @param {RadarVampirePhone} phone @param {string} cell
 */
function whyNotThere(phone, cell) {
  const { snapshot } = phone;
  if (snapshot.to_move !== "V") return whyWait(snapshot, "V");
  if (!isPlanning(phone)) return text("night.sent");
  if (isPlacing(phone)) return text("not_a_centre_tile", { cell });
  const view = viewOf(phone);
  if (view.own.actions_left < 1) return text("no_actions_left");
  const from = view.own.cell;
  return cell === from ? text("you.here") : plainText(board.noStep(view, from, cell));
}

/** @param {RadarAction[]} actions @returns {Record<string, RadarAction[]>} */
function grouped(actions) {
  /** @type {Record<string, RadarAction[]>} */
  const byCell = {};
  for (const action of actions) (byCell[cellOf(action)] ??= []).push(action);
  return byCell;
}

/** @param {RadarVampirePhone} phone */
function plan(phone) {
  const { sheet, draft, secret } = phone;
  const refusal = phone.refusal ?? phone.note;
  if (sheet)
    return h(
      "div",
      h("p#step.muted", text("task.there")),
      h(
        "div#sheet.row",
        sheet.map(({ type }) => button(type, text(`act.${type}`))),
      ),
    );
  const steps = draft
    .filter(({ type }) => type !== "place")
    .map((action) => [
      " → ",
      action.type !== "walk" && icon(action.type === "attack" ? "sword" : "bat"),
      cellOf(action),
    ]);
  const cell = secret.own?.cell ?? viewOf(phone).own?.cell;
  return h(
    "div",
    h(
      "p#plan",
      cell ? [text("you.at", { cell }), steps] : isPlanning(phone) ? text("night.tap") : "",
    ),
    refusal ? h("p#refusal.bad", message(refusal)) : h("p#step.muted", step(phone)),
  );
}

/** What the vampire may do, in one sentence; by day the answer. @param {RadarVampirePhone} phone */
function step(phone) {
  const answer = todaysAnswer(phone.snapshot);
  if (!isPlanning(phone)) return answer ? message(answer.message) : text("nobody");
  if (isPlacing(phone)) return text(phone.draft.length ? "task.hide" : "nobody");
  if (phone.sure) return text("task.sure");
  const canGo = possible(phone).length > 0;
  return text(canGo ? "task.route" : "task.route.end");
}

/**
 * The vampire's place, from which it goes on on paper; nothing for a vampire that never had a phone.
 * @param {{secret: {notes: {events: any[]}[]}}} phone
 */
function copied({ secret }) {
  const cell = path(secret.notes.flatMap(({ events }) => events))
    .split(" ")
    .at(-1);
  return cell !== "–" && h("p#copy", text("paper.copy", { cell }));
}

/**
 * The private log: each night's path, then every answer of the game. One that was fetched while it
 * is held back comes with its update.
 * @param {RadarVampirePhone} phone
 */
function notes({ secret, answers, snapshot }) {
  const current = [...answers].filter(([position]) => position <= snapshot.position);
  return h(
    "ol#notes.clues.path",
    { tabindex: 0 },
    secret.notes
      .filter(({ number }) => number > 0)
      .map(({ number, events }) => h("li", nightText(number, path(events)))),
    current.length > 0 && h("li.muted", text("notes.answers")),
    current.map(([, words]) => h("li", message(words))),
  );
}

/** The cells of a night in order: where it began, then each step. @param {any[]} events */
export function path(events) {
  const cells = events.flatMap(({ event, cell, from, to }) =>
    event === "vampire_hid" ? [cell] : event === "vampire_moved" ? [from, to] : [],
  );
  return cells.filter((cell, index) => cell !== cells[index - 1]).join(" → ") || "–";
}
