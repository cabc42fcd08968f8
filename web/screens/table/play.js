/** The table display while a game runs, as descriptions: pure functions of what `screens/table/main.js` knows. */
import { describe, drawField, fieldTable } from "../../games/vampireradar/board.js";
import { changes, drafted, isNothing } from "./manual_edit.js";
import {
  arrows,
  button,
  deviceButtons,
  halted,
  offered,
  rulesLink,
  undoButton,
} from "../../core/controls.js";
import { corrections, isOnlyOwed } from "./corrections.js";
import { nightSummary } from "../../games/vampireradar/night_log.js";
import { CELLS } from "../../games/vampireradar/field.js";
import { hearts, icon } from "../../core/icons.js";
import { SHAPES } from "../../core/names.js";
import {
  freeUndo,
  isOff,
  isOnPaper,
  lastAnswer,
  offer,
  ownPawns,
  scene,
  tellable,
  walks,
} from "../../core/snapshot.js";
import { h } from "../../core/dom.js";
import { truthList, wholePath } from "../../proof/verdict.js";
import { rich, message, seatChip, seatName, text } from "../../core/i18n.js";

/** Describe the whole screen. `table`: {picture, ui, can, pending, notice, isSlow}. */
export function playScreen(table) {
  const now = scene(table.picture);
  const dark = now === "night" || now === "choosing";
  const choices = choosing(table, now);
  const list = table.ui.why ? whyList(table.ui.why) : table.ui.clues?.();
  return h(
    "main",
    {
      class: `play${dark ? " night" : ""}${choices.length ? " choosing" : ""}${table.ui.info || list ? " reading" : ""}${table.aside?.head ? " telling" : ""}`,
    },
    h(
      "div",
      { class: "land" },
      field(table, now),
      icon("moon", "moon"),
      fieldTable(table.picture.view, text, table.picture.marks),
    ),
    h(
      "div",
      { class: "side" },
      banner(table, now),
      list ?? (table.ui.info ? [] : [now === "over" ? null : answer(table), counts(table.picture)]),
      list
        ? []
        : now === "over" && table.truth
          ? truthList(table.truth)
          : table.aside?.verdict && !table.ui.info
            ? table.aside.verdict
            : table.ui.info || dark || now === "over"
              ? logList(tellable(table.picture.log), table.ui.info ? 6 : 4)
              : [],
      h(
        "div",
        { class: "lower" },
        h("div", { class: "row choices", id: "choices" }, choices),
        h("div", { class: "row bar", id: "bar" }, bar(table, now)),
      ),
      foot(table.picture),
    ),
  );
}

/* ---- the field ---- */

function field(table, now) {
  const { picture, ui, can, pending } = table;
  if (ui.byHand) return fieldByHand(picture, ui);
  const legal = can && now === "turn" && !pending ? picture.legal : [];
  const question = picture.undo?.asked?.arrangement;
  const wrong = question ? setAnew(question, picture.view) : misplaced(picture.board, picture.view);
  const pressable = ui.marking
    ? undefined
    : (table.aside?.cells ?? touchable(picture, legal, ui.pawn));
  const hands = can && (ui.marking || legal.length > 0);
  return drawField(picture.view, {
    title: text("field"),
    label: hands
      ? (cell) =>
          [describe(cell, picture.view, text, picture.marks), table.aid?.words(cell)]
            .filter(Boolean)
            .join(", ")
      : null,
    ...table.aid?.look,
    caption: picture.settings.aids && now !== "over" ? text("aids.on") : null,
    pressable,
    focus: ui.focus,
    marks: picture.marks,
    rings: { ...rings(picture.view, legal, ui.pawn), ...table.aside?.rings, ...wrong.rings },
    shot: table.aside?.shot ?? aimed(picture, ui, pending),
    arrows: [...wrong.arrows, ...instructed(picture)],
    trail: table.aside?.trail ?? (table.truth && wholePath(table.truth)),
  });
}

/** The field as people are just saying that it stands; every tile can be pressed. */
function fieldByHand(picture, { byHand, pawn, focus }) {
  const view = drafted(picture.view, byHand);
  return drawField(view, {
    title: text("field"),
    label: (cell) => describe(cell, view, text),
    pressable: CELLS,
    focus,
    rings: pawn ? { [view.pawns[pawn]]: "chosen" } : {},
    ...setAnew(byHand, picture.view, pawn ? [view.pawns[pawn]] : []),
  });
}

