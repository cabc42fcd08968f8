/**
 * The table display: reads the public stream, draws it, plays its sounds, and sends actions of
 * people at the table.
 */
import { isNothing } from "./manual_edit.js";
import { GAMES, gameOf, loadGame, loadSounds, soundsOf } from "../../games/index.js";
import { AUTO_LEVEL, cardsOption, isReal, mayHaveBot } from "./seating.js";
import { button, onPress, secondPress, toggleTheme, voteWords } from "../../core/controls.js";
import { hourOf, isAmongBots, isOff, phaseOf } from "../../core/snapshot.js";
import { awaitedEvent, news, soundOf } from "./news.js";
import { answerTo, levelOf, newQuestions, nextLevel, readMessages } from "./spoken.js";
import { fitSoon, fitWords } from "./fit.js";
import { addCommands, untilLoaded } from "../../core/loading.js";
import { imageOf, readStored, store, timedFetch } from "../../core/browser.js";
import { subscribePublic } from "../../core/public_stream.js";
import { remembered } from "../../core/stream.js";
import { applyStyles, loadStyles } from "../../core/styles.js";
import { lobbyScreen } from "./lobby.js";
import { announce, byId, h, render } from "../../core/dom.js";
import { fetchProof } from "../../proof/verdict.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  nextLanguage,
  plainText,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";

const LONG_NIGHT = 60_000;
const IDLE = 3000;
/** Milliseconds after which a display that could not be fetched is requested again. */
const AGAIN_MS = 2000;
const KEY_LENGTH = 43;

/** @type {any} Before the first update there is none. */
const none = null;
/** @type {TableChoices} */
const ui = {
  screen: "seats",
  isSure: false,
  isReturn: false,
  isNext: false,
  botSeat: "",
  chooser: "",
  what: "",
  way: null,
  pawn: null,
  aim: null,
  byHand: null,
  info: false,
  list: null,
  sound: true,
  voice: levelOf(readStored("voice")),
  far: readStored("far") === "1",
};
/** @type {TableState} */
const table = {
  snapshot: none,
  ui,
  canControl: false,
  looksOn: null,
  mayGoDark: !navigator.wakeLock,
  pending: null,
  notice: null,
  isSlow: false,
  isFresh: false,
  act: null,
  join: null,
  truth: null,
};
/** @type {any} */
let channel = null;
/** @type {any} */
let speaker = null;
/** @type {any} */
let voice = null;
/** @type {any} */
let lostSince = null;
/** @type {any} */
let nightTimer = null;
/** @type {any} */
let actTimer = null;
/** @type {any} */
let handover = null;

/**
 * Unlock the page's sound. Outside of a kiosk this works from the first press on; Safari needs it
 * within the press. A press that cannot fetch the modules leaves it to the next one.
 */
async function unlock() {
  if (voice && speaker.isUnlocked) {
    speaker.wake();
    return voice.prepare(document.documentElement.lang);
  }
  if (!speaker) {
    const sounds = await import("./sound.js").catch(() => null);
    if (!sounds) return;
    speaker ??= new sounds.Speaker();
  }
  const [voices] = await Promise.all([import("./voice.js").catch(() => null), speaker.unlock()]);
  if (!voices) return;
  voice ??= new voices.Voice(speaker);
  // The press is handled first.
  requestAnimationFrame(() => setTimeout(() => voice.prepare(document.documentElement.lang)));
}

/** Whether a player, not the speaker, makes a sound or says it. @param {string} name */
const isLeft = (name) =>
  soundsOf(table.snapshot.game).isLeftToPlayer?.(table.snapshot.settings, name);

/** @param {string | null | undefined} sound */
function sounded(sound) {
  const { sound: isOn, volume = 100 } = table.snapshot.settings;
  if (!speaker || !sound) return;
  speaker.level = volume / 100;
  if (ui.sound && isOn && !isLeft(sound)) speaker.play(sound);
}

