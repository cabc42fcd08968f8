/**
 * The field of commands, on every page of an evening: it presses the page's own controls by their
 * names, and answers questions. Of its own it sends nothing but a question to be read aloud at the
 * table. What it knows of a secret it reads from the page, which has it only while its player looks;
 * then answers are in no live region, except by the player's own choice, and all words are removed
 * together with the secret.
 */
import { announce, byId, h, render } from "../dom.js";
import { loadGame as loadFacts } from "../../games/index.js";
import { loadGameWords, loadWords, plainText, text } from "../i18n.js";
import { askAloud, questionOf } from "../read_aloud.js";
import { meant, meantIn, namesOf, nextPress, understood, wordsOf } from "./matching.js";
import { plain, press, readControls, textOf } from "./page_controls.js";
import { entry, QUESTIONS, seatSubjects } from "./questions.js";

/** A function key: screen readers and browsers leave it to pages. */
const KEY = "F2";
/** Letters of a line: a longer one would stop the page while its words are compared. */
const MOST_LETTERS = 200;
/** Milliseconds in which a control that the next word means may come, by a reply of the table. */
const COMING_MS = 2000;
/** What stands on a page with a name, and where the name is in it. */
const THINGS = "[data-character], [data-city], [data-region], li[data-seat]";
const NAMES = "b, h2, .name, .seat";
/** Where a page says what is to be done, the most precise first. */
const TASKS = ["#step", "#task", "#now", "main h1, h1"];
/** Where a page says what a press has brought. */
const RESULTS = ["#refusal", "#notice", "#plan", "#step"];
/** The changes after which other lines may be typed: a button may change its words alone. */
const ALL_CHANGES = { childList: true, subtree: true, attributes: true, characterData: true };

/** @type {CommandContext} */
let context;
/** @type {CommandGame} */
let game = {};
let isOpen = false;
/**
 * Whether answers about secrets may be read aloud. It ends with the game, and with the page, so
 * with the seat: a phone is handed on, and nobody who gets one has to know of it.
 */
let hasHeadphones = false;
/** What the field completes, its last answer, and what of it is read aloud by the player's choice. */
const NOTHING = { listed: [], answered: [], spoken: "" };
/** @type {{listed: CommandOffer[], answered: string[], spoken: string}} */
let content = NOTHING;
/** @type {any} Where the focus was before. */
let before = null;

/**
 * Add the field to a page. `snapshot()`: the public state that the page shows, null before the first
 * one; `seat`: the phone's own; `phone()`: its state, with the secret; `chosen()`: the pawn that the
 * page has chosen; `endAct()` ends what it shows alone for a time.
 * @param {CommandContext} parts
 */
export async function openCommands(parts) {
  context = parts;
  const link = { rel: "stylesheet", href: "/static/core/commands/commands.css" };
  document.head.append(Object.assign(document.createElement("link"), link));
  await Promise.all([loadWords(null, "commands"), loadGame()]);
  const place = Object.assign(document.createElement("div"), {
    id: "commands",
    className: parts.isDisplay ? "commands over" : "commands",
  });
  document.body.append(place);
  draw();
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    run().catch(() => answer([text("commands.failed")]));
  });
  place.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest("button");
    if (!button) return;
    if (button.id === "open-commands") return open();
    hasHeadphones = !hasHeadphones;
    content = { ...content, spoken: "" };
    draw();
  });
  place.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.id === "command") complete();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === KEY && !event.ctrlKey && !event.altKey && !event.shiftKey && !event.metaKey) {
      event.preventDefault();
      open();
      ask("now", []);
    } else if (event.key === "Escape" && isOpen && !event.defaultPrevented) close();
  });
  let wasSecret = isSecret();
  let wasPlaying = false;
  new MutationObserver(() => {
    const phase = context.snapshot()?.phase;
    // A phone that slept through the end sees the next lobby.
    if (phase === "over" || (wasPlaying && phase !== "play")) hasHeadphones = false;
    wasPlaying = phase === "play";
    if (wasSecret !== isSecret()) {
      wasSecret = !wasSecret;
      if (!wasSecret) forget();
    }
    if (isOpen) complete();
  }).observe(byId("screen"), ALL_CHANGES);
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["lang"] });
}

/** The name of the table's game. */
const gameName = () => context.snapshot()?.game;
/** The phone's own seat, null on another page. */
const seat = () => context.seat ?? null;

/** Load the module and the words of the table's game; without them the field still presses. */
async function loadGame() {
  const name = gameName();
  if (!name || game.name === name) return;
  game = {};
  try {
    const { loadCommands } = await loadFacts(name);
    if (loadCommands) await loadGameWords(name, "commands");
    game = { ...(await loadCommands?.()), name };
  } catch {
    // The next line tries again, and until then each answer says what is missing.
  }
}