/** What a draft changes: an arrow for each pawn, a ring where a token comes or goes. */
function setAnew({ pawns, tokens }, view, chosen = []) {
  return {
    arrows: Object.entries(pawns).map(([pawn, to]) => ({ from: view.pawns[pawn], to })),
    rings: {
      ...Object.fromEntries(Object.keys(tokens).map((cell) => [cell, "wrong"])),
      ...Object.fromEntries(chosen.map((cell) => [cell, "chosen"])),
    },
  };
}

function touchable(picture, legal, chosen) {
  const own = Object.values(picture.view.pawns).filter(
    (cell) => ownPawns(picture.view, cell, picture.to_move).length,
  );
  return legal.length ? [...own, ...walks(legal, chosen).map(({ to }) => to)] : [];
}

function rings(view, legal, pawn) {
  if (!pawn || !view.pawns[pawn]) return {};
  const targets = walks(legal, pawn).map(({ to }) => [to, "can"]);
  return Object.fromEntries([...targets, [view.pawns[pawn], "chosen"]]);
}

function aimed({ view, aim }, ui, pending) {
  if (pending?.event === "shot_fired") return { cell: pending.cell, direction: pending.direction };
  if (!ui.aim && aim?.type === "shoot" && view.pawns[aim.pawn])
    return { cell: view.pawns[aim.pawn], direction: aim.direction };
  return ui.pawn && ui.aim && view.pawns[ui.pawn]
    ? { cell: view.pawns[ui.pawn], direction: ui.aim }
    : null;
}

/** Arrows and rings that show what the board sees differently, tiles that a hand has just emptied, or the readings to choose from. */
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

/** The walks of a reading, each from where the one before it left the pawn. */
function steps(actions, pawns, label) {
  const standing = { ...pawns };
  return actions
    .filter(({ type }) => type === "walk")
    .map(({ pawn, to }) => {
      const from = standing[pawn];
      standing[pawn] = to;
      return { from, to, label, action: `reading-${label - 1}` };
    });
}

/* ---- the column beside it ---- */

function banner(table, now) {
  const { picture, notice, ui } = table;
  const words = ui.byHand
    ? saying(picture.view, ui.byHand, notice)
    : (halted(picture) ??
      corrected(picture.board) ??
      silent(picture.board) ??
      unsure(picture.board));
  if (words && now !== "over") {
    return h(
      "header",
      { id: "banner", class: "banner warn" },
      h("h1", {}, words.head),
      words.small ? h("p", {}, words.small) : h("p", { id: "dawn" }, dawnWords(picture)),
    );
  }
  const small = notice
    ? message(notice)
    : (table.aside?.small ?? settingUp(picture.board) ?? BANNERS[now].small(table));
  return h(
    "header",
    { id: "banner", class: `banner ${table.aside?.head ? "dusk" : BANNERS[now].class(picture)}` },
    h("h1", {}, table.aside?.head ?? BANNERS[now].head(picture)),
    small?.length ? h("p", {}, small) : null,
    now === "turn" &&
      !table.ui.pawn &&
      !table.aside &&
      h("p", { class: "dawn", id: "dawn" }, dawnWords(picture)),
  );
}

/** What people have said so far of how the table stands. */
export function saying(view, byHand, notice) {
  const told = changes(byHand, view).flatMap((each, index) => [index ? " " : "", ...message(each)]);
  return {
    head: text("byhand.head"),
    small: notice ? message(notice) : isNothing(byHand) ? text("byhand.tap") : told,
  };
}

const BANNERS = {
  turn: {
    class: (picture) => picture.to_move,
    head: (picture) => [
      icon(SHAPES[picture.to_move]),
      " ",
      h("span", { translate: "no" }, seatName(picture.to_move)),
    ],
    small: ({ picture }) =>
      instruction(picture) ?? rich("turn.actions", { n: picture.view.actions_left }),
  },
  night: {
    class: () => "dusk",
    head: (picture) => [icon("moon"), " ", text("night.name", { n: picture.view.night })],
    small: nightWords,
  },
  choosing: {
    class: () => "dusk",
    head: () => text("night.choosing"),
    small: ({ isSlow }) => (isSlow ? text("night.look") : ""),
  },
  over: {
    class: () => "dusk",
    head: (picture) => text(`end.winner.${picture.outcome.winner}`),
    small: ({ picture }) => text(`end.reason.${picture.outcome.reason}`),
  },
};

