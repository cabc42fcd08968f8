/**
 * The fugitive's phone. The cover is a function of the public snapshot alone. Secrets are in the
 * page only while the player looks, make no sound and no vibration, and are removed with every loss
 * of attention.
 */
import "./names.js";
import {
  button,
  deviceButtons,
  lobbySecret,
  seatButtons,
  secondPress,
  votePanel,
  whyNot,
  whyWait,
  narrowButton,
} from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import {
  cellOf,
  finalButtons,
  isPlacing,
  isPlanning,
  legalOf,
  planningPhone,
  stack,
} from "../../core/phone.js";
import { isLookedUp, lookUp } from "../../core/reference.js";
import { hasPaper, isOnPaper, phaseOf } from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { message, text } from "../../core/i18n.js";
import {
  centreMap,
  centring,
  drawMap,
  firstZoom,
  nextZoom,
  placeName,
  placeWords,
  wayName,
} from "./board.js";
import { card } from "./card.js";
import { lastPath, overWords, withPath } from "./last_path.js";
import { triumph } from "./triumph.js";
import { counts, placeClues, travels } from "./turn.js";

const ENDS = ["end", "again", "surrender"];

/** Open the page. @param {SeatPage} parts */
export function open({ seat, request, show }) {
  const base = planningPhone({
    seat,
    request,
    show: centring(show),
    initialState: () => ({ sheet: null, sure: null }),
    isReady: (snapshot) => isLookedUp(snapshot),
    ready: lookUp,
    page,
    start: "hide",
    possible,
    draftDefaults: { isUnseen: false },
  });
  Object.assign(base.phone, { zoom: null });
  /** @type {Record<string, (argument: any) => unknown>} */
  const actions = { ...base.actions, ...handlers(base), reveal: base.toggle };
  return {
    ...withPath(base),
    isSilent: true,
    pressed: base.pressed(({ action, argument, cell }) =>
      cell ? base.place(cell) : actions[action]?.(argument),
    ),
  };
}

/** @param {ManhuntPhone} phone @returns {number} */
const zoomOf = ({ zoom }) => zoom ?? firstZoom();

/** @param {ManhuntPhone} phone @returns {ManhuntOwn | undefined} */
const ownOf = ({ secret, seen }) => seen?.view.own ?? secret?.own;

/**
 * The starts or steps that a press may mean now; another start may replace the first one.
 * @param {ManhuntPhone} phone @returns {ManhuntAction[]}
 */
const possible = (phone) =>
  (isPlacing(phone) ? phone.secret.legal : legalOf(phone)).filter(
    (action) => action.type === "hide" || (action.type === "step" && isWanted(phone, action)),
  );

/**
 * Unseen steps are offered while that is switched on, or if nothing else is possible.
 * @param {ManhuntPhone} phone @param {ManhuntAction} action
 */
const isWanted = (phone, { unseen = false, to, kind }) =>
  unseen === phone.isUnseen ||
  (unseen &&
    !legalOf(phone).some(
      (each) => each.type === "step" && each.to === to && each.kind === kind && !each.unseen,
    ));

/** @param {{phone: ManhuntPhone, add: (action: any) => any, back: () => any, commit: (actions: any[]) => any}} base */
function handlers({ phone, add, back, commit }) {
  const isSecond = secondPress();
  /**
   * The second press ends the turn: it cannot be taken back once it is announced.
   * @param {string} type
   */
  const end = (type) => () => {
    if (phone.isBusy || !isPlanning(phone)) return null;
    if (isSecond(phone.sure === type))
      return commit(isPlacing(phone) ? phone.draft : [...phone.draft, { type }]);
    phone.sure = type;
    return null;
  };
  return {
    /** @param {number} index */
    way: (index) => phone.sheet?.[index] && add(phone.sheet[index]),
    undo: back,
    unseen: () => {
      Object.assign(phone, { isUnseen: !phone.isUnseen, sheet: null });
    },
    zoom: () => {
      phone.zoom = nextZoom(zoomOf(phone));
      centreMap();
    },
    end: end("end"),
    twice: () => isPlanning(phone) && add({ type: "again" }),
    surrender: end("surrender"),
  };
}