/** What is said of a game that could not be loaded. */
const unloaded = () => (gameName() && game.name !== gameName() ? [text("commands.unloaded")] : []);

/** Whether the page shows a secret. */
const isSecret = () => document.querySelector(".secret") !== null;

/** Whether this is the page of a seat that has secrets, covered or not. */
const hasSecrets = () => document.getElementById("hold") !== null;

function draw() {
  render(byId("commands"), [
    isOpen
      ? h(
          "form",
          { "aria-label": text("commands") },
          h("label", { for: "command" }, text("commands.field")),
          h("input#command", {
            list: "command-list",
            maxlength: MOST_LETTERS,
            autocomplete: "off",
            autocapitalize: "off",
            autocorrect: "off",
            spellcheck: "false",
            translate: "no",
            enterkeyhint: "go",
            "aria-keyshortcuts": KEY,
          }),
          h(
            "datalist#command-list",
            { translate: "no" },
            content.listed.map(({ line, name }) =>
              h("option", { value: line, label: name === line ? null : name }),
            ),
          ),
          h(
            "div#command-answer",
            { translate: "no" },
            content.answered.map((words) => h("p", words)),
          ),
          hasSecrets() &&
            h(
              "button#headphones",
              { type: "button", "aria-pressed": String(hasHeadphones) },
              text("commands.headphones"),
            ),
        )
      : h(
          "button#open-commands",
          { type: "button", "aria-keyshortcuts": KEY },
          text("commands.open"),
        ),
    // A live region only by the player's own choice.
    h("p#command-spoken.vh", { translate: "no", "aria-live": "polite" }, content.spoken),
  ]);
}

function open() {
  if (!isOpen) {
    before = document.activeElement;
    isOpen = true;
    draw();
  }
  byId("command").focus();
}

function close() {
  isOpen = false;
  content = NOTHING;
  draw();
  (document.contains(before) ? before : byId("open-commands")).focus();
}

/** Remove all that was typed and answered. In an emptied field "redo" would bring the words back. */
function forget() {
  if (!isOpen) return;
  const isFocused = document.activeElement === field();
  field().remove();
  content = NOTHING;
  draw();
  if (isFocused) field().focus({ preventScroll: true });
}

/** @returns {any} */
const field = () => byId("command");

/* ---- what the page knows ---- */

const questions = () =>
  [
    ...Object.keys(QUESTIONS),
    ...(context.request ? ["aloud"] : []),
    ...Object.keys(game.questions ?? {}),
  ]
    .filter((key, at, all) => all.indexOf(key) === at && (key !== "mine" || hasSecrets()))
    .map((key) => entry("question", key));
const verbs = () => [...(game.verbs ?? []), "press"].map((key) => entry("verb", key));

/** The page's controls; a piece's name means its place too, where no control has the name. */
function controlsNow() {
  const controls = readControls(byId("screen"));
  const snapshot = context.snapshot();
  for (const { name, pawn, cell } of (snapshot && game.pieces?.(snapshot)) || []) {
    const names = wordsOf(name);
    if (meant(names, controls).rank === 0) continue;
    const place = controls.find((each) => each.place === cell);
    if (place) Object.assign(place, { names: [...place.names, names], pawn });
  }
  return controls;
}

/**
 * What a bare name asks about: places and seats, and what else the game has. What one list has is
 * told by it alone.
 * @returns {CommandSubject[][]}
 */
function subjects() {
  const snapshot = context.snapshot();
  const places = readControls(byId("screen"))
    .filter(({ place }) => place)
    .map(({ name, place }) => ({ names: [wordsOf(place ?? "")], words: () => [`${name}.`] }));
  const things = [...byId("screen").querySelectorAll(THINGS)].map((element) => ({
    names: [wordsIn(element.querySelector(NAMES))].map(wordsOf),
    isPerson: element.hasAttribute("data-seat"),
    words: () => [wordsIn(element)],
  }));
  if (!snapshot) return [places];
  const more = game.subjects?.(snapshot, seat()) ?? [];
  return [places, things, more, seatSubjects(snapshot)];
}

/** What typed words may mean. @param {PageControl[]} controls */
const meaningsOf = (controls) => ({
  questions: questions(),
  subjects: subjects(),
  controls,
  verbs: verbs(),
});

/**
 * What may be done now, as it is typed: a button by its name, a place by a verb before it; each
 * with the whole name of its control.
 * @param {PageControl[]} controls
 * @returns {CommandOffer[]}
 */