/** What the bot to move is about to do, as an instruction for hands; null in a person's turn. */
function instruction({ aim, seats, to_move: mover }) {
  const isBot = seats.some(({ seat, bot }) => seat === mover && bot);
  return isBot && aim ? rich(`bot.${aim.type}`, { pawn: aim.pawn, cell: aim.to ?? "" }) : null;
}

/** Where a hand is to move a pawn for a bot. */
function instructed({ aim, view }) {
  return aim?.type === "walk" && view.pawns[aim.pawn]
    ? [{ from: view.pawns[aim.pawn], to: aim.to }]
    : [];
}

function nightWords({ picture, isSlow }) {
  if (!picture.telling) return isSlow ? text("night.look") : "";
  const words = dawnWords(picture);
  return words.length ? words : message(picture.log.at(-1)?.said);
}

/** What the night brought, until the first human acts; nothing while it has told nothing yet. */
function dawnWords({ log }) {
  const { isOver, deeds } = nightSummary(log) ?? { deeds: [] };
  if (isOver && !deeds.length) return [text("night.quiet")];
  return deeds.flatMap((each, index) => [index ? " " : "", ...message(each.said)]);
}

export function corrected(board) {
  if (board?.state === "ambiguous")
    return { head: board.said ? message(board.said) : text("check.which"), small: null };
  if (!isOff(board)) return null;
  const lines = toPutRight(board);
  const more =
    lines.length > 2
      ? [" ", text("check.more", { n: lines.length - 1 })]
      : lines.slice(1).flatMap((line) => [" ", ...line]);
  return lines.length
    ? { head: [lines[0], more], small: null }
    : { head: message(board.said), small: null };
}

/** A sentence for each piece that hands are to move. */
function toPutRight(board) {
  const { moves, set, off, empty, lay, take } = corrections(board);
  return [
    ...off.map((each) => rich("check.off", each)),
    ...[...moves.map(({ pawn, to }) => ({ pawn, cell: to })), ...set].map((each) =>
      rich("check", each),
    ),
    ...empty.map((cell) => rich("check.empty", { cell })),
    ...take.map((each) => rich("check.take", each)),
    ...lay.map((each) => rich("check.lay", each)),
  ];
}

/** How many pieces are still to be laid before the game's first walk; null when none are. */
export function settingUp(board) {
  return board?.state === "setting_up"
    ? text("check.set_up", { n: toPutRight(board).length })
    : null;
}

/** What the board cannot make sure, one thing after the other; play goes on beside it. */
export function unsure(board) {
  const [first, ...others] = board?.asks ?? [];
  if (!first) return null;
  return {
    head: [message(first), others.length > 0 && [" ", text("check.more", { n: others.length })]],
    small: null,
  };
}

export function silent(board) {
  if (board?.link !== "silent" || board.source === "ignored") return null;
  return {
    head: text(
      ["link.unplugged", "camera.silent"].find((code) => code === board.said?.code) ??
        "board.silent",
    ),
    small: null,
  };
}

function answer({ picture, pending, isFresh }) {
  const told = lastAnswer(picture);
  if (pending)
    return h(
      "section",
      { id: "answer", class: "answer told" },
      h("b", { class: "word" }, h("span", {}, "…")),
      h("p", {}, pendingWords(pending)),
    );
  if (!told)
    return h(
      "section",
      { id: "answer", class: "answer" },
      h("b", { class: "word muted" }, h("span", {}, "–")),
      h("p", { class: "muted" }, text("answer.none")),
    );
  return h(
    "section",
    { id: "answer", class: `answer told${isFresh ? " fresh" : ""}` },
    ANSWERS[told.event.event]?.(told.event) ?? h("p", {}, message(told.said)),
    button("why", text("why"), { class: "wideonly" }),
  );
}

function pendingWords({ event, cell, pawn, direction }) {
  return event === "radar_called"
    ? rich("answer.radar", { cell, pawn })
    : rich("answer.shot", { cell, pawn, direction });
}

