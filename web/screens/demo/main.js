/**
 * The split page of `companion demo`. It does once what hands do at a table - pairs the display, seats two phones, gives
 * the third seat to a bot, begins - and then only shows the pages side by side, each with a key of its own.
 */
import { timedFetch } from "../../core/browser.js";
import { Channel } from "../../core/channel.js";
import { holdAnswers } from "../../core/stream.js";
import { button, lightButton, onPress, toggleTheme } from "../../core/controls.js";
import { languageButtons } from "../../core/language_buttons.js";
import { loadDemo } from "../../games/index.js";
import { byId, h, render } from "../../core/dom.js";
import { layOver, light, pageOf } from "./light.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  message,
  rich,
  text,
  useWordsOf,
} from "../../core/i18n.js";

const KEY_LENGTH = 43;
const LOOK_MS = 400;
/** Interval of the guide's checks of the panes, in ms. */
const GUIDE_MS = 150;
/**
 * The panes beside the phones, and their pages. A phone's frame has a name, under which its key is
 * stored; the display's key is the browser's own.
 */
/** @type {Record<string, string>} */
const PANES = { table: "/table", board: "/demo/board" };
/** A 7-inch display, in px. */
const DISPLAY = [800, 480];

/** The step while every screen holds an answer back. */
const HELD = { sentence: "answer", params: {}, told: null, lit: { pane: "table" } };

/** The game's part of the demo: the seats, and the guide. */
/** @type {any} */
let game = null;

/** @type {Record<string, any>} */
const demo = {
  snapshot: null,
  chapter: null,
  step: null,
  trouble: null,
  isHeld: false,
  isReady: false,
  isOpen: true,
};

async function begin() {
  await loadWords(null, "demo");
  onPress(document.body, pressed);
  addEventListener("resize", fit);
  addEventListener("scroll", lightStep);
  // A phone in a pane may change the language, too.
  followLanguage(draw);
  draw();
  // A browser opens six connections to one address, and three of these pages keep one open.
  if (await isElsewhere()) return stop({ code: "demo.elsewhere" });
  const fragment = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const wrong = await setUpTable(fragment.slice(0, KEY_LENGTH) || null, fragment.slice(KEY_LENGTH));
  if (wrong) return stop(wrong);
  demo.isReady = true;
  draw();
  setInterval(guideOn, GUIDE_MS);
  await follow();
}

/** Whether another tab of this browser shows the demo; otherwise this one does. */
function isElsewhere() {
  if (!navigator.locks) return false;
  return new Promise((answer) => {
    navigator.locks.request("demo", { ifAvailable: true }, (lock) => {
      answer(lock === null);
      return lock && new Promise(() => {});
    });
  });
}

/** @param {Message} trouble */
function stop(trouble) {
  demo.trouble = trouble;
  draw();
}

/**
 * Set the table up; return the error, as code and parameters. After a reload everything is set up
 * already.
 * @param {string | null} key @param {string} code
 */
async function setUpTable(key, code) {
  const display = await Channel.open({ server_key_b64url: key, storage: "display-key" });
  if (!display) return { code: "demo.unpaired" };
  const paired = await (code ? display.request("pair", { code }) : display.request("hello"));
  if (!paired.ok || paired.role !== "display") return { code: "demo.unpaired" };
  const { snapshot, join } = paired;
  [game] = await Promise.all([loadDemo(snapshot.game), loadGameWords(snapshot.game)]);
  useWordsOf(snapshot.game);
  const [[first, firstSeat], [second, secondSeat]] = Object.entries(game.phones);
  /** @type {Seat[]} */
  const seats = snapshot.seats;
  if (snapshot.phase !== "lobby" || seats.some(({ taken }) => taken)) return null;
  for (const step of [
    () => display.request("propose", { change: game.proposal }),
    () => sit(first, firstSeat, key, join.code),
    async () => sit(second, secondSeat, key, (await display.request("hello")).join.code),
    () => display.request("give", game.bot),
    () => display.request("start"),
  ]) {
    const reply = await step();
    if (!reply.ok) return reply.message;
  }
  return null;
}

/**
 * Take a seat with the stored key of the pane of this name.
 * @param {string} pane @param {string} seat @param {string | null} key @param {string} code
 */
async function sit(pane, seat, key, code) {
  /** @type {any} */
  const phone = await Channel.open({ server_key_b64url: key, storage: `seat-key@${pane}` });
  const pin = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte % 10).join("");
  return phone.request("claim", { seat, name: "", code, pin });
}

/**
 * Poll the public snapshot: one more stream would take a connection that the panes need. The guide
 * tells an answer no earlier than the panes show it.
 */