function offers(controls) {
  const meanings = meaningsOf(controls);
  const pressWord = entry("verb", "press").word;
  const toPlace = entry("verb", game.placeVerb ?? "press").word;
  return controls
    .filter(({ isOff }) => !isOff)
    .map((control) => {
      const { place, name } = control;
      if (place) return { line: `${toPlace} ${place}`, name };
      const short = shortest(control, controls);
      const { question, subjects: asked } = understood(wordsOf(short), meanings);
      return { line: question || asked ? `${pressWord} ${short}` : short, name };
    });
}

/**
 * The first part of a control's name, where it means no other control.
 * @param {PageControl} control
 * @param {PageControl[]} controls
 */
function shortest(control, controls) {
  const [first] = control.name.split(/[:,：、]/);
  const { controls: named } = nextPress(wordsOf(first), controls);
  return named.length === 1 && named[0] === control ? first : control.name;
}

/** @returns {Known} */
function known() {
  const controls = controlsNow();
  return {
    snapshot: context.snapshot(),
    seat: seat(),
    phone: isSecret() ? (context.phone?.() ?? null) : null,
    secretWords: partsOf(".secret"),
    task: TASKS.map(plainOf).filter(Boolean).slice(0, 1).map(sentence),
    offers: offers(controls).map(({ line }) => line),
    questions: questions().map(({ word }) => word),
    verbs: verbs().map(({ word }) => word),
  };
}

/** @param {CommandSubject[]} subjects */
const wordsAbout = (subjects) => [...new Set(subjects.flatMap(({ words }) => words()))];

/** @param {string} words */
const sentence = (words) => (/[.!?。！？]$/.test(words) ? words : `${words}.`);

/** The words of the first element that a selector finds. @param {string} selector */
const plainOf = (selector) => wordsIn(byId("screen").querySelector(selector));

/** @param {Element | null} element */
const wordsIn = (element) => (element ? plain(textOf(element)) : "");

/** The words of each part of the first element that a selector finds. @param {string} selector */
const partsOf = (selector) =>
  [...(byId("screen").querySelector(selector)?.children ?? [])].map(wordsIn).filter(Boolean);

/** Put what may be typed now into the field's list. */
function complete() {
  if (!isOpen) return;
  const listed = [
    ...offers(controlsNow()),
    ...questions().map(({ word }) => ({ line: word, name: word })),
  ];
  if (JSON.stringify(listed) === JSON.stringify(content.listed)) return;
  content = { ...content, listed };
  draw();
}

/* ---- commands ---- */

/**
 * Show an answer, and announce a public one, unless it was asked for under a secret: a page that has
 * covered it says nothing at that moment.
 * @param {string[]} sentences
 */
function answer(sentences, wasSecret = false) {
  if (!isOpen) return;
  const isQuiet = wasSecret || isSecret();
  const all = [...sentences, ...unloaded()];
  const spoken = isQuiet && hasHeadphones ? all.join(" ") : "";
  content = { ...content, answered: all, spoken };
  draw();
  if (!isQuiet) announce(all);
}

/** Execute what stands in the field. */
async function run() {
  const words = wordsOf(field().value);
  field().value = "";
  content = { ...content, answered: [], spoken: "" };
  draw();
  const wasSecret = isSecret();
  await Promise.all([loadGame(), context.endAct?.()]);
  // What was typed under a secret is not run on a page that has covered it meanwhile.
  if (wasSecret && !isSecret()) return;
  if (!words.length) return ask("now", []);
  const meaning = understood(words, meaningsOf(controlsNow()));
  if (meaning.question) return ask(meaning.question.key, meaning.words);
  if (meaning.subjects) return answer(wordsAbout(meaning.subjects));
  const sentences = await act(words, wasSecret);
  if (sentences) answer(sentences, wasSecret);
  // A field of the page that was pressed has the focus, to type there.
  if (isOpen && !document.activeElement?.closest("#screen :is(input, select, textarea)"))
    field().focus();
}

/** @param {string} key @param {string[]} words */
function ask(key, words) {
  if (key === "aloud") return readAloud(words);
  if (key === "where" && words.length) {
    const { things } = meantIn(words, subjects());
    const unknown = [text("commands.unknown", { word: words.join(" ") })];
    return answer(things.length ? wordsAbout(things) : unknown);
  }
  const answers = { ...QUESTIONS, ...game.questions };
  const sentences = answers[key](known(), words);
  answer(
    sentences.length ? sentences : [text(key === "where" ? "commands.where" : "commands.no_game")],
  );
}

/** The kinds of a question aloud that are questions of the field too. */
/** @type {Record<string, Question["what"]>} */
const ALOUD = { who: "turn", log: "answer" };