const ANSWERS = {
  radar_called: ({ distance, cell, pawn }) => [
    h("b", {}, h("span", {}, distance)),
    h("p", {}, rich("answer.radar", { cell, pawn })),
  ],
  shot_fired: ({ hit, cell, pawn, direction }) => [
    h(
      "b",
      { class: "word" },
      hit
        ? h("span", {}, icon("heart", "heart breaks"), " ", text("answer.hit"))
        : h("span", { class: "wind" }, text("answer.miss")),
    ),
    h("p", {}, rich("answer.shot", { cell, pawn, direction })),
  ],
};

function counts({ view }) {
  const left = (seat) => view.bullets[seat] ?? 0;
  return h(
    "section",
    { class: "counts", id: "counts", "aria-label": text("state") },
    h(
      "div",
      { class: "hp" },
      h("span", {}, icon("bat", "V"), h("span", { class: "word" }, " ", text("vampire"))),
      h(
        "span",
        { id: "hearts", role: "img", "aria-label": text("hearts", { n: view.hp }) },
        hearts(view.hp, view.max_hp),
        " ",
        view.hp,
      ),
    ),
    view.humans.map((seat) =>
      h(
        "div",
        { class: `player${view.out.includes(seat) ? " out" : ""}`, "data-seat": seat },
        seatChip(seat),
        h("span", {}, text("bullets"), " ", left(seat)),
      ),
    ),
    h(
      "div",
      { class: "chips" },
      view.humans.map((seat) =>
        h(
          "span",
          {
            class: view.out.includes(seat) ? "out" : null,
            "aria-label": `${seatName(seat)}: ${text("bullets")} ${left(seat)}`,
            role: "img",
          },
          icon(SHAPES[seat], seat),
          " ",
          left(seat),
        ),
      ),
    ),
  );
}

/** The last entries of a log, the newest first as on phones. */
export const logList = (entries, most) =>
  h(
    "ol",
    { class: "log", id: "log", "aria-label": text("log") },
    entries
      .slice(-most)
      .reverse()
      .map((entry) => h("li", {}, message(entry.said))),
  );

export function foot(picture) {
  const last = tellable(picture.log).at(-1);
  const isShown = last && last.event.event in ANSWERS;
  return h(
    "footer",
    { class: "foot" },
    h("span", { id: "caption" }, last && !isShown ? message(last.said) : ""),
    picture.seal &&
      h("span", { id: "seal", translate: "no" }, text("seal", { words: picture.seal.words })),
  );
}

/** The rule's sentences for what was said last, and the numbers that everybody may know. */
const whyList = (reasons) =>
  h(
    "ol",
    { class: "why", id: "why", "aria-label": text("why"), tabindex: 0 },
    reasons.map((each) => h("li", {}, message(each))),
  );

/* ---- what can be pressed ---- */

function choosing({ picture, ui, can, pending, truth, aside }, now) {
  if (ui.info) return panel(picture, ui, now);
  if (ui.why || ui.clues) return [];
  if (ui.byHand) return byHandChoices(ui.byHand);
  if (!can || pending) return [];
  if (picture.undo?.asked) return consent(picture);
  if (now === "over")
    return (
      aside?.over ?? [
        !truth && button("reveal", text("end.truth")),
        button("replay", text("replay")),
        button("again", text("end.again"), { class: "prime" }),
      ]
    );
  if (picture.board?.state === "ambiguous") return readings(picture.board);
  if (isOff(picture.board)) return waysBack(picture.board, now);
  if (now !== "turn") return [];
  if (aside) return aside.choices;
  const landed = offer(picture.legal);
  if (landed && ui.declined !== JSON.stringify(landed)) {
    return offered(landed);
  }
  return arrows(picture.legal, ui.pawn, ui.aim);
}

/** The two ways to end saying how the table stands. */
export function byHandChoices(byHand) {
  return [
    button("byhand-ok", text("byhand.ok"), {
      class: "prime",
      "aria-disabled": isNothing(byHand) ? "true" : null,
    }),
    button("byhand-no", text("no")),
  ];
}

/** Whether something must be settled before anybody plays on. */
function isUrgent({ undo, board }) {
  return Boolean(undo?.asked) || isOff(board);
}

/**
 * The three ways out of a table that differs: a pawn out of the game has no place to go back to; the one legal reading is
 * accepted at once, anything else is said by hand and all are asked, by day.
 */
export function waysBack(board, now) {
  const isLegal = board.readings?.length === 1;
  return [
    !isOnlyOwed(board) && button("board-put_back", text("check.put_back")),
    !isOnlyOwed(board) &&
      (isLegal || now === "turn") &&
      button(isLegal ? "board-accept" : "byhand", text("check.accept")),
    button("board-ignore", text("check.ignore")),
  ].filter(Boolean);
}