/** The machine's own display asks for its language before anything else, once. */
async function askLanguage() {
  if (location.search !== "?kiosk" || readStored("lang")) return;
  loaded.first = await import("./first_start.js");
  ui.screen = "language";
}

/** Resolves when the first screen is drawn: less urgent modules are loaded after it. */
/** @type {Promise<void>} */
const firstScreen = new Promise((done) => {
  new MutationObserver((_, watch) => {
    if (!document.querySelector("main")) return;
    watch.disconnect();
    done();
  }).observe(document.body, { childList: true, subtree: true });
});

/** Load the Japanese font of titles and names, when a text needs it: on displays alone. */
async function addJapaneseFont() {
  await firstScreen;
  const { addFont } = await import("../../core/fonts.js");
  addFont("Shippori Mincho", "japanese", { weight: "600 700", unicodeRange: "U+2E80-FFFF" });
}

/** Load the sound modules and a locked speaker before the first press, which would wait. */
async function readySounds() {
  await firstScreen;
  setTimeout(() =>
    Promise.all([import("./sound.js"), import("./voice.js")])
      .then(([{ Speaker }]) => (speaker ??= new Speaker()).prepare())
      .catch(() => {}),
  );
}

/** Load the field of commands. */
const readyCommands = () =>
  addCommands({
    snapshot: () => table.snapshot,
    chosen: () => ui.pawn,
    async endAct() {
      if (!table.act) return;
      perform([]);
      await draw();
    },
    isDisplay: true,
  });

async function begin() {
  readySounds();
  addJapaneseFont();
  readyCommands();
  await loadWords(null, "host");
  await askLanguage();
  onPress(document.body, pressed);
  // A mouse unlocks sound when it is pressed, a finger when it is lifted.
  for (const each of ["pointerdown", "pointerup", "keydown"])
    document.addEventListener(each, () => ui.sound && unlock());
  hideIdleCursor();
  addEventListener("resize", fitWords);
  document.fonts.addEventListener("loadingdone", fitWords);
  followLanguage(draw);
  document.documentElement.classList.toggle("far", ui.far);
  subscribePublic(
    async (update) => {
      await readied(update.snapshot);
      present(news(update));
    },
    linked,
    wait,
  );
  await pair();
  addEventListener("hashchange", () => location.hash && pair());
}

let readying = Promise.resolve();

/**
 * Load what the display needs for a game; a lobby needs none of its styles. Each call is fulfilled
 * after those before it, so that updates keep their order.
 * @param {Snapshot} snapshot
 */
function readied({ game, phase }) {
  const before = readying;
  if (phase === "lobby") firstScreen.then(() => loadStyles(game, "table")).then(draw);
  const mine = untilLoaded(() =>
    Promise.all([
      loadSounds(game),
      loadGame(game),
      phase !== "lobby" && loadStyles(game, "table"),
      loadGameWords(game),
    ]),
  );
  readying = mine.then(
    () => before,
    () => before,
  );
  return before.then(() => mine);
}

/**
 * Prepare the handover for a table that does not come back, in a game that has one, in the
 * background.
 * @param {{game: string}} snapshot
 */
function startHandover({ game }) {
  const { loadHandover } = gameOf(game);
  if (!loadHandover) return;
  const load = async () => {
    await firstScreen;
    return (await loadHandover()).startHandover();
  };
  handover ??= load().catch(() => null);
}

/** Open the channel; a guest never loads the cryptography. @param {string} [key] */
async function openDisplayChannel(key) {
  const { Channel } = await import("../../core/channel.js");
  return Channel.open({ server_key_b64url: key || undefined, storage: "display-key" });
}

/** Pair as a display: by the key of an earlier pairing, or by the one-time code in the address. */
async function pair() {
  const fragment = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const reply = await paired(fragment);
  table.canControl = Boolean(reply);
  table.looksOn = reply ? null : { code: fragment ? "looks_on.used" : "looks_on" };
  table.notice = table.looksOn;
  if (table.canControl) unlock();
  await invite(reply?.join);
}