/** @param {ManhuntPhone} phone */
function page(phone) {
  const { snapshot } = phone;
  const isOpen = phone.look !== null;
  return h(
    "main.manhunt-phone",
    isOpen ? revealed(phone) : cover(phone),
    stack(
      phone,
      isOpen && isPlanning(phone) && !hasPaper(snapshot)
        ? turnButtons(phone)
        : snapshot.view && !snapshot.outcome
          ? seatButtons()
          : [snapshot.outcome && finalButtons(phone), deviceButtons()],
    ),
  );
}

/** The cover: the same with and without a draft or a sent turn. @param {ManhuntPhone} phone */
export function cover({ snapshot, isLost, truth, notice }) {
  const now = phaseOf(snapshot);
  const path = lastPath();
  const line =
    now === "night" || now === "choosing"
      ? "fugitive.turn"
      : now === "over"
        ? `end.winner.${snapshot.outcome.winner}`
        : snapshot.view && isOnPaper(snapshot)
          ? "paper.cover"
          : "cover.quiet";
  return h(
    now === "over" ? "section.finale" : "section.quiet",
    now === "over" && triumph(snapshot.outcome.winner),
    h("h1#cover", isLost ? "…" : text(line)),
    h("p#task.sentence", coverTask(snapshot, now)),
    notice && h("p#notice.bad", message(notice)),
    votePanel(snapshot, "F"),
    now === "over" && [
      truth?.(),
      drawMap(snapshot.view, {
        title: text("field"),
        zoom: 1,
        clues: placeClues(snapshot.view),
        way: path,
        me: path.at(-1),
        label: (cell) => placeWords(snapshot.view, cell),
        pressable: [],
        whyNot: () => whyWait(snapshot, "F"),
      }),
    ],
  );
}

/**
 * The text of a covered phone: the next instruction, or the seat it waits for, from the public
 * snapshot alone.
 * @param {ManhuntSnapshot} snapshot @param {string} now
 */
function coverTask(snapshot, now) {
  if (snapshot.vote) return null;
  if (now === "lobby") return text("lobby.seated");
  if (now === "over") return overWords(snapshot, lastPath());
  if (now !== "turn") return text("task.reveal");
  return snapshot.to_move === "F" ? null : text("turn.theirs", { seat: snapshot.to_move });
}

/* ---- under the hold ---- */

/** @param {ManhuntPhone} phone */
function turnButtons(phone) {
  const legal = legalOf(phone);
  const placing = isPlacing(phone);
  /** @param {string} type */
  const may = (type) => (placing ? type === "end" : legal.some((action) => action.type === type));
  const canUnsee = !placing && legal.some(({ type, unseen }) => type === "step" && unseen);
  /** @param {string} type */
  const label = (type) => text(phone.sure === type ? "sure" : placing ? "act.hide" : `act.${type}`);
  return [
    button("undo", [icon("undo"), h("span.vh", text("undo"))], {
      ...whyNot(!phone.draft.length && text("nothing_to_undo")),
    }),
    canUnsee &&
      button("unseen", text("act.unseen"), { "aria-pressed": String(Boolean(phone.isUnseen)) }),
    ENDS.filter(may).map((type) =>
      // All phones take "again" for the next game.
      button(type === "again" ? "twice" : type, label(type), {
        class: type === "end" ? "prime" : null,
        id: type === "end" ? "end-turn" : null,
        ...whyNot(placing && !phone.draft.length && text("hide_first")),
      }),
    ),
  ];
}

/** @param {ManhuntPhone} phone */
function revealed(phone) {
  const { snapshot } = phone;
  const refusal = phone.refusal ?? phone.note;
  if (!snapshot.view) return lobbySecret(phone);
  return h(
    "section.secret",
    { translate: "no" },
    h(
      "div.line",
      h("h1", heading(phone)),
      narrowButton("zoom", `${zoomOf(phone)}×`, text("zoom", { n: zoomOf(phone) })),
    ),
    refusal && h("p#refusal.bad", message(refusal)),
    phone.sheet && sheet(phone.sheet),
    hasPaper(snapshot) && copied(phone),
    map(phone),
    !hasPaper(snapshot) && plan(phone),
    counts(snapshot.view, "F"),
    travels(snapshot.view, 4),
    card(),
  );
}

