/**
 * Describe the common parts of all games' displays: banners, panels, corrections. Pure functions.
 */
import {
  button,
  CLOSES,
  deviceButtons,
  drawButton,
  halted,
  rulesLink,
  whyNot,
  narrowButton,
} from "../../core/controls.js";
import { corrections, isOnlyOwed } from "./corrections.js";
import { icon } from "../../core/icons.js";
import { announcedEvents, isBotToMove, isOff, phaseOf } from "../../core/snapshot.js";
import { gameOf } from "../../games/index.js";
import { isNothing } from "./manual_edit.js";
import { voiceButton } from "./spoken.js";
import { openSeats } from "./seating.js";
import { h } from "../../core/dom.js";
import { rich, message, seatName, text, shapeOf } from "../../core/i18n.js";

/**
 * The screen of a game at the display: its board or cards in `land`, if it has any, `behind` them
 * what decorates, and beside them `banner`, `body`, the choices and the buttons of the bar. `looks` are classes of
 * the whole screen.
 * @param {{ui: any, guide?: Child}} table `guide`: words and buttons in the place of its own
 * @param {{
 *   looks: unknown[], attrs?: Record<string, unknown>, behind?: Child, land: Child, banner: Child,
 *   body: Child, lead?: Child, choices?: Child[] | null, isRow?: boolean, bar: Child, foot?: Child,
 * }} parts
 */
export function display({ ui, guide }, parts) {
  const { looks, attrs, behind, land, banner, body, lead, choices = null, bar } = parts;
  const { isRow = true } = parts;
  return h(
    "main.play",
    {
      ...attrs,
      class: [...looks, choices?.length && "choosing", ui.info && "reading", guide && "guided"],
    },
    behind,
    land && h("div.land", land),
    h(
      "div.side",
      banner,
      body,
      guide ?? [
        h(
          "div.lower",
          lead,
          choices && h("div#choices.choices", { class: isRow && "row" }, choices),
          h("div#bar.row.bar", bar),
        ),
        parts.foot,
      ],
    ),
  );
}

/**
 * The banner of an edit by hand: its `changes` so far, as codes and parameters.
 * @param {Message[]} changes @param {Message | null} notice
 */
export function saying(changes, notice) {
  const sentences = changes.flatMap((each, index) => [index ? " " : "", ...message(each)]);
  return {
    head: text("byhand.head"),
    small: notice ? message(notice) : sentences.length ? sentences : text("byhand.tap"),
  };
}

/** @param {BoardStatus} board */
export function corrected(board) {
  if (board?.state === "ambiguous")
    return { head: board.message ? message(board.message) : text("check.which"), small: null };
  if (!isOff(board)) return null;
  const lines = toPutRight(board);
  const more =
    lines.length > 2
      ? [" ", text("check.more", { n: lines.length - 1 })]
      : lines.slice(1).flatMap((line) => [" · ", ...line]);
  return lines.length
    ? { head: [lines[0], more], small: null }
    : { head: message(board.message), small: null };
}

/** The banner while everybody waits. @param {{head: Child, small?: Child}} parts */
export const warning = ({ head, small }) =>
  h("header#banner.banner.warn", h("h1", head), small && h("p", small));

/** A seat in a heading: its shape and its name. @param {string} seat */
export const seatHeading = (seat) => [
  icon(shapeOf(seat)),
  " ",
  h("span", { translate: "no" }, seatName(seat)),
];

/**
 * The banner of a turn: the seat to move, its possible actions in `words`, and further
 * descriptions of the game.
 * @param {Snapshot & {to_move: any}} snapshot @param {Child} words @param {...Child} more
 */
export const turnBanner = (snapshot, words, ...more) =>
  h(
    "header#banner",
    { class: `banner ${snapshot.to_move}` },
    h("h1", seatHeading(snapshot.to_move), isBotToMove(snapshot) && h("small.bot", text("bot"))),
    h("p", words),
    more,
  );

/**
 * The interruption of a turn on a board: an edit by hand, a pause, a vote, corrections; null
 * without one.
 * @param {{snapshot: Snapshot, ui: Record<string, any>, notice?: any}} table @param {any} edit
 */