/**
 * The table's answer to its display; null for a guest. A paired display ignores the code in the
 * address.
 * @param {string} fragment @returns {Promise<any>}
 */
async function paired(fragment) {
  const former = readStored("display-key") ? await openDisplayChannel() : null;
  const hello = await answered(former, "hello");
  const isKept = hello?.role === "display";
  channel = isKept || !fragment ? former : await openDisplayChannel(fragment.slice(0, KEY_LENGTH));
  return isKept
    ? hello
    : fragment
      ? answered(channel, "pair", { code: fragment.slice(KEY_LENGTH) })
      : null;
}

/**
 * The table's answer; null if it refuses, or has another key.
 * @param {any} by @param {string} what @param {Record<string, unknown>} [args]
 */
async function answered(by, what, args = {}) {
  const reply = await by?.request(what, args).catch(() => null);
  return reply?.ok ? reply : null;
}

let invitations = 0;

/** Show the join code; the snapshot shows when there is another one. */
async function invite(invitation = null) {
  const [version, mine] = [table.snapshot?.join_code_version, ++invitations];
  const join =
    invitation ??
    (table.canControl
      ? (await channel.request("hello").catch(() => null))?.join
      : await timedFetch("/join.json").then(
          (reply) => reply.json(),
          () => null,
        ));
  // A later request is pending.
  if (!join || mine !== invitations) return;
  URL.revokeObjectURL(table.join?.image);
  const image = join.svg ? imageOf(join.svg) : `/qr/join.svg?n=${version ?? ""}`;
  table.join = { ...join, image, version };
  if (version !== table.snapshot?.join_code_version) await invite();
  else if (ui.screen === "ways") await showWay(ui.way.index);
  draw();
}

/* ---- drawing ---- */

/**
 * Show that an answer is awaited, with the same sound for each: hearts change together with the
 * groan, not before it.
 * @param {Update} update
 */
async function wait(update) {
  await readied(update.snapshot);
  const event = awaitedEvent(update);
  if (!event || !table.snapshot) return;
  table.pending = event;
  perform([]);
  draw();
  sounded(soundsOf(update.snapshot.game).before?.[event.event]);
}

/** @param {Update} update */
function present(update) {
  const { snapshot, events } = update;
  table.pending = null;
  table.isFresh = awaitedEvent(update) !== null;
  if (events.length || table.snapshot?.position !== snapshot.position)
    perform((table.snapshot && display()?.actsOf?.(events)) || []);
  if (events.some(({ event }) => event.event === "seat_moved")) ui.isReturn = false;
  applySnapshot(snapshot);
  startHandover(snapshot);
  handover?.then(
    /** @param {any} it */
    (it) => it?.take(update),
  );
  // A message with a game's own words waits for them, as its screen does.
  draw().then(() => {
    announceEvents(events);
    readAnswers(snapshot);
  });
  for (const { event } of events) sounded(soundOf(event, soundsOf(snapshot.game)));
  if (navigator.wakeLock)
    import("../../core/wake_lock.js").then((it) => it.keepAwake(snapshot.phase === "play"));
}

/** Show acts, each for its time; the next event or press ends them. @param {Act[]} acts */
function perform([act, ...later]) {
  clearTimeout(actTimer);
  table.act = act ?? null;
  if (act)
    actTimer = setTimeout(() => {
      perform(later);
      draw();
    }, act.ms);
}

/** Whether the game would use numbered places. @param {Snapshot} snapshot */
const isNumbered = (snapshot) => Boolean(gameOf(snapshot.game).isNumbered?.(snapshot));

