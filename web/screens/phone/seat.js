/** The page of a seat in its game, with what all games have in common. */
import { onPress, paused, toggleTheme, votePanel } from "../../core/controls.js";
import { addCommands, untilLoaded } from "../../core/loading.js";
import { hourOf } from "../../core/snapshot.js";
import { subscribeSeat } from "../../core/stream.js";
import { announce, byId, focusOn, h, render } from "../../core/dom.js";
import {
  followLanguage,
  loadGameWords,
  nextLanguage,
  plainName,
  plainText,
  seatName,
  text,
  useSeats,
} from "../../core/i18n.js";

const SETTLED = 1500;
/** The address's fragment while the rules of the game are read. */
const RULES = "#rules";
const screen = byId("screen");

/**
 * Load the game of `hello`, the reply to this page's first request, and draw and follow it.
 * @param {import("../../core/channel.js").Channel} channel @param {any} hello
 */
export async function openSeat(channel, hello) {
  const { game } = hello.snapshot;
  let now = hello.snapshot;
  /** @type {any} */
  let rules = null;
  /** @type {any} The question about the next vampire player, while it is open here. */
  let next = null;
  /** @param {VNode[]} trees */
  const show = (trees) =>
    render(
      screen,
      withNotices(rules ? [rules(now, hello.role)] : next ? [next(now)] : trees, now, hello.role),
    );
  /** @type {SendRequest} */
  const request = (what, args) => channel.ask(what, args);
  /** @type {[any, unknown]} */
  const [page] = await Promise.all([
    untilLoaded(async () => {
      const { openPhone } = await import(`../../games/${game}/phone.js`);
      return openPhone({ seat: hello.role, request, show });
    }),
    loadStylesheet(game),
  ]);
  const tick = startCoverTraffic(channel);
  /** @type {string?} */
  let room = null;
  let before = hello.snapshot.position;
  /** @type {Snapshot | null} The state that is drawn: the first one may hold an answer back. */
  let drawnSnapshot = null;
  const keeper = page.isSilent
    ? null
    : startHistoryKeeper(channel, hello.snapshot.lobby.seed ? 0 : SETTLED);
  const handover = page.handover ? startHandover(page.handover).catch(() => null) : null;
  /** @type {any} */
  let ending = null;
  /** @param {Update} update @param {Secret | null} secret @param {string} [role] */
  const take = (update, secret, role) => {
    const { snapshot } = update;
    if (role !== undefined && role !== hello.role) return location.replace("/join");
    if (snapshot.game !== game) return location.reload();
    keeper?.then((it) => it.take(update));
    handover?.then((it) => it?.take(update));
    clearTimeout(ending);
    // Who has won is on the display first.
    const isEnd = now.phase === "play" && snapshot.phase === "over" && page.endMs;
    if (isEnd) ending = setTimeout(present, page.endMs, update, secret);
    else present(update, secret);
  };
  /** @param {Update} update @param {Secret | null} secret */
  const present = ({ snapshot, events }, secret) => {
    useSeats(snapshot.seats);
    document.documentElement.dataset.hour = hourOf(snapshot);
    now = snapshot;
    if (snapshot.phase !== "over") next = null;
    const needed = page.roomOf?.(snapshot);
    if (needed && needed !== room) {
      room = needed;
      loadGameWords(game, room).then(page.draw);
    }
    // If several seats have secrets, all their phones tick, not only that of the seat to move.
    if (navigator.wakeLock)
      import("../../core/wake_lock.js").then((it) => it.keepAwake(snapshot.phase === "play"));
    tick(snapshot.secret && (snapshot.to_move === hello.role || Boolean(secret?.own)));
    const drawn = page.update(snapshot, secret);
    drawnSnapshot = snapshot;
    // A message with a game's own words waits for them, as its page does.
    if (snapshot.position > before && !page.isSilent)
      Promise.resolve(drawn).then(() =>
        announceEvents(page.announced?.({ snapshot, events }) ?? events),
      );
    before = snapshot.position;
  };
  /** @type {Record<string, OnPress>} */
  const common = {
    again: ({ argument }) => playAgain(argument),
    language: () => nextLanguage().then(page.draw),
    light: () => {
      toggleTheme();
      page.draw();
    },
    rules: () => {
      location.hash = RULES;
    },
    back: leaveRules,
  };
  /** @param {string} by */
  const playAgain = async (by) => {
    const { nextGameScreen, readyNextGame } = await import("../table/next_game.js");
    next = !by && (await readyNextGame(game)) ? nextGameScreen : null;
    if (!next && by !== "no") await request("next_game", by ? { by: Number(by) } : {});
    page.draw();
  };
  onPress(document.body, (press) => (common[press.action] ?? page.pressed)(press));
  const read = async () => {
    const wasOpen = Boolean(rules);
    const isOpen = () => location.hash === RULES;
    const rulesPage = isOpen() && (await (await import("../help/rules.js")).loadRulesPage(game));
    // The phone's own Back closes them, perhaps before they are loaded.
    rules = isOpen() && rulesPage;
    (page.hide ?? page.draw)();
    if (Boolean(rules) === wasOpen) return;
    if (rules) show([]);
    if (rules) scrollTo(0, 0);
    focusOn(rules ? "#rules" : "[data-action=rules]");
  };
  addEventListener("hashchange", () => read().catch(leaveRules));
  if (location.hash) read().catch(leaveRules);
  followLanguage(page.draw);
  addCommands({
    snapshot: () => drawnSnapshot,
    seat: hello.role,
    phone: () => page.phone,
    request,
  });
  subscribeSeat(
    channel,
    take,
    (link) => {
      page.linked(link === "up");
      handover?.then((it) => it?.linked(link === "up"));
    },
    hello,
  );
}