export const boardWarning = ({ snapshot, ui, notice }, edit) =>
  ui.byHand
    ? saying(edit.changes(ui.byHand, snapshot.view), notice)
    : (halted(snapshot) ?? corrected(snapshot.board) ?? silent(snapshot.board));

/** The button that opens the panel, or closes the texts shown instead of the turn. */
export const infoButton = (isReading = false) =>
  narrowButton("info", icon(isReading ? "cross" : "more"), text("more"), {
    "aria-pressed": String(isReading),
    ...(isReading && CLOSES),
  });

/** A sentence for each piece that people must move. @param {BoardStatus} board */
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

/** The pieces to lay before the first walk; null without any. @param {BoardStatus} board */
export function settingUp(board) {
  return board?.state === "setting_up"
    ? text("check.set_up", { n: toPutRight(board).length })
    : null;
}

/** The board's first uncertain piece; play continues. @param {BoardStatus} board */
export function unsure(board) {
  const [first, ...others] = board?.asks ?? [];
  if (!first) return null;
  return {
    head: [message(first), others.length > 0 && [" ", text("check.more", { n: others.length })]],
    small: null,
  };
}

/** @param {BoardStatus} board */
export function silent(board) {
  if (board?.link !== "silent" || board.source === "ignored") return null;
  return {
    head: text(
      ["link.unplugged", "camera.silent"].find((code) => code === board.message?.code) ??
        "board.silent",
    ),
    small: null,
  };
}

/** The last entries of a log, newest first. @param {LogEntry[]} entries @param {number} most */
export const logList = (entries, most) =>
  h(
    "ol#log.log",
    { "aria-label": text("log") },
    entries
      .slice(-most)
      .reverse()
      .map((entry) => h("li", message(entry.message))),
  );

/**
 * The last line of a display: the last message, unless the display shows it elsewhere, and the seal's words.
 * @param {Snapshot} snapshot @param {(event: GameEvent) => boolean} [isShownElsewhere]
 */
export function foot(snapshot, isShownElsewhere = (_event) => false) {
  const last = announcedEvents(snapshot.log).at(-1);
  return h(
    "footer.foot",
    h("span#caption", last && !isShownElsewhere(last.event) ? message(last.message) : ""),
    snapshot.seal &&
      h("span#seal", { translate: "no" }, text("seal", { words: snapshot.seal.words })),
  );
}

/** The two ways to end an edit by hand. @param {Draft} byHand */
function byHandChoices(byHand) {
  return [
    button(["byhand", "ok"], text("byhand.ok"), {
      class: "prime",
      ...whyNot(isNothing(byHand) && text("byhand.tap")),
    }),
    button(["byhand", "no"], text("no")),
  ];
}

/**
 * The three answers to a difference: a pawn out of the game has no place to return to; the only
 * legal reading is accepted at once; anything else is a position by hand, for which all must agree,
 * by day.
 * @param {BoardStatus} board @param {string} now
 */
function waysBack(board, now) {
  const isLegal = board.readings?.length === 1;
  return [
    !isOnlyOwed(board) && button(["board", "put_back"], text("check.put_back")),
    !isOnlyOwed(board) &&
      (isLegal || now === "turn") &&
      button(isLegal ? ["board", "accept"] : "byhand", text("check.accept")),
    button(["board", "ignore"], text("check.ignore")),
  ].filter(Boolean);
}

/** @param {BoardStatus} board */
function readings(board) {
  return [
    ...board.readings.slice(0, 3).map((actions, index) =>
      button(readingAction(actions), index + 1, {
        "aria-label": text("reading.choice", {
          n: index + 1,
          steps: actions.map(reading).join(", "),
        }),
      }),
    ),
    button(["board", "put_back"], text("check.put_back")),
  ];
}

/**
 * What a reading's button does: it has the actions themselves, since the board may have other
 * readings by then.
 * @param {Action[]} actions @returns {ActionName}
 */
export const readingAction = (actions) => ["reading", actions];