/** @param {Snapshot} snapshot */
function applySnapshot(snapshot) {
  const before = table.snapshot;
  table.snapshot = snapshot;
  useWordsOf(snapshot.game);
  useSeats(snapshot.seats);
  if (channel) [channel.position, channel.head] = [snapshot.position, snapshot.head];
  if (table.join && table.join.version !== snapshot.join_code_version) invite();
  const isOther = before && before.game !== snapshot.game;
  if (isOther && ["choose", "field", "tutorial", "how"].includes(ui.screen)) ui.screen = "seats";
  if (snapshot.phase !== "lobby" && ["choose", "how", "tutorial"].includes(ui.screen))
    ui.screen = "seats";
  if (ui.screen === "numbered" && !(snapshot.phase === "lobby" && isNumbered(snapshot)))
    ui.screen = "seats";
  if (ui.screen === "bots" && !(snapshot.phase === "lobby" && mayHaveBot(snapshot, ui.botSeat)))
    ui.screen = "seats";
  if (ui.screen === "choose" && !loaded.choices.isReady(snapshot)) readyChoices().then(draw);
  if (before?.to_move !== snapshot.to_move || before?.phase !== snapshot.phase)
    Object.assign(ui, { pawn: null, aim: null, info: false }, display()?.newTurn);
  if (before?.position !== snapshot.position) Object.assign(table, { notice: null });
  // Show the message again if the table has changed since.
  if (before?.position !== snapshot.position && ui.byHand)
    Object.assign(ui, { byHand: null, pawn: null });
  if (snapshot.phase !== "over") {
    table.truth = null;
    ui.isNext = false;
  }
  if (before?.position !== snapshot.position)
    Object.assign(ui, { landing: null, list: null, isSure: false });
  if (!snapshot.view?.pawns?.[ui.pawn]) Object.assign(ui, { pawn: null, aim: null });
  timeNight(snapshot);
}

/** The reminder of a long night depends on the public clock alone. @param {Snapshot} snapshot */
function timeNight(snapshot) {
  const isNight = ["night", "choosing"].includes(phaseOf(snapshot));
  if (isNight && nightTimer === null) {
    nightTimer = setTimeout(() => {
      table.isSlow = true;
      draw();
    }, LONG_NIGHT);
  } else if (!isNight && nightTimer !== null) {
    clearTimeout(nightTimer);
    [nightTimer, table.isSlow] = [null, false];
  }
}

/** @param {LogEntry[]} events */
function announceEvents(events) {
  const sentences = events.flatMap(({ message: sentence }) => sentence ?? []);
  announce(sentences.map(plainText));
  say(readMessages(sentences, ui.voice, soundsOf(table.snapshot.game)));
}

/** Whether this display speaks now. */
const isSpeaking = () => voice && ui.sound && table.snapshot.settings.sound && ui.voice !== "off";

/**
 * Speak messages, `isAnswer` to a question; return whether something is spoken.
 * @param {Message[]} messages @param {boolean} [isAnswer]
 */
async function say(messages, isAnswer = false) {
  const { volume = 100 } = table.snapshot.settings;
  if (!isSpeaking()) return false;
  speaker.level = volume / 100;
  return voice.say(
    messages.filter(({ code }) => !isLeft(code)),
    plainText,
    soundsOf(table.snapshot.game),
    document.documentElement.lang,
    isAnswer,
  );
}

/** Milliseconds for which an answer waits until the display has ended what it speaks. */
const ANSWER_WAIT_MS = 15_000;
/** The last question received; null before the first update. @type {number | null} */
let lastQuestion = null;
/** Resolves when the answers so far are read: each waits for the one before it. */
let answering = Promise.resolve();
let waiters = 0;

/** @param {number} number @param {boolean} isWaiting */
const confirmReading = (number, isWaiting) =>
  channel.request("read_aloud", { number, is_waiting: isWaiting }).catch(() => {});

/**
 * Read the answers to new questions aloud, one after the other; not what was asked before this page
 * was opened.
 * @param {Snapshot} snapshot
 */