/** Ask the displays to read an answer aloud, and say whether one reads. @param {string[]} words */
async function readAloud(words) {
  const snapshot = context.snapshot();
  const { request } = context;
  if (!snapshot?.view || !request) return answer([text("commands.no_game")]);
  const [asked] = words.length ? meant(words, questions()).things : [];
  const what = asked && ALOUD[asked.key];
  const question = what ? { what } : questionOf(words, snapshot, seat());
  const wasSecret = isSecret();
  const isSame = () => isSecret() === wasSecret;
  const why = await askAloud(request, context.snapshot, question, () => {
    if (isSame()) answer([text("commands.waits")]);
  });
  if (!isSame()) return;
  answer([why ? `${plainText(why)}.` : text("commands.reads")]);
}

/**
 * Press what these words mean, in their order, and return what that brought. Verbs choose last,
 * where the page asks which act is meant. It ends where the page uncovers a secret; where the page
 * covers one between two presses nothing is returned.
 * @param {string[]} words
 * @param {boolean} wasSecret
 */
async function act(words, wasSecret) {
  const skipped = namesOf(text("commands.skipped"));
  /** @type {{key: string, word: string}[]} */
  const later = [];
  /** @type {PageControl[]} */
  const pressed = [];
  let left = words;
  while (left.length) {
    const [word] = left;
    const ofVerb = meant([word], verbs());
    const verb = ofVerb.rank === 0 && ofVerb.things[0];
    const isWhole = meant(left, controlsNow()).rank === 0;
    if (!isWhole && (verb || meant([word], [{ names: skipped }]).rank === 0)) {
      if (verb) later.push({ key: verb.key, word });
      left = left.slice(1);
      continue;
    }
    const next = await whenOffered(left, pressed.length > 0);
    if (isSecret() !== wasSecret) return isSecret() ? QUESTIONS.now(known(), []) : null;
    const [control] = next.controls;
    if (!control) return [...names(pressed), text("commands.unknown", { word })];
    if (next.controls.length > 1) return [...names(pressed), which(next.controls)];
    if (control.isOff) return [...names(pressed), refusal(control)];
    await pressOnce(control, left.slice(0, left.length - next.left.length));
    pressed.push(control);
    left = next.left;
  }
  for (const { key, word } of later) {
    const controls = controlsNow().filter(({ place, isOff }) => !place && !isOff);
    const ofAct = controls.filter(({ action }) => action === key);
    const named = meant([word], ofAct).things;
    const asked = named.length === 1 ? named : ofAct;
    if (key === "press" || !asked.length || pressed.some(({ action }) => action === key)) continue;
    if (isSecret() !== wasSecret) return null;
    if (asked.length > 1) return [...names(pressed), which(asked)];
    await press(asked[0]);
    pressed.push(asked[0]);
  }
  if (isSecret() !== wasSecret || !pressed.length) return QUESTIONS.now(known(), []);
  return [...names(pressed), ...RESULTS.map(plainOf).filter(Boolean)];
}

/**
 * Press a control. A piece that the page has chosen is not pressed, and one that shares its place
 * is pressed until the page has chosen it.
 * @param {PageControl} control
 * @param {string[]} words
 */
async function pressOnce(control, words) {
  const isPiece = control.pawn && meant(words, [{ names: control.names.slice(-1) }]).rank === 0;
  if (!isPiece) return press(control);
  const snapshot = context.snapshot();
  const pieces = (snapshot && game.pieces?.(snapshot)) || [];
  for (let left = pieces.length; left && context.chosen?.() !== control.pawn; left -= 1)
    await press(control);
}

/**
 * What the next words press; after an earlier press the table's reply may still bring it.
 * @param {string[]} words
 * @param {boolean} isLater
 */
async function whenOffered(words, isLater) {
  const end = performance.now() + (isLater ? COMING_MS : 0);
  for (;;) {
    const next = nextPress(words, controlsNow());
    const isReady = next.controls.length > 1 || next.controls.some(({ isOff }) => !isOff);
    const ms = end - performance.now();
    if (isReady || ms <= 0) return next;
    await changed(ms);
  }
}

/** Fulfilled at the next change of the page, or after so many milliseconds. @param {number} ms */
const changed = (ms) =>
  new Promise((done) => {
    const watch = new MutationObserver(() => end());
    const timer = setTimeout(() => end(), ms);
    const end = () => {
      watch.disconnect();
      clearTimeout(timer);
      done(null);
    };
    watch.observe(byId("screen"), ALL_CHANGES);
  });

/** @param {PageControl[]} pressed */
const names = (pressed) =>
  pressed.length ? [`${pressed.map(({ name }) => name).join(". ")}.`] : [];

/** @param {PageControl[]} controls */
const which = (controls) =>
  text("commands.which", { list: controls.map(({ name }) => name).join("; ") });

/** @param {PageControl} control */
const refusal = ({ name, whyNot }) => whyNot ?? text("commands.not_now", { name });