/** @param {ManhuntPhone} phone */
function heading(phone) {
  const { snapshot } = phone;
  if (snapshot.outcome) return text(`end.winner.${snapshot.outcome.winner}`);
  if (isPlanning(phone)) return text(isPlacing(phone) ? "fugitive.where" : "fugitive.yours");
  return snapshot.secret ? text("fugitive.sent") : text("turn.theirs", { seat: snapshot.to_move });
}

/** @param {ManhuntAction[]} ways */
const sheet = (ways) =>
  h(
    "div#sheet.row",
    ways.map(({ kind, unseen }, index) =>
      button(["way", index], unseen ? `${wayName(kind)}, ${wayName("unseen")}` : wayName(kind), {
        class: "prime",
      }),
    ),
  );

/**
 * The way of this night so far, to be copied onto paper, where it continues.
 * @param {{snapshot: ManhuntSnapshot, secret: {notes: {events: any[]}[]}}} phone
 */
function pathSoFar({ snapshot, secret }) {
  const events = (secret?.notes ?? []).flatMap(({ events: each }) => each);
  const start = events.findLastIndex(({ event }) => event === "fugitive_hid");
  if (start < 0 || snapshot.view.placed === false) return [];
  return events.slice(start).map(({ cell, to }) => cell ?? to);
}

/** @param {ManhuntPhone} phone */
function copied(phone) {
  const cells = pathSoFar(phone);
  return (
    cells.length > 0 &&
    h(
      "p#copy",
      text("paper.copy", { place: placeName(cells.at(-1)) }),
      h("small", { translate: "no" }, ` ${cells.join(" → ")}`),
    )
  );
}

/** @param {ManhuntPhone} phone */
function map(phone) {
  const isCopied = hasPaper(phone.snapshot);
  const own = isCopied ? { cell: pathSoFar(phone).at(-1), path: pathSoFar(phone) } : ownOf(phone);
  const acting = isPlanning(phone) && !isCopied ? possible(phone) : [];
  /** @type {any[]} */
  const cells = [...new Set(acting.map(cellOf))];
  const hidden = phone.draft.find(({ type }) => type === "hide")?.cell;
  const me = hidden ?? own?.cell;
  return drawMap(
    { ...phone.snapshot.view, to_move: phone.snapshot.to_move },
    {
      title: text("field"),
      zoom: zoomOf(phone),
      focus: me ?? cells[0],
      me,
      trail: own?.path,
      pressable: cells,
      whyNot: () => whyNotThere(phone),
      rings: Object.fromEntries(cells.map((cell) => [cell, "can"])),
      clues: placeClues(phone.snapshot.view),
      label: (cell) =>
        [
          placeWords(phone.snapshot.view, cell),
          cell === me && text("you.here"),
          ...acting
            .filter((each) => cellOf(each) === cell && each.kind)
            .map(({ kind }) => wayName(kind)),
        ]
          .filter(Boolean)
          .join(", "),
    },
  );
}

/**
 * Why a place cannot be pressed; it may tell of the fugitive's place, and stays under the hold.
 * @param {ManhuntPhone} phone
 */
function whyNotThere(phone) {
  const { snapshot } = phone;
  if (snapshot.outcome || snapshot.to_move !== "F") return whyWait(snapshot, "F") ?? "";
  if (!isPlanning(phone)) return text("fugitive.sent");
  return text(isPlacing(phone) ? "no_start_here" : "no_such_step");
}

/** This turn's path in words. @param {ManhuntPhone} phone */
function plan(phone) {
  const own = ownOf(phone);
  const hidden = phone.draft.find(({ type }) => type === "hide")?.cell;
  const cells = hidden ? [hidden] : (own?.path ?? []);
  return h("p#plan", cells.length ? cells.map((cell) => placeName(cell)).join(" → ") : "–");
}