function readAnswers({ questions = [] }) {
  const fresh = newQuestions(questions, lastQuestion);
  lastQuestion = questions.at(-1)?.number ?? 0;
  if (!table.canControl || !isSpeaking()) return;
  for (const { number } of fresh) {
    if (waiters || voice.isBusy) confirmReading(number, true);
    waiters += 1;
    const end = performance.now() + ANSWER_WAIT_MS;
    const read = () =>
      readAnswer(number, end).finally(() => {
        waiters -= 1;
      });
    // An answer that fails keeps no other from being read.
    answering = answering.then(read).catch(() => {});
  }
}

/**
 * Read the answer to a question once nothing else is spoken, as it is then; not after `end`, and not
 * what another display has read.
 * @param {number} number @param {number} end
 */
async function readAnswer(number, end) {
  await voice.whenQuiet(end);
  const { questions = [], ...snapshot } = table.snapshot;
  const question = questions.find((each) => each.number === number);
  if (!question || question.state === "read") return;
  if (await say(answerTo(question, snapshot, soundsOf(snapshot.game)), true))
    confirmReading(number, false);
}

/** The requested modules: displays of games, "setup" of the field, and "back" for a lost phone's seat. */
/** @type {Record<string, any>} */
const loaded = {};
/** The last requested display: fulfilled once it is loaded and drawn. */
/** @type {any} */
let arrival = null;

/** Whether a round is watched, before a game. */
const isTutorial = () => table.snapshot.phase === "lobby" && ui.screen === "tutorial";

/** The table, or a moment of the round that is watched. @param {GameDisplay | null} [game] */
const drawnTable = (game) => (isTutorial() ? loaded.tutorial.tutorialTable(table, game) : table);

/** The display of the game or tutorial; null before a game, undefined while it loads. */
function display() {
  const { snapshot } = drawnTable();
  if (snapshot.phase === "lobby") return null;
  const name = gameOf(snapshot.game).table?.(snapshot) ?? `${snapshot.game}/table`;
  if (!(name in loaded)) {
    loaded[name] = undefined;
    arrival = fetched(name).then(
      (module) => {
        loaded[name] = module;
        return draw();
      },
      () => {
        delete loaded[name];
        setTimeout(draw, AGAIN_MS);
      },
    );
  }
  return loaded[name];
}

/** Fetch a display and its requirements. @param {string} name */
async function fetched(name) {
  const [module] = await Promise.all([
    import(`../../games/${name}.js`),
    loadStyles(drawnTable().snapshot.game, "table"),
  ]);
  await module.ready?.(table.snapshot);
  return module;
}

/** Load the seats' choices in this lobby, and their screen. */
async function readyChoices() {
  loaded.choices ??= await import("./seat_choices.js");
  await loaded.choices.ready(table.snapshot);
}

/** The screen before a game. */
function lobbyScreenNow() {
  if (ui.screen === "field") return loaded.setup.fieldScreen;
  if (ui.screen === "how") return loaded.how.howToPlayScreen;
  if (ui.screen === "bots") return loaded.bots.botsScreen;
  if (ui.screen === "choose" && table.snapshot.lobby.choices) return loaded.choices.chooseScreen;
  return loaded.first?.[`${ui.screen}Screen`] ?? lobbyScreen;
}

