/**
 * The host's page: settings, seats and ways to end a game, for seats and the display. Public data
 * only.
 */
import { imageOf, timedFetch } from "../../core/browser.js";
import { withNotice } from "../../core/with_notice.js";
import {
  button,
  CLOSES,
  drawButton,
  lightButton,
  onPress,
  rulesLink,
  secondPress,
  toggleTheme,
  whyNot,
} from "../../core/controls.js";
import { languageButtons } from "../../core/language_buttons.js";
import { Channel } from "../../core/channel.js";
import { gameOf, loadGame, loadRules } from "../../games/index.js";
import { botList } from "../table/bot_chooser.js";
import { hasBots, openSeats } from "../table/seating.js";
import { followWithRole } from "../../core/role.js";
import { isAmongBots } from "../../core/snapshot.js";
import { valueText } from "./options.js";
import { addCommands, newest } from "../../core/loading.js";
import { byId, h, render } from "../../core/dom.js";
import {
  chooseLanguage,
  followLanguage,
  loadGameWords,
  loadWords,
  message,
  seatChip,
  text,
  useSeats,
  useWordsOf,
} from "../../core/i18n.js";

/** The settings of every game; others come with the game, as its `settings` and its levels of `help`. */
const SETTINGS = { sound: [true, false], volume: [20, 50, 80, 100] };

/** Settings whose label is their effect. */
const WHY = ["setting.night_floor", "help"];

/**
 * The level of help whose settings the table has.
 * @param {Record<string, Record<string, unknown>>} levels @param {TableSettings} settings
 */
const helpOf = (levels, settings) =>
  Object.keys(levels).find((level) =>
    Object.entries(levels[level]).every(([name, value]) => settings[name] === value),
  );

const PAPERS = ["A4", "Letter"];
/** Milliseconds between two looks at the club's broker. */
const BROKER_MS = 10_000;

/** @type {any} Before the first update there is none. */
const none = null;
/** @type {HostState} */
const host = {
  snapshot: none,
  rules: none,
  channel: null,
  canControl: false,
  notice: null,
  isSure: null,
  screen: null,
  camera: null,
  botSeat: "",
  broker: null,
};
const request = withNotice(host);
const isSecondPress = secondPress();

async function begin() {
  await loadWords(null, "host", "settings");
  followLanguage(draw);
  host.channel = await Channel.openKept();
  onPress(document.body, async (press) => {
    await pressed(press);
    draw();
  });
  const onUpdate = newest(
    async ({ snapshot: { game, lobby } }) => {
      const { loadSheet } = await loadGame(game);
      const sheetTable = lobby.sheet ? await loadSheet?.() : null;
      const [rules] = await Promise.all([loadRules(game), loadGameWords(game, "rules")]);
      return { sheetTable, rules };
    },
    ({ snapshot }, loaded) => {
      if (host.snapshot?.phase !== snapshot.phase) host.isSure = null;
      Object.assign(host, loaded, { snapshot });
      useWordsOf(snapshot.game);
      useSeats(snapshot.seats);
      draw();
      showAsked();
    },
  );
  await followWithRole(host, request, { onUpdate, draw });
  addCommands({ snapshot: () => host.snapshot });
  await showBroker();
}

/** Show again and again why the club's broker does not serve the table. */
async function showBroker() {
  const reply = await timedFetch("/diagnostics").catch(() => null);
  if (reply?.ok) {
    host.broker = (await reply.json()).broker;
    draw();
  }
  setTimeout(showBroker, BROKER_MS);
}

/** Scroll the card of the address's fragment into view, once it exists. */
function showAsked() {
  const asked = location.hash && document.getElementById(location.hash.slice(1));
  if (!asked) return;
  history.replaceState(null, "", location.pathname);
  asked.scrollIntoView();
}

/** Whether an action is at once and for good: it needs a second press. @param {string} action */
const isDecisive = (action) =>
  ["free", "surrender"].includes(action) || (action === "draw" && isAmongBots(host.snapshot));

/** @type {ActionTable} */
const ACTIONS = {
  language: chooseLanguage,
  light: toggleTheme,
  option: (change) =>
    request("propose", {
      change: { options: { ...host.snapshot.lobby.options, ...JSON.parse(change) } },
    }),
  setting: (change) => request("settings", { change: JSON.parse(change) }),
  help: (level) => request("settings", { change: host.rules.help?.[level] }),
  game: (game) => request("propose", { change: { game } }),
  players: (players) => request("propose", { change: { players: Number(players) } }),
  pause: () => request("pause", { on: !host.snapshot.paused }),
  give: (seat) => {
    host.botSeat = host.botSeat === seat ? "" : seat;
  },
  bot: (level) => chooseBot("give", { seat: host.botSeat, level }),
  nobody: () => chooseBot("free", { seat: host.botSeat }),
  switch_to_paper: () => request("switch_to_paper"),
  draw: () => request("draw"),
  free: (seat) => request("free", { seat }),
  surrender: () => request("surrender"),
  screen: offerScreen,
  camera: offerCamera,
};