async function follow() {
  const take = holdAnswers(
    ({ snapshot }) => Object.assign(demo, { snapshot, isHeld: false }),
    () => {
      demo.isHeld = Boolean(demo.snapshot);
    },
  );
  for (;;) {
    const reply = await timedFetch("/snapshot").catch(() => null);
    if (reply?.ok) take({ snapshot: await reply.json() });
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

/** Show and highlight the next step, by the public snapshot and the panes' contents. */
function guideOn() {
  if (!demo.snapshot) return;
  const before = demo.step && demo.chapter;
  demo.chapter = game.chapter(demo.snapshot);
  const panes = Object.fromEntries(["table", ...Object.keys(game.phones)].map(withPage));
  const isDone = demo.chapter === before && Boolean(demo.step?.isDone);
  const next = game.step(demo.chapter, demo.snapshot, panes, { ...demo.step, isDone });
  const step = demo.isHeld ? { ...next, ...HELD } : next;
  const isOther = JSON.stringify(step) !== JSON.stringify(demo.step);
  demo.step = step;
  if (isOther) draw();
  else lightStep();
}

/** @param {string} name */
const withPage = (name) => [name, pageOf(name)];

function lightStep() {
  const [around, ring] = ["light", "ring"].map((id) => document.getElementById(id));
  const lit = demo.isOpen ? demo.step?.lit : undefined;
  if (ring) layOver(ring, Boolean(lit?.ring));
  if (around) light(around, lit);
}

/** @type {ActionTable} */
const ACTIONS = {
  async language(language) {
    // The panes are pages of this browser, and follow.
    await chooseLanguage(language);
  },
  light: toggleTheme,
  guide: () => {
    demo.isOpen = !demo.isOpen;
  },
  async finish() {
    const { pane, request } = game.finish;
    const seat = await Channel.open({ storage: `seat-key@${pane}` });
    await seat?.request(request);
  },
};

/** @param {Press} press */
async function pressed({ action, argument }) {
  await ACTIONS[action]?.(argument);
  draw();
}

function draw() {
  const { ring } = demo.step?.lit ?? {};
  render(byId("screen"), [
    h(
      "main.panes",
      head(),
      demo.trouble ? trouble() : demo.isReady ? panes() : null,
      demo.isReady && guide(),
    ),
    demo.isReady && h("div#ring", { hidden: true }, ring && game.overBoard(ring)),
    demo.isReady && h("div#light", { hidden: true }),
  ]);
  fit();
  lightStep();
}

function head() {
  return h(
    "header",
    h("h1", text("demo.title")),
    h("p.muted", text("demo.what")),
    h("div.tools", languageButtons(), lightButton()),
  );
}

const trouble = () => h("p#notice.bad", { role: "alert" }, message(demo.trouble));

const panes = () => ["table", ...Object.keys(game.phones), "board"].map(pane);

/** @param {string} name */
function pane(name) {
  const page = PANES[name] ?? "/seat";
  const frame = h("iframe", {
    ...(name in game.phones ? { name } : { id: `pane-${name}` }),
    src: name === "board" ? `${page}#${boardWords()}` : page,
    title: text(`demo.${name}`),
  });
  return h(
    "section",
    { class: `pane ${name}` },
    h("h2", text(`demo.${name}`)),
    name === "table" ? h("div.stage", frame) : frame,
  );
}

/** Another program, without catalogues, serves the drawn board: it gets its words from here. */
const boardWords = () =>
  new URLSearchParams({
    lang: document.documentElement.lang,
    field: text("field"),
    ...game.boardWords(),
  });

/** Scale the display, which is drawn for a whole screen, to its pane. */
function fit() {
  const stage = document.querySelector(".stage");
  if (!stage) return;
  const scale = Math.min(stage.clientWidth / DISPLAY[0], stage.clientHeight / DISPLAY[1]);
  const drawing = stage.firstElementChild;
  if (drawing instanceof HTMLElement)
    drawing.style.transform = `translate(-50%, -50%) scale(${scale})`;
}

function guide() {
  const { chapter, step } = demo;
  const words = step && [
    chapter &&
      h(
        "p.muted",
        text("guide.step", { step: game.CHAPTERS.indexOf(chapter) + 1, of: game.CHAPTERS.length }),
      ),
    h(
      "p#chapter",
      { "data-chapter": chapter ?? "over", "data-step": step.sentence },
      step.told && h("b", rich(`guide.${step.told.sentence}`, step.told.params), " "),
      rich(`guide.${step.sentence}`, step.params),
    ),
    step.mayFinish && button("finish", text("guide.finish"), { class: "prime" }),
  ];
  return h(
    "section.guide",
    { "aria-label": text("guide") },
    demo.isOpen ? h("div", { role: "status" }, words) : null,
    button("guide", text(demo.isOpen ? "guide.fold" : "guide.unfold"), {
      "aria-expanded": String(demo.isOpen),
    }),
  );
}

await begin();