/** Fulfilled once it is drawn with all its words. */
async function draw() {
  const game = table.snapshot ? display() : undefined;
  if (game === undefined) return arrival;
  const isWatched = isTutorial();
  if (!isWatched && game?.isReady?.(table.snapshot) === false)
    return game.ready(table.snapshot).then(draw);
  if (!isWatched) game?.follow?.(table, draw);
  const isLobby = table.snapshot.phase === "lobby";
  const screen = game ? game.playScreen : lobbyScreenNow();
  const state = drawnTable(game);
  // An act has its own hour.
  document.documentElement.dataset.hour = state.act?.hour ?? hourOf(state.snapshot);
  const drawn = ui.isReturn
    ? loaded.back.returnScreen(table)
    : ui.isNext
      ? loaded.next.nextGameScreen(table.snapshot)
      : screen(state);
  const { storage, sample, lobby, vote } = table.snapshot;
  if (lobby.custom_setup) drawn.children.push(h("p#custom", text("custom_setup")));
  if (isLobby && vote) drawn.children.push(lobbyVote());
  if (sample) drawn.children.push(h("p#sample", text("sample")));
  if (storage && storage !== "ok")
    drawn.children.push(h("p#storage.wait.storage", { role: "alert" }, text(`storage.${storage}`)));
  if (lostSince) drawn.children.push(waiting());
  // A lobby has the same styles for every game; a game's own screens before it begins have others.
  const isDressed = game || ["field", "how"].includes(ui.screen);
  applyStyles(...(isDressed ? [table.snapshot.game] : []));
  render(byId("screen"), [drawn]);
  fitSoon();
  game?.drawn?.(state.snapshot);
  if (game && !isLobby) readyPanel(game);
}

/** The displays whose panel has been drawn. */
const withPanel = new WeakSet();
/** @param {() => void} task */
const whenIdle = (task) => (globalThis.requestIdleCallback ?? setTimeout)(task);

/**
 * Draw the panel and then the screen again, before the next frame: the first press finds its code
 * compiled and the size of its words chosen. Once for each display, while nobody uses it.
 * @param {GameDisplay} game
 */
function readyPanel(game) {
  if (withPanel.has(game)) return;
  withPanel.add(game);
  whenIdle(() => {
    const isUsed = document.activeElement !== document.body || table.isFresh || table.act;
    if (isUsed || display() !== game || ui.info || ui.list || ui.byHand) {
      withPanel.delete(game);
      return;
    }
    const { notice } = table;
    ACTIONS.info("");
    draw();
    ui.info = false;
    table.notice = notice;
    draw();
  });
}

/** The vote of all seats before a game; the display can only refuse. */
const lobbyVote = () => {
  const words = voteWords(table.snapshot);
  return h("p#vote", words?.head, " ", words?.small, " ", button("refuse", text("no")));
};

function waiting() {
  const seconds = Math.round((performance.now() - lostSince) / 1000);
  return h("p#wait.wait", text("link.moment"), " ", text("seconds", { n: seconds }));
}

/** @type {any} */
let clock = null;

/** @param {string} state */
function linked(state) {
  const isUp = state === "up";
  document.documentElement.classList.toggle("lost", !isUp);
  handover?.then(
    /** @param {any} it */
    (it) => it?.linked(isUp),
  );
  lostSince = isUp ? null : (lostSince ?? performance.now());
  clearInterval(clock);
  clock = isUp ? null : setInterval(draw, 1000);
  // Before the new snapshot: the stored one is from when the link was lost.
  if (isUp && table.looksOn && readStored("display-key")) pair();
  if (isUp && table.canControl)
    channel.request("hello", remembered(channel)).then(
      /** @param {any} reply */
      (reply) => invite(reply.join),
      () => {},
    );
  draw();
}

function hideIdleCursor() {
  /** @type {number | undefined} */
  let timer;
  document.addEventListener("pointermove", () => {
    clearTimeout(timer);
    document.body.classList.remove("idle");
    timer = setTimeout(() => document.body.classList.add("idle"), IDLE);
  });
}

/* ---- presses ---- */

/** @param {Press} press */
async function pressed({ action: name, argument, cell }) {
  perform([]);
  const game = isTutorial() ? null : (display() ?? (ui.screen === "field" ? loaded.setup : null));
  if (ui.byHand && cell) editByHand(game, cell);
  else if (!ui.byHand && cell)
    await performAction(game?.tapped?.(table.snapshot, cell, ui), { focus: cell });
  else if (!ui.byHand && game?.ACTIONS[name])
    await performAction(game.ACTIONS[name](table, argument));
  else await ACTIONS[name]?.(argument);
  await draw();
}