export function readings(board) {
  return [
    ...board.readings.slice(0, 3).map((actions, index) =>
      button(`reading-${index}`, index + 1, {
        class: "prime",
        "aria-label": text("reading.choice", {
          n: index + 1,
          steps: actions.map(reading).join(", "),
        }),
      }),
    ),
    button("board-put_back", text("check.put_back")),
  ];
}

function reading(action) {
  return text(`reading.${action.type}`, { pawn: action.pawn, cell: action.to ?? "" });
}

export function consent(picture) {
  const { undo } = picture;
  const waiting = undo.asked.needed.filter(
    (seat) => (seat !== "V" || isOnPaper(picture)) && !undo.asked.agreed.includes(seat),
  );
  return [
    ...waiting.map((seat) =>
      button(`agree-${seat}`, [icon(SHAPES[seat], seat), text("consent.agree")], {
        "aria-label": `${seatName(seat)}: ${text("consent.agree")}`,
      }),
    ),
    button("refuse", text("no")),
  ];
}

function bar({ picture, ui, can, pending }, now) {
  if (ui.info) return [];
  const isReading = Boolean(ui.why || ui.clues);
  if (can && !isReading && (isUrgent(picture) || ui.byHand)) return [];
  const more = button("info", icon(isReading ? "cross" : "more"), {
    class: "narrow",
    "aria-label": text("more"),
    "aria-pressed": String(isReading),
  });
  // What ended by a slip of the finger: until the dawn begins nobody has learned anything.
  if (can && now === "night" && !isReading && freeUndo(picture)) return [undoButton(picture), more];
  if (!can || now !== "turn" || isReading) return [more];
  const canEnd = !pending && picture.legal.some(({ type }) => type === "end");
  return [
    undoButton(picture),
    button("end", text("turn.end"), {
      class: picture.view.actions_left === 0 && !offer(picture.legal) ? "prime" : null,
      "aria-disabled": canEnd ? null : "true",
    }),
    isListed(picture) &&
      button("clues", icon("list"), { class: "narrow wideonly", "aria-label": text("clues") }),
    picture.settings.marks &&
      button("marks", icon("pencil"), {
        class: "narrow wideonly",
        "aria-label": text("marks"),
        "aria-pressed": String(Boolean(ui.marking)),
      }),
    more,
  ];
}

/** Whether there is an answer or a night to explain; only VampireRader's can. */
const isTold = (picture) =>
  picture.game === "vampireradar" && Boolean(lastAnswer(picture) ?? nightSummary(picture.log));

/** Whether the table keeps the clue list, which only VampireRader has. */
export const isListed = ({ settings, view }) => settings.clues && Boolean(view?.tiles);

export function panel(picture, ui, now) {
  return [
    h(
      "div",
      { class: "panel" },
      picture.seal &&
        h(
          "p",
          { id: "head", translate: "no" },
          h("img", {
            src: `/qr/head.svg?at=${picture.position}`,
            alt: picture.head,
            width: 100,
            height: 100,
          }),
          h("small", {}, picture.seal.seal),
        ),
      h(
        "div",
        { class: "row" },
        deviceButtons(),
        button("sound", icon(ui.sound ? "sound" : "mute"), {
          "aria-label": text("sound"),
          "aria-pressed": String(ui.sound),
        }),
        button("far", text("far"), { "aria-pressed": String(ui.far) }),
        picture.settings.marks &&
          button("marks", icon("pencil"), {
            "aria-label": text("marks"),
            "aria-pressed": String(Boolean(ui.marking)),
          }),
        button("info", icon("cross"), { "aria-label": text("more"), "aria-pressed": "true" }),
      ),
      h(
        "div",
        { class: "row" },
        button("draw", text("draw")),
        now === "turn" && button("byhand", text("byhand")),
        picture.game === "vampireradar" &&
          !isOnPaper(picture) &&
          button("onpaper", text("on_paper")),
        h("a", { class: "button", href: "/host" }, text("host")),
        h("a", { class: "button", href: "/board" }, text("board")),
        isTold(picture) && button("why", text("why")),
        isListed(picture) && button("clues", text("clues")),
        button("return", text("return")),
        rulesLink(picture),
      ),
    ),
  ];
}