/** @param {Press} press */
async function pressed({ action, argument }) {
  const name = `${action} ${argument}`.trim();
  const isSecond = isDecisive(action) && isSecondPress(host.isSure === name);
  host.isSure = isDecisive(action) && !isSecond ? name : null;
  if (!host.isSure) await ACTIONS[action]?.(argument);
}

/**
 * Give a seat to a bot or free it from one, and close the list of bots.
 * @param {string} what @param {{seat: string, level?: string}} choice
 */
async function chooseBot(what, choice) {
  host.botSeat = "";
  await request(what, choice);
}

/** The code by which another screen becomes a display; it works once. */
async function offerScreen() {
  URL.revokeObjectURL(host.screen ?? "");
  const reply = host.screen ? null : await request("screen");
  host.screen = reply?.ok ? imageOf(reply.screen.svg) : null;
}

/** The code by which a spare phone becomes the camera. */
async function offerCamera() {
  URL.revokeObjectURL(host.camera?.image ?? "");
  if (host.camera) return (host.camera = null);
  const [reply] = await Promise.all([
    request("camera_code"),
    loadWords(document.documentElement.lang, "camera"),
  ]);
  const { url, svg } = reply?.camera ?? {};
  if (url) host.camera = { url: url.split("#")[0], image: imageOf(svg) };
}

function draw() {
  const { snapshot, canControl, notice } = host;
  if (!snapshot) return;
  const isLobby = snapshot.phase === "lobby";
  const game = gameOf(snapshot.game);
  const sheet = isLobby && host.sheetTable?.(snapshot.lobby.sheet);
  render(byId("screen"), [
    h(
      "main",
      h("h1", text("host")),
      snapshot.sample && h("p#sample", text("sample")),
      canControl ? null : h("p", text("host.seat")),
      host.broker && h("p#broker.bad", { role: "status" }, message(host.broker)),
      sensorFaults(snapshot).map((code) =>
        h("p.bad", { "data-fault": code, role: "status" }, text(`host.${code}`)),
      ),
      notice && h("p#notice.bad", { role: "alert" }, message(notice)),
      card("language", h("div.row", languageButtons(), lightButton())),
      card(
        "host.seats",
        h(
          "ul.seats",
          snapshot.seats.map((each) => seat(each, canControl, snapshot)),
        ),
        canControl && host.role !== "display" && anotherScreen(host.screen),
        canControl && phoneCamera(host.camera),
      ),
      card("host.table", tableSettings(snapshot, canControl)),
      card(
        "host.rules",
        isLobby ? proposal(snapshot, canControl) : h("p.muted", text("host.running")),
      ),
      sheet && card("field.sheet", sheet),
      snapshot.phase === "play" && canControl && card("host.end", gameButtons(snapshot)),
      game.hasKit && card("kit", kits(snapshot)),
      h("p.muted", text("host.owner")),
      rulesLink(snapshot),
      Object.entries(game.pages ?? {}).map(([href, title]) => h("a.button", { href }, text(title))),
      h("a.button", { href: "/board" }, text("board")),
      h(
        "a#back.button.prime",
        { href: host.role === "display" ? "/table" : "/seat" },
        text("back"),
      ),
    ),
  ]);
}

/**
 * The sources that the program fails to read: a board or a camera, a hand scanner.
 * @param {Snapshot & {scanner?: {message: Message}}} snapshot
 */
const sensorFaults = ({ board, scanner }) =>
  [board?.message?.code, scanner?.message.code].filter((code) => code?.endsWith(".failed"));

/** The table's settings and its help. @param {Snapshot} snapshot @param {boolean} canControl */
const tableSettings = ({ settings }, canControl) => [
  Object.entries({ ...SETTINGS, ...host.rules.settings }).map(([name, values]) =>
    setting("setting", name, values, settings[name], canControl),
  ),
  host.rules.help &&
    setting(
      "help",
      "help",
      Object.keys(host.rules.help),
      helpOf(host.rules.help, settings),
      canControl,
    ),
];

/**
 * The proposed game, its players and options, and the warnings about it.
 * @param {Snapshot} snapshot @param {boolean} canControl
 */
function proposal(snapshot, canControl) {
  const { games, players, warnings } = snapshot.lobby;
  const game = gameOf(snapshot.game);
  const editor = game.editor?.(snapshot);
  return [
    setting("game", "game", Object.keys(games), snapshot.game, canControl),
    setting("players", "players", games[snapshot.game], players, canControl),
    options(snapshot, canControl),
    game.isNumbered?.(snapshot) && h("p#numbered.muted", text("lobby.numbered")),
    editor && h("a#map.button", { href: editor }, text("host.map")),
    h(
      "ul#warnings",
      warnings.map((each) => h("li.bad", message(each))),
    ),
  ];
}