/**
 * Execute a press on the game: {submit: action} or {request: [what, args]}, and changes of this
 * screen.
 * @param {any} intent @param {object} [changes]
 */
async function performAction(intent, changes = {}) {
  const { submit: action, request: args, ...others } = (await intent) ?? {};
  Object.assign(ui, changes, others);
  if (action) await submit(action);
  else if (args) await request(args[0], args[1]);
}

/** @param {GameDisplay} gameDisplay @param {string} cell */
function editByHand({ edit }, cell) {
  const { draft, pawn } = edit.pressed(ui.byHand, table.snapshot.view, cell, ui.pawn);
  Object.assign(ui, { byHand: draft, pawn, focus: cell });
}

const isSecondDraw = secondPress();

/** @type {ActionTable} */
const ACTIONS = {
  undo: () => request("undo", { seat: table.snapshot.to_move }),
  agree: (seat) => request("vote", { agree: true, seat }),
  refuse: () => {
    const { vote } = table.snapshot;
    const seat = vote?.needed.find((each) => each !== secretSeat()) ?? vote?.by;
    return request("vote", { agree: false, seat });
  },
  draw: () => {
    ui.isSure = isAmongBots(table.snapshot) && !isSecondDraw(ui.isSure);
    if (ui.isSure) return null;
    ui.info = false;
    return request("draw");
  },
  game: (game) => {
    ui.screen = "seats";
    return game === table.snapshot.game ? null : request("propose", { change: { game } });
  },
  board: (answer) => request("board", { answer }),
  reading: (actions) => request("board", { answer: "reading", actions: JSON.parse(actions) }),
  players: (n) => request("propose", { change: { players: Number(n) } }),
  paper: () => {
    const { paper } = gameOf(table.snapshot.game);
    if (!paper) return null;
    const options = {
      ...table.snapshot.lobby.options,
      ...paper.chosen(!paper.isOn(table.snapshot)),
    };
    return request("propose", { change: { options } });
  },
  give: chooseBot,
  bot: (level) => {
    ui.screen = "seats";
    return request("give", { seat: ui.botSeat, level });
  },
  nobody: () => {
    ui.screen = "seats";
    return request("free", { seat: ui.botSeat });
  },
  bots: (seats) => {
    const level = table.snapshot.seats.find(({ bot }) => bot)?.bot ?? AUTO_LEVEL;
    return request("give_free", { seats: JSON.parse(seats), level });
  },
  cards: () => {
    const option = cardsOption(table.snapshot);
    if (!option) return null;
    const value = isReal(table.snapshot) ? option.ours : option.real;
    return request("propose", {
      change: { options: { ...table.snapshot.lobby.options, [option.name]: value } },
    });
  },
  how: async () => {
    const { game } = table.snapshot;
    loaded.how ??= await import("./how_to_play.js");
    await loaded.how.loadPictures(game);
    if (game === table.snapshot.game) ui.screen = "how";
  },
  choose: async (what) => {
    await readyChoices();
    Object.assign(ui, {
      screen: "choose",
      what,
      chooser: ui.chooser || table.snapshot.seats[0].seat,
    });
    setTimeout(() => document.getElementById("choose-head")?.focus());
  },
  chooser: (seat) => {
    ui.chooser = seat;
  },
  take: (at) =>
    request("choose", loaded.choices.choiceAt(table.snapshot, ui.what, ui.chooser, Number(at))),
  start: (answer) => {
    const isAsked = !answer && isNumbered(table.snapshot);
    ui.screen = isAsked ? "numbered" : "seats";
    if (!isAsked) return request("start");
    setTimeout(() => document.getElementById("numbered-head")?.focus());
  },
  replay: () => location.assign("/replay#table"),
  again: async (by) => {
    loaded.next ??= await import("./next_game.js");
    const isAsked = !by && (await loaded.next.readyNextGame(table.snapshot.game));
    ui.isNext = isAsked;
    if (!isAsked && by !== "no") await request("next_game", by ? { by: Number(by) } : {});
  },
  reveal: async () => {
    table.truth = await fetchProof();
  },
  field: async () => {
    loaded.setup = await gameOf(table.snapshot.game).loadSetup?.();
    await loaded.setup.ready();
    Object.assign(ui, { screen: "field", scan: false });
  },
  return: async () => {
    loaded.back ??= await import("./seat_return.js");
    await invite();
    Object.assign(ui, { isReturn: !ui.isReturn, info: false });
  },
  lang: async (language) => {
    await chooseLanguage(language);
    return table.join?.ways > 1 ? showWay(0) : ACTIONS.seats("");
  },
  way: (index) => showWay(Number(index)),
  games: async () => {
    await Promise.all(GAMES.map(loadGame));
    ui.screen = "games";
  },
  seats: () => {
    ui.screen = "seats";
  },
  tutorial: async () => {
    const { game } = table.snapshot;
    loaded.tutorial ??= await import("./tutorial.js");
    await loaded.tutorial.loadTutorial(game);
    // Another game that was chosen meanwhile has another round and other words.
    if (game === table.snapshot.game) Object.assign(ui, { screen: "tutorial", step: 0 });
  },
  earlier: () => {
    ui.step -= 1;
  },
  later: () => {
    ui.step += 1;
  },
  info: () => {
    table.notice ??= table.looksOn;
    Object.assign(ui, { info: !ui.info && !ui.list, list: null, isSure: false });
  },
  byhand: (answer) =>
    answer === "ok"
      ? requestByHand()
      : Object.assign(ui, {
          byHand: answer === "no" ? null : draftOfBoard(),
          pawn: null,
          aim: null,
          info: false,
          ...display().newTurn,
        }),
  sound: () => {
    ui.sound = !ui.sound;
    return ui.sound ? unlock() : voice?.silence();
  },
  voice: () => {
    ui.voice = nextLevel(ui.voice);
    store("voice", ui.voice);
    return ui.voice === "off" ? voice?.silence() : unlock();
  },
  far: () => {
    ui.far = !ui.far;
    store("far", ui.far ? "1" : "0");
    document.documentElement.classList.toggle("far", ui.far);
  },
  language: nextLanguage,
  light: toggleTheme,
};

