/** A human's phone. It shows public data only; the display can do everything that it can. */
import {
  arrows,
  nextMark,
  offer,
  offered,
  ownPawns,
  shots,
  stillOffered,
  tapped,
  turnTask,
  walks,
  whyNotThere,
} from "./turn.js";
import { dawnWords, END_MS, todaysAnswer } from "./snapshot.js";
import { describe, drawField } from "./drawing/board.js";
import {
  button,
  CLOSES,
  deviceButtons,
  doubleTapGuard,
  ownCode,
  rulesButton,
  seatButtons,
  startButton,
  undoButton,
  votePanel,
  whyWait,
} from "../../core/controls.js";
import { heartsImage } from "./drawing/hearts.js";
import { endPage } from "./phone_end.js";
import { recallPath } from "../../proof/whole_path.js";
import { icon } from "../../core/icons.js";
import {
  announcedEvents,
  canStart,
  freeUndo,
  hasPaper,
  isOff,
  phaseOf,
} from "../../core/snapshot.js";
import { seatPhone, lastEntries } from "../../core/phone.js";
import { h } from "../../core/dom.js";
import {
  pawnChip,
  rich,
  message,
  seatChip,
  seatName,
  text,
  seatOf,
  shapeOf,
} from "../../core/i18n.js";

const CLUES = 4;
const NEW_TURN = { aim: null, declined: null, marking: false };

/** Open the page. @param {SeatPage} parts */
export function open({ seat, request, show }) {
  const base = seatPhone({
    seat,
    request,
    show,
    initialState: () => ({ ...NEW_TURN, pawn: null, clues: null }),
    resetOnMove: () => ({ clues: null }),
    page: screen,
  });
  const { phone, draw } = base;
  /** @type {Record<string, (argument: any) => unknown>} */
  const actions = { ...base.actions, ...handlers(phone, base.send) };
  return {
    ...base,
    endMs: END_MS,
    /** @param {Snapshot} snapshot */
    roomOf: (snapshot) => (hasPaper(snapshot) ? "paper" : null),
    handover: () => import("./paper/handover.js"),
    /** @param {RadarSnapshot} snapshot @param {RadarSecret} secret */
    update(snapshot, secret) {
      if (phone.snapshot?.to_move !== snapshot.to_move)
        Object.assign(phone, { ...NEW_TURN, pawn: null });
      if (!snapshot.view?.pawns[phone.pawn])
        Object.assign(phone, { pawn: firstPawn(snapshot, seat), aim: null });
      const drawn = base.update(snapshot, secret);
      recallPath(snapshot, draw);
      return drawn;
    },
    /** @param {Press} press */
    async pressed({ action, argument, cell }) {
      await (cell ? actions.tile(cell) : actions[action]?.(argument));
      draw();
    },
  };
}

/** The page, dark by night while nothing on it is used. @param {RadarHumanPhone} phone */
function screen(phone) {
  const now = phaseOf(phone.snapshot);
  const isDark = (now === "night" || now === "choosing") && !phone.marking && !phone.clues;
  document.body.classList.toggle("cover", isDark);
  return isDark ? cover(phone) : now === "over" ? endPage(phone) : page(phone, now);
}

/**
 * @param {RadarHumanPhone} phone
 * @param {(what: string, args?: Record<string, unknown>) => any} send
 */
function handlers(phone, send) {
  /** @param {any} action */
  const submit = (action) => {
    phone.aim = null;
    return send("submit", { actions: [action] });
  };
  const landed = () => offer(phone.snapshot.legal);
  const [isSlip, isEndSlip] = [doubleTapGuard(), doubleTapGuard()];
  /** @param {string} pawn */
  const choose = (pawn) => {
    const wasAimed = phone.aim !== null;
    Object.assign(phone, { pawn, aim: null });
    return wasAimed ? send("aim", { actions: [] }) : null;
  };
  return {
    /** @param {string} cell */
    tile(cell) {
      if (phone.marking) return send("mark", { cell, mark: nextMark(phone.snapshot, cell) });
      const { walk, pawn } = tapped(phone.snapshot, cell, phone.pawn);
      if (walk) return submit(walk);
      return choose(pawn ?? phone.pawn);
    },
    pawn: choose,
    /** @param {string} direction */
    shoot: (direction) => {
      const tooSoon = isSlip();
      if (phone.aim === direction)
        return tooSoon ? null : submit({ type: "shoot", pawn: phone.pawn, direction });
      phone.aim = direction;
      // The line is seen on the table display before the second press fires.
      return send("aim", { actions: [{ type: "shoot", pawn: phone.pawn, direction }] });
    },
    radar: () => submit(landed()),
    bullet: () => submit(landed()),
    decline: () => {
      phone.declined = JSON.stringify(landed());
    },
    end: () => (isEndSlip() ? null : submit({ type: "end" })),
    // The second of two quick taps on End turn is no undo.
    undo: () => (phone.snapshot.to_move !== phone.seat && isEndSlip() ? null : send("undo")),
    marks: () => {
      phone.marking = !phone.marking;
    },
    async clues() {
      const { fetchClues, clueList } = await import("./hints/clues.js");
      const clues = phone.clues ? null : await fetchClues(phone.snapshot.position);
      phone.clues = clues && (() => clueList(clues, "clues"));
    },
  };
}