/** The controls that interrupt or end the running game. @param {Snapshot} snapshot */
function gameButtons(snapshot) {
  const { paper, secretSeat, loadHandover } = gameOf(snapshot.game);
  return h(
    "div.row",
    (host.role !== "display" || openSeats(snapshot).length > 0) &&
      drawButton(snapshot, host.isSure === "draw"),
    button("pause", text(snapshot.paused ? "resume" : "pause"), {
      "aria-pressed": String(snapshot.paused),
    }),
    paper && !paper.isOn(snapshot) && button("switch_to_paper", text("switch_to_paper")),
    loadHandover &&
      h("a#handover-save.button", { href: "/handover.html", download: "" }, text("handover.save")),
    host.role === secretSeat &&
      button("surrender", text(host.isSure === "surrender" ? "sure" : "surrender")),
  );
}

/** The links to the game's print kit, one for each size of paper. @param {Snapshot} snapshot */
const kits = ({ game }) => [
  h("p", text("kit.why")),
  kitLinks(game, "kit"),
  h("p", text("kit.tactile")),
  kitLinks(`${game}/tactile`, "touch"),
];

/** @param {string} path @param {string} name */
const kitLinks = (path, name) =>
  h(
    "div.row",
    PAPERS.map((paper) =>
      h(
        "a.button",
        {
          id: `${name}-${paper}`,
          // The answer says that it is a download; while another kit is drawn it is a page.
          href: `/kit/${path}/${paper}-${document.documentElement.lang}.pdf`,
        },
        text("kit.paper", { paper }),
      ),
    ),
  );

/** @param {string} title @param {...Child} content */
const card = (title, ...content) =>
  h("section.card", { id: title.replace(".", "-") }, h("h2", text(title)), content);

/** @param {string | null} image */
function anotherScreen(image) {
  return [
    h(
      "div.row",
      button("screen", text("screen.offer"), { "aria-pressed": String(Boolean(image)) }),
    ),
    image &&
      h("img#screen-code", { src: image, alt: text("screen.scan"), width: 240, height: 240 }),
    image && h("p.muted", text("screen.scan")),
  ];
}

/**
 * Whether this page may free a person's seat: in a game one without a secret, else one's own, or
 * any by the display.
 * @param {Snapshot} snapshot @param {string} name
 */
const mayFree = (snapshot, name) =>
  snapshot.phase === "play"
    ? openSeats(snapshot).includes(name)
    : ["display", name].includes(host.role ?? "");

/** @param {any} offer */
function phoneCamera(offer) {
  const offerButton = button("camera", text("camera.offer"), {
    "aria-pressed": String(Boolean(offer)),
  });
  if (!offer) return offerButton;
  if (!offer.url.startsWith("https:")) return [offerButton, h("p", text("camera.https"))];
  return [
    offerButton,
    h("img#camera-code", { src: offer.image, alt: text("camera.scan"), width: 240, height: 240 }),
    h("p", text("camera.scan")),
    h("p.muted", { translate: "no" }, offer.url),
  ];
}

/** @param {Seat} place @param {boolean} canControl @param {Snapshot} snapshot */
function seat(place, canControl, snapshot) {
  const { seat: name, taken, bot } = place;
  const botButton =
    canControl &&
    hasBots(snapshot) &&
    (bot || !taken || name === host.role) &&
    button(["give", name], text(bot ? "bot.plays" : "bot", { level: bot }), {
      "aria-label": `${text("bot.give", { seat: name })}${bot ? `, ${text("bot.plays", { level: bot })}` : ""}`,
      "aria-expanded": String(host.botSeat === name),
      ...(host.botSeat === name && CLOSES),
    });
  return h(
    "li.line",
    { "data-seat": name },
    seatChip(name),
    botButton,
    bot
      ? !botButton && h("span.muted", text("bot.plays", { level: bot }))
      : taken && canControl && mayFree(snapshot, name)
        ? button(["free", name], text(host.isSure === `free ${name}` ? "sure" : "seat.free_it"))
        : h("span.muted", text(taken ? "seat.taken" : "seat.free")),
    botButton && host.botSeat === name && botList(snapshot, place),
  );
}

/** @param {Snapshot} snapshot @param {boolean} canControl */
function options({ lobby }, canControl) {
  const known = { ...(lobby.contents && { content: lobby.contents }), ...host.rules.options };
  return Object.entries(known).map(([name, values]) =>
    setting("option", name, values, lobby.options[name] ?? values[0], canControl),
  );
}

/**
 * @param {string} kind @param {string} name @param {unknown[]} values @param {unknown} chosen
 * @param {boolean} canControl
 */
function setting(kind, name, values, chosen, canControl) {
  const isWhole = kind === name;
  const key = isWhole ? name : `${kind}.${name}`;
  return h(
    "div.setting",
    { role: "group", "aria-label": text(key) },
    h("p", text(key)),
    h(
      "div.row",
      values.map((value) =>
        button([kind, isWhole ? value : { [name]: value }], valueText(key, value), {
          "aria-pressed": String(value === chosen),
          ...whyNot(!canControl && text("host.seat")),
        }),
      ),
    ),
    WHY.includes(key) && h("p.muted", text(`${key}.why`)),
  );
}

await begin();