/** @param {Action} action */
function reading(action) {
  return text(`reading.${action.type}`, { pawn: action.pawn, cell: action.to ?? "" });
}

/**
 * A button for each seat that agrees at the display; one with a secret agrees on its phone.
 * @param {Snapshot & {vote: any}} snapshot
 */
export function voteButtons(snapshot) {
  const { paper, secretSeat } = gameOf(snapshot.game);
  /** @type {Vote} */
  const { needed, agreed } = snapshot.vote;
  const waiting = needed.filter(
    (seat) => (seat !== secretSeat || paper?.isOn(snapshot)) && !agreed.includes(seat),
  );
  return [
    ...waiting.map((seat) =>
      button(["agree", seat], [icon(shapeOf(seat), seat), text("vote.agree")], {
        "aria-label": `${seatName(seat)}: ${text("vote.agree")}`,
      }),
    ),
    button("refuse", text("no")),
  ];
}

/**
 * What is chosen before anything of a game on a board: an edit by hand, also on a display that lost
 * its control meanwhile; a vote, what comes after the end (`over`), what the board reads; null where
 * the game's own choices come.
 * @param {BoardTable} table @param {string} now @param {Child[]} over
 */
export function sharedChoices({ snapshot, ui, canControl }, now, over) {
  const { board, vote } = snapshot;
  if (ui.byHand) return byHandChoices(ui.byHand);
  if (!canControl) return [];
  if (vote) return voteButtons({ ...snapshot, vote });
  if (now === "over") return over;
  if (board?.state === "ambiguous") return readings(board);
  if (isOff(board)) return waysBack(board, now);
  return now === "turn" ? null : [];
}

/**
 * The panel of the button for more, sorted by what its buttons are for. A game's own buttons:
 * `tools` are among those of the screen, `facts` among those of the game, and `acts` too until it is
 * over.
 * @param {any} snapshot @param {any} ui @param {string | null} now
 * @param {{tools?: any[], acts?: any[], facts?: any[]}} more
 */
export function panel(snapshot, ui, now, { tools = [], acts = [], facts = [] } = {}) {
  const isOver = phaseOf(snapshot) === "over";
  return [
    h(
      "div.panel",
      h(
        "div.row",
        button("return", text("return")),
        rulesLink(snapshot),
        narrowButton("info", icon("cross"), text("more"), { "aria-pressed": "true", ...CLOSES }),
      ),
      group(
        "more.game",
        !isOver && openSeats(snapshot).length > 0 && drawButton(snapshot, ui.isSure),
        !isOver && now === "turn" && button("byhand", text("byhand")),
        !isOver && acts,
        facts,
      ),
      group(
        "more.screen",
        deviceButtons(),
        button("sound", icon(ui.sound ? "sound" : "mute"), {
          "aria-label": text("sound"),
          "aria-pressed": String(ui.sound),
        }),
        voiceButton(ui),
        button("far", text("far"), { "aria-pressed": String(ui.far) }),
        tools,
      ),
      group(
        "more.table",
        h("a.button", { href: "/host" }, text("host")),
        h("a.button", { href: "/board" }, text("board")),
      ),
      snapshot.seal && sealDetails(snapshot),
    ),
  ];
}

/** Buttons under a heading, if any. @param {string} title @param {...Child} buttons */
function group(title, ...buttons) {
  /** @type {any[]} */
  const all = buttons;
  if (!all.flat(2).some(Boolean)) return null;
  return h(
    "div.group",
    { role: "group", "aria-label": text(title) },
    h("p", { "aria-hidden": "true" }, text(title)),
    h("div.row", buttons),
  );
}

/** The seal as a code to scan, and its digits. @param {Snapshot & {seal: any}} snapshot */
const sealDetails = ({ position, head, seal }) =>
  h(
    "details#head",
    h("summary", text("seal.title")),
    h("img", {
      // Before `src`: the image is fetched when it is opened.
      loading: "lazy",
      src: `/qr/head.svg?at=${position}`,
      alt: head,
      width: 100,
      height: 100,
    }),
    h("small", { translate: "no" }, seal.seal),
  );