/** @param {RadarSnapshot} snapshot @param {string} seat */
function firstPawn({ view }, seat) {
  return (
    Object.keys(view?.pawns ?? {})
      .sort()
      .find((pawn) => seatOf(pawn) === seat) ?? null
  );
}

/** @param {RadarHumanPhone} phone */
function cover({ snapshot, isLost, seat, notice }) {
  return h(
    "main",
    h("section.quiet", isLost ? h("h1", "…") : nightWords(snapshot)),
    votePanel(snapshot, seat),
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    h(
      "div.stack",
      freeUndo(snapshot) === seat && undoButton(snapshot),
      snapshot.settings.clues && button("clues", text("clues"), { class: "wide" }),
      snapshot.settings.marks && button("marks", text("marks"), { class: "wide" }),
      h("div.row", seatButtons()),
    ),
  );
}

/**
 * What the night is, and that there is nothing to do but wait; its events, once they are published.
 * @param {RadarSnapshot} snapshot
 */
function nightWords(snapshot) {
  const isHiding = phaseOf(snapshot) === "choosing";
  const dawn = snapshot.revealing ? dawnWords(snapshot) : [];
  return [
    h(
      "h1",
      snapshot.revealing ? text("dawn") : isHiding ? text("night.cover") : nightName(snapshot),
    ),
    h("p#task.sentence", dawn.length ? dawn : text(isHiding ? "task.hiding" : "task.night")),
  ];
}

/** @param {RadarSnapshot} snapshot */
const nightName = ({ view }) => text("night.name", { n: view.night });

/** @param {RadarHumanPhone} phone @param {string} now */
function page(phone, now) {
  const { snapshot, seat, notice } = phone;
  if (now === "lobby") return lobby(snapshot, seat);
  const isMine = now === "turn" && snapshot.to_move === seat;
  // Until all have voted the table takes nothing else.
  const mayAct = isMine && !snapshot.vote;
  return h(
    "main",
    { class: "seated" },
    stripe(phone, isMine),
    votePanel(snapshot, seat),
    sentence(phone, now, isMine, mayAct),
    field(phone, mayAct),
    notice && h("p#notice.bad", { role: "alert" }, message(notice)),
    phone.clues
      ? phone.clues()
      : [answerOf(snapshot), mayAct && hasChoice(phone) ? choices(phone) : waiting(snapshot)],
    footButtons(phone, isMine),
  );
}

/** @param {RadarSnapshot} snapshot @param {string} seat */
function lobby(snapshot, seat) {
  return h(
    "main",
    { class: "seated" },
    h("h1", { class: `stripe ${seat}` }, seatChip(seat)),
    h("p#task.sentence", lobbyTask(snapshot)),
    ownCode(),
    h(
      "ul.clues",
      snapshot.seats.map((each) =>
        h("li", seatChip(each.seat), " – ", text(each.taken ? "seat.taken" : "seat.free")),
      ),
    ),
    h(
      "div.foot.row",
      deviceButtons(),
      h("a.button", { href: "/host" }, text("host")),
      startButton(snapshot),
    ),
  );
}

/** The actions of a seat before the game. @param {RadarSnapshot} snapshot */
function lobbyTask(snapshot) {
  if (canStart(snapshot)) return text("task.ready");
  return text(snapshot.lobby.wrong_seat?.code === "seat_open" ? "lobby.vampire" : "lobby.seated");
}

/**
 * The actions of this seat, or the seat it waits for, in one sentence; a vote has its own.
 * @param {RadarHumanPhone} phone @param {string} now @param {boolean} isMine
 * @param {boolean} mayAct
 */
function sentence(phone, now, isMine, mayAct) {
  const { snapshot, seat, pawn, aim, declined, marking } = phone;
  if (snapshot.vote) return null;
  if (now === "turn" && isOff(snapshot.board)) return h("p#look.sentence", text("board.look"));
  const words =
    isMine || marking
      ? turnTask(snapshot, { pawn, aim, declined, marking })
      : snapshot.view.out.includes(seat)
        ? text("out.long")
        : rich("event.turn_started", { seat: snapshot.to_move });
  return h("div.sentence.line", h("p#task", words), mayAct && pawnButtons(snapshot, pawn, seat));
}

/** @param {RadarHumanPhone} phone @param {boolean} isMine */
function stripe({ snapshot, seat, isLost }, isMine) {
  const words = isLost
    ? text("link.again")
    : isMine
      ? rich("turn.actions", { n: snapshot.view.actions_left })
      : snapshot.view.out.includes(seat)
        ? text("out")
        : text("task.wait");
  return h(
    "h1#banner",
    { class: `stripe ${isMine ? seat : ""}` },
    seatChip(seat),
    h("span.small", words),
  );
}

