/**
 * After a game on paper: the vampire's path, typed page by page by tapping the tiles, and compared with all public events.
 * Every seat and the display may type; errors are named and can be corrected.
 */
import { withNotice } from "../../../core/with_notice.js";
import { describe, drawField } from "../drawing/board.js";
import { button, deviceButtons, otherLight } from "../../../core/controls.js";
import { Channel } from "../../../core/channel.js";
import { CELLS, tileAt } from "../drawing/field.js";
import { icon } from "../../../core/icons.js";
import { isSeat } from "../../../core/names.js";
import { pageName, unsealed, verdict } from "./table.js";
import { onPress } from "../../../core/press.js";
import { followPublic } from "../../../core/stream.js";
import { h, render } from "../../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  message,
  text,
  useSeats,
  useWordsOf,
} from "../../../core/i18n.js";

const DRAFT = "paper-draft";
const page = {
  /** @type {any} */
  snapshot: null,
  /** @type {import("../../../core/channel.js").Channel | null} */
  channel: null,
  /** @type {string | null} */
  role: null,
  /** @type {string[][]} */
  pages: [],
  open: 0,
  /** @type {{code: string, params?: Record<string, any>} | null} */
  notice: null,
  /** @type {string | null} */
  game: null,
};
const ask = withNotice(page);

async function begin() {
  await loadWords();
  await loadGameWords("vampireradar", "paper");
  useWordsOf("vampireradar");
  followLanguage(draw);
  page.channel =
    (await Channel.open({ storage: "seat-key" })) ??
    (await Channel.open({ storage: "display-key" }));
  page.role = (await ask("hello"))?.role;
  onPress(document.body, async (action, cell) => {
    await (cell ? step(cell) : pressed(...(action ?? "").split("-")));
    draw();
  });
  followPublic(
    ({ snapshot }) => {
      page.snapshot = snapshot;
      useSeats(snapshot.seats);
      if (snapshot.paper) take(snapshot.paper);
      draw();
    },
    () => {},
  );
}

/** Begin with what was typed before: on this device, else by somebody else, else with empty pages. */
function take({ announced, typed }) {
  const game = JSON.stringify(announced);
  if (page.game === game) return;
  const kept = JSON.parse(localStorage.getItem(DRAFT) ?? "null");
  page.game = game;
  page.pages = kept?.game === game ? kept.pages : (typed?.pages ?? announced.map(() => []));
  page.open = Math.max(
    0,
    page.pages.findIndex((cells, index) => !index && !cells.length),
  );
}

function keep() {
  localStorage.setItem(DRAFT, JSON.stringify({ game: page.game, pages: page.pages }));
}

const mayType = () => isSeat(page.role) || page.role === "display";

function step(cell) {
  if (!mayType()) return;
  const cells = page.pages[page.open];
  if (page.open === 0) page.pages[0] = [cell];
  else cells.push(cell);
  keep();
}

async function pressed(name, argument) {
  if (name === "language") await nextLanguage();
  if (name === "light") otherLight();
  if (!mayType() || !page.pages) return;
  if (name === "page") page.open = Number(argument);
  else if (name === "next") page.open = Math.min(page.open + 1, page.pages.length - 1);
  else if (name === "undo") page.pages[page.open].pop();
  else if (name === "check")
    await ask("paper", { pages: page.pages.map((cells) => cells.join("")).join(",") });
  keep();
}

/** Where a page begins: the last tile typed before it. */
const before = (index) => page.pages.slice(0, index).flat().at(-1);

/** The bare field: what stood there in a night of long ago is not known here. */
const bare = (view) => ({
  ...view,
  pawns: {},
  tokens: { bullets: [], bats: CELLS.filter((cell) => tileAt(cell, view.tiles) === "b") },
});

function draw() {
  const { snapshot, pages, notice } = page;
  if (!snapshot) return;
  const back = h(
    "a",
    { class: "button", href: page.role === "display" ? "/table" : "/seat" },
    text("back"),
  );
  if (!snapshot.paper)
    return render(document.getElementById("screen"), [
      h(
        "main",
        { class: "paper" },
        h(
          "div",
          { class: "side" },
          h("h1", {}, text("paper.title")),
          h("p", {}, text("paper.none")),
          back,
        ),
      ),
    ]);
  const typed = snapshot.paper.typed;
  render(document.getElementById("screen"), [
    h(
      "main",
      { class: "paper" },
      field(snapshot),
      h(
        "div",
        { class: "side" },
        h(
          "div",
          { class: "line" },
          h("h1", {}, text("paper.title")),
          h("div", { class: "tools" }, deviceButtons()),
        ),
        notice && h("p", { class: "bad", id: "notice", role: "alert" }, message(notice)),
        typed && verdict(snapshot.paper, snapshot.view, false),
        mayType() ? now(snapshot) : h("p", { class: "muted" }, text("paper.guest")),
        h(
          "ol",
          { class: "pages" },
          pages.map((cells, index) => h("li", {}, entry(cells, index), wrongs(typed, index))),
        ),
        typed && unsealed(),
        back,
      ),
    ),
  ]);
}

function field({ view }) {
  const cells = page.pages[page.open];
  const from = before(page.open);
  const here = cells.at(-1) ?? from;
  return drawField(bare(view), {
    compact: true,
    title: text("field"),
    pressable: CELLS,
    focus: here ?? "C3",
    trail: [from, ...cells].filter(Boolean),
    rings: here ? { [here]: "me" } : {},
    label: mayType() ? (cell) => describe(cell, bare(view), text) : null,
  });
}

/** The page that is typed now: the public events of that night, the way so far, and where to go on. */
function now({ paper: { announced }, view }) {
  const [index, isLast] = [page.open, page.open === page.pages.length - 1];
  return h(
    "section",
    { class: "ask", id: "now" },
    h("h2", {}, pageName(index, view)),
    h("p", {}, text(index ? "paper.steps" : view.paper_from ? "paper.stood" : "paper.begin")),
    announced[index].length > 0 &&
      h(
        "p",
        {},
        announced[index].map((words) => [message(words), " "]),
      ),
    h("p", { id: "path", translate: "no" }, way(index)),
    h(
      "div",
      { class: "row" },
      button("undo", [icon("undo"), " ", text("undo")], {
        "aria-disabled": page.pages[index].length ? null : "true",
      }),
      !isLast && button("next", text("paper.next"), { class: "prime" }),
      button("check", text("paper.check"), { class: isLast ? "prime" : null }),
    ),
  );
}

const way = (index) => [before(index), ...page.pages[index]].filter(Boolean).join(" → ") || "–";

const entry = (cells, index) =>
  button(
    `page-${index}`,
    [
      h("span", {}, pageName(index, page.snapshot.view)),
      h("span", { class: "muted", translate: "no" }, cells.join(" → ") || "–"),
    ],
    { "aria-pressed": String(index === page.open) },
  );

function wrongs(typed, index) {
  return (typed?.wrong ?? [])
    .filter(({ page: at }) => at === index)
    .map(({ message: words }) => h("p", { class: "bad" }, message(words)));
}

await begin();