/** Load a game's style sheet: a phone reloads its page for another game. @param {string} game */
const loadStylesheet = (game) =>
  new Promise((done) => {
    const link = { rel: "stylesheet", href: `/static/games/${game}/style.css` };
    const loading = Object.assign(document.createElement("link"), link);
    loading.onload = loading.onerror = done;
    document.head.append(loading);
  });

const leaveRules = () => (history.length > 1 ? history.back() : location.replace("#"));

/**
 * The notices of every screen: sample cards, a custom set-up, a paused table.
 * @param {VNode[]} trees @param {Snapshot} snapshot @param {string} seat
 */
function withNotices(trees, snapshot, seat) {
  const halt = paused(snapshot);
  const isVote = snapshot.phase === "lobby" && snapshot.vote;
  const labels = [
    snapshot.lobby.custom_setup && h("p#custom", text("custom_setup")),
    isVote && votePanel(snapshot, seat),
    snapshot.phase === "lobby" && h("p#side", seatWords(seat)),
    snapshot.phase === "lobby" && !navigator.wakeLock && h("p#dark.muted", text("lobby.dark")),
    snapshot.sample && h("p#sample", text("sample")),
    halt && h("p#paused", h("b", halt.head), " ", halt.small),
  ];
  return trees.map((tree) => ({
    ...tree,
    children: [...labels.filter(Boolean), ...tree.children],
  }));
}

/** Which seat this is, with the name that was typed for it. @param {string} seat */
const seatWords = (seat) => {
  const name = plainName(seat);
  return seatName(seat) === name ? name : text("seat.yours", { seat, name });
};

/**
 * Start cover traffic in the nights of this seat; its module is loaded at the first one, a public
 * moment.
 * @param {import("../../core/channel.js").Channel} channel
 */
function startCoverTraffic(channel) {
  /** @type {any} */
  let ticker = null;
  let isNight = false;
  const load = async () => {
    const { CoverTraffic } = await import("../../core/cover_traffic.js");
    return new CoverTraffic(channel);
  };
  channel.schedule = async (send) => {
    const it = await ticker;
    return it ? it.schedule(send) : send();
  };
  /** @param {boolean} isSecret */
  return (isSecret) => {
    isNight = isSecret;
    if (isNight)
      ticker ??= load().catch(() => {
        ticker = null;
      });
    ticker?.then(
      /** @param {any} it */
      (it) => it?.run(isNight),
    );
  };
}

/** Prepare the handover, in the background. @param {() => Promise<any>} load */
async function startHandover(load) {
  await new Promise((done) => setTimeout(done, SETTLED));
  return (await load()).startHandover();
}

/**
 * Store the public history; only a shuffle waits for it.
 * @param {import("../../core/channel.js").Channel} channel @param {any} wait
 */
async function startHistoryKeeper(channel, wait) {
  await new Promise((done) => setTimeout(done, wait));
  const { history, HistoryKeeper } = await import("../../proof/history_keeper.js");
  return new HistoryKeeper({
    table: channel.tableHex,
    history,
    differs: ({ position, head }) => channel.request("hello", { expect: position, head }),
    give: (share) => channel.request("share", share),
  });
}

/** @param {LogEntry[]} events */
const announceEvents = (events) => announce(events.map(({ message }) => plainText(message)));