/**
 * The pawns to choose from: a press on the tile of another own pawn may be a walk there.
 * @param {RadarSnapshot} snapshot @param {any} chosen @param {string} seat
 */
function pawnButtons({ view }, chosen, seat) {
  const own = Object.keys(view.pawns)
    .sort()
    .filter((pawn) => seatOf(pawn) === seat);
  return h(
    "div.pawns",
    { role: "group", "aria-label": text("pawns") },
    own.map((pawn) =>
      button(
        ["pawn", pawn],
        [pawnChip(pawn), h("span.vh", { translate: "no" }, " ", view.pawns[pawn])],
        { "aria-pressed": String(pawn === chosen) },
      ),
    ),
  );
}

/** @param {RadarHumanPhone} phone @param {boolean} isMine */
function field({ snapshot, seat, pawn, aim, marking }, isMine) {
  const { view, legal, marks } = snapshot;
  const chosen = isMine && !marking ? pawn : null;
  const targets = chosen ? walks(legal, chosen).map(({ to }) => to) : [];
  const own = Object.values(view.pawns).filter(
    (cell) => ownPawns(view, cell, snapshot.to_move).length,
  );
  return drawField(view, {
    compact: true,
    title: text("field"),
    marks,
    describedBy: "task",
    label: (cell) => describe(cell, view, text, marks),
    pressable: marking ? undefined : isMine ? [...own, ...targets] : [],
    whyNot: (cell) => (isMine ? whyNotThere(snapshot, cell, pawn) : whyWait(snapshot, seat)),
    rings: {
      ...Object.fromEntries(targets.map((cell) => [cell, "can"])),
      ...(chosen && { [view.pawns[chosen]]: "chosen" }),
    },
    shot: chosen && aim ? { cell: view.pawns[chosen], direction: aim } : null,
  });
}

/** @param {RadarHumanPhone} phone */
const hasChoice = ({ snapshot: { legal }, pawn, declined }) =>
  Boolean(stillOffered(legal, declined)) || shots(legal, pawn).length > 0;

/** @param {RadarHumanPhone} phone */
function choices(phone) {
  const { snapshot, pawn, aim, declined } = phone;
  const landed = stillOffered(snapshot.legal, declined);
  const bullets = snapshot.view.bullets[snapshot.to_move];
  return h(
    "section#choices.card",
    landed
      ? h("div.row", offered(landed))
      : [
          h(
            "p",
            rich("shoot.from", { cell: snapshot.view.pawns[pawn] }),
            " · ",
            rich("shoot.bullets", { n: bullets }),
          ),
          h("div.row.arrows", arrows(snapshot.legal, pawn, aim)),
        ],
  );
}

/** Today's answer, or the events of the last night. @param {RadarSnapshot} snapshot */
function answerOf(snapshot) {
  const answer = todaysAnswer(snapshot);
  const words = answer ? message(answer.message) : dawnWords(snapshot);
  return words.length > 0 && h("p#answer.answer", words);
}

/** The last entries but the answer, which stands above them. @param {RadarSnapshot} snapshot */
function recent(snapshot) {
  const answer = JSON.stringify(todaysAnswer(snapshot)?.message);
  return announcedEvents(snapshot.log).filter(
    ({ message: sentence }) => JSON.stringify(sentence) !== answer,
  );
}

/** @param {RadarSnapshot} snapshot */
function waiting(snapshot) {
  const { view } = snapshot;
  return h(
    "section",
    h(
      "p.line",
      h(
        "span.chips",
        view.humans.map((each) =>
          h(
            "span",
            icon(shapeOf(each), each),
            h("span.vh", { translate: "no" }, seatName(each)),
            " ",
            view.bullets[each] ?? 0,
          ),
        ),
      ),
      heartsImage(view),
    ),
    lastEntries(recent(snapshot), CLUES),
  );
}

/** @param {RadarHumanPhone} phone @param {boolean} isMine */
function footButtons({ snapshot, seat, marking, clues, aim, declined }, isMine) {
  const list =
    snapshot.settings.clues &&
    button("clues", [icon("list"), !isMine && text("clues")], {
      "aria-label": text("clues"),
      "aria-pressed": String(Boolean(clues)),
      ...(clues && CLOSES),
    });
  const marks =
    snapshot.settings.marks &&
    button("marks", [icon("pencil"), !isMine && text("marks")], {
      "aria-label": text("marks"),
      "aria-pressed": String(marking),
    });
  if (!isMine)
    return h(
      "div.foot.row",
      seatButtons(),
      list,
      marks,
      freeUndo(snapshot) === seat && undoButton(snapshot, true),
    );
  const isAsked = aim || snapshot.vote || stillOffered(snapshot.legal, declined);
  return h(
    "div.foot.row",
    rulesButton(),
    list,
    marks,
    undoButton(snapshot, true),
    button("end", text("turn.end"), { class: isAsked ? null : "prime" }),
  );
}
