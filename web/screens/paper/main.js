/**
 * After a game on paper: the hidden player's path, typed page by page by tapping the places, and
 * compared with all public events. Every seat and the display may type; errors are named and can be
 * corrected. A game's module `paper/typing.js` draws and names its pages.
 */
import { store, readStored } from "../../core/browser.js";
import { withNotice } from "../../core/with_notice.js";
import {
  button,
  deviceButtons,
  onPress,
  toggleTheme,
  whyNot,
  narrowButton,
} from "../../core/controls.js";
import { Channel } from "../../core/channel.js";
import { icon } from "../../core/icons.js";
import { newest } from "../../core/loading.js";
import { auditResult, loadPaperWords, unsealed } from "./verdict.js";
import { followWithRole } from "../../core/role.js";
import { applyStyles, loadStyles } from "../../core/styles.js";
import { loadGame } from "../../games/index.js";
import { byId, h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadWords,
  nextLanguage,
  message,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";

const DRAFT = "paper-draft";
/** @type {Record<string, any>} */
const page = {
  snapshot: null,
  channel: null,
  role: null,
  canControl: false,
  pages: null,
  open: 0,
  zoom: 1,
  notice: null,
  drawn: null,
  key: null,
};
const request = withNotice(page);

async function begin() {
  await loadWords(null, "paper", "truth");
  followLanguage(draw);
  page.channel = await Channel.openKept();
  onPress(document.body, async (press) => {
    await (press.cell ? step(press.cell) : pressed(press));
    draw();
  });
  const onUpdate = newest(
    ({ snapshot }) => readied(snapshot),
    ({ snapshot }, drawn) => {
      Object.assign(page, { drawn, snapshot });
      useWordsOf(snapshot.game);
      useSeats(snapshot.seats);
      if (snapshot.paper) take(snapshot.paper);
      draw();
    },
  );
  await followWithRole(page, request, { onUpdate, draw });
}

/** Load the module that draws a game's pages; null without paper. @param {Snapshot} snapshot */
async function readied(snapshot) {
  const { game } = snapshot;
  const { paper } = await loadGame(game);
  if (!paper) return null;
  const [{ typing }] = await Promise.all([
    paper.loadTyping(),
    loadPaperWords(game),
    loadStyles(game),
  ]);
  applyStyles(game);
  await typing.ready?.(snapshot);
  return typing;
}

/** Begin with this device's pages, else another's, else empty ones. @param {PaperPath} paperPath */
function take({ announced, typed }) {
  const key = JSON.stringify(announced);
  if (page.key === key) return;
  const draft = JSON.parse(readStored(DRAFT) ?? "null");
  page.key = key;
  page.pages = draft?.game === key ? draft.pages : (typed?.pages ?? announced.map(() => []));
  page.open = Math.max(
    0,
    page.pages.findIndex(
      /** @param {string[]} cells @param {number} index */
      (cells, index) => !index && !cells.length,
    ),
  );
}

function keepDraft() {
  store(DRAFT, JSON.stringify({ game: page.key, pages: page.pages }));
}

/** @param {number} index */
const mostOf = (index) => page.drawn.most(page.snapshot, index);
const isLast = () => page.open === page.pages.length - 1;

/** Why no place can be typed on the current page; null if one can. */
function whyFull() {
  if (!page.canControl) return text("paper.guest");
  const most = mostOf(page.open);
  return most !== 1 && page.pages[page.open].length >= most ? text("paper.full") : null;
}

/** @param {string} cell */
function step(cell) {
  const cells = page.pages[page.open];
  const most = mostOf(page.open);
  if (most === 1) page.pages[page.open] = [cell];
  else cells.push(cell);
  if (page.drawn.goesOn && page.pages[page.open].length >= most && !isLast()) page.open += 1;
  keepDraft();
}

/** @param {Press} press */
async function pressed({ action: name, argument }) {
  if (name === "language") await nextLanguage();
  if (name === "light") toggleTheme();
  if (name === "zoom") page.zoom = page.zoom >= 3 ? 1 : page.zoom + 1;
  if (!page.pages) return;
  if (name === "page") page.open = Number(argument);
  if (!page.canControl) return;
  if (name === "next") page.open = Math.min(page.open + 1, page.pages.length - 1);
  else if (name === "undo") takeBack();
  else if (name === "check") await request("paper", { pages: typedPages().join(",") });
  keepDraft();
}

/** The typed pages as texts. */
const typedPages = () =>
  page.pages.map(
    /** @param {string[]} cells */
    (cells) => cells.join(" "),
  );

/** Take back the last step; on an empty page the one before, if pages open by themselves. */
function takeBack() {
  if (page.drawn.goesOn && !page.pages[page.open].length && page.open > 0) page.open -= 1;
  page.pages[page.open].pop();
}

/** Where a page begins: the last place typed before it. @param {number} index */
const before = (index) =>
  page.drawn.isFresh(page.snapshot, index) ? undefined : page.pages.slice(0, index).flat().at(-1);

function draw() {
  const { snapshot, pages, notice } = page;
  if (!snapshot) return;
  const back = h("a.button", { href: page.role === "display" ? "/table" : "/seat" }, text("back"));
  if (!snapshot.paper)
    return render(byId("screen"), [
      h(
        "main.paper",
        h("div.side", h("h1", text("paper.title")), h("p", text("paper.none")), back),
      ),
    ]);
  const typed = snapshot.paper.typed;
  render(byId("screen"), [
    h(
      "main.paper",
      field(),
      h(
        "div.side",
        h("div.line", h("h1", text("paper.title")), h("div.tools", zoomButton(), deviceButtons())),
        notice && h("p#notice.bad", { role: "alert" }, message(notice)),
        typed && auditResult(snapshot.paper),
        page.canControl ? now() : h("p.muted", text("paper.guest")),
        h(
          "ol.pages",
          pages.map(
            /** @param {string[]} cells @param {number} index */
            (cells, index) => h("li", entry(cells, index), wrongs(typed, index)),
          ),
        ),
        typed && unsealed(),
        back,
      ),
    ),
  ]);
}

/** The buttons that enlarge a map with many places. */
const zoomButton = () =>
  page.drawn.zoomWords && narrowButton("zoom", `${page.zoom}×`, page.drawn.zoomWords(page.zoom));

function field() {
  const cells = page.pages[page.open];
  const from = before(page.open);
  return page.drawn.draw(page.snapshot, {
    here: cells.at(-1) ?? from,
    trail: [from, ...cells].filter(Boolean),
    zoom: page.zoom,
    why: whyFull(),
  });
}

/** The current page: the public events of that turn, the way so far, and the next places. */
function now() {
  const { open: index, snapshot, drawn } = page;
  const sentences = drawn.told(snapshot, index);
  const isEmpty =
    !page.pages[index].length && !(drawn.goesOn && page.pages.slice(0, index).flat().length);
  return h(
    "section#now.ask",
    h("h2", drawn.pageName(snapshot, index)),
    h("p", drawn.task(snapshot, index)),
    sentences.length > 0 &&
      h(
        "p",
        sentences.map(
          /** @param {Message} words */
          (words) => [message(words), " "],
        ),
      ),
    h("p#path", { translate: "no" }, way(index)),
    h(
      "div.row",
      button("undo", [icon("undo"), " ", text("undo")], {
        ...whyNot(isEmpty && text("nothing_to_undo")),
      }),
      !isLast() && button("next", text("paper.next"), { class: "prime" }),
      button("check", text("paper.check"), { class: isLast() ? "prime" : null }),
    ),
  );
}

/** @param {number} index */
const way = (index) => [before(index), ...page.pages[index]].filter(Boolean).join(" → ") || "–";

/** @param {string[]} cells @param {number} index */
const entry = (cells, index) =>
  button(
    ["page", index],
    [
      h("span", page.drawn.pageName(page.snapshot, index)),
      h("span.muted", { translate: "no" }, cells.join(" → ") || "–"),
    ],
    { "aria-pressed": String(index === page.open) },
  );

/** @param {PaperPath["typed"]} typed @param {number} index */
function wrongs(typed, index) {
  return (typed?.wrong ?? [])
    .filter(({ page: at }) => at === index)
    .map(({ message: words }) => h("p.bad", message(words)));
}

await begin();