/** @param {string | undefined} seat */
async function chooseBot(seat) {
  loaded.bots ??= await import("./bot_chooser.js");
  Object.assign(ui, { screen: "bots", botSeat: seat });
  setTimeout(() => document.getElementById("bots-head")?.focus());
}

/** @param {number} index */
async function showWay(index) {
  loaded.first ??= await import("./first_start.js");
  const way = await loaded.first.requestWay(request, index);
  URL.revokeObjectURL(ui.way?.image);
  if (way) Object.assign(ui, { screen: "ways", way });
}

/** The seat that answers on its own phone, in a game that has one. */
const secretSeat = () => gameOf(table.snapshot.game).secretSeat;

function draftOfBoard() {
  const { board, view } = table.snapshot;
  return display().edit.seenByBoard(isOff(board) ? board : {}, view);
}

async function requestByHand() {
  if (!ui.byHand || isNothing(ui.byHand)) return;
  const reply = await request("by_hand", { arrangement: ui.byHand });
  if (reply?.ok) Object.assign(ui, { byHand: null, pawn: null });
}

/** @param {string} action */
function submit(action) {
  ui.aim = null;
  return request("submit", { actions: [action], seat: table.snapshot.to_move });
}

/**
 * Send a request to the table; shows a refusal in words and changes nothing else.
 * @param {string} what @param {Record<string, unknown>} [args]
 */
async function request(what, args = {}) {
  if (!table.canControl) {
    table.notice = table.looksOn;
    return null;
  }
  const reply = await channel.ask(what, args);
  table.notice = reply.ok ? null : reply.message;
  if (table.notice) announce([plainText(table.notice)]);
  return reply;
}

await begin();
