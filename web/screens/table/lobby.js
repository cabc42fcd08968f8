/** The table display before a game: its seats, or the choice of a game. A pure description. */
import { button, CLOSES, deviceButtons, startButton, narrowButton } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { gameOf, listedSeats } from "../../games/index.js";
import {
  cardsOption,
  doesWords,
  hasBots,
  isBox,
  isNeeded,
  isOnPaperSeat,
  isReal,
  missingSeats,
  seatsForBots,
} from "./seating.js";
import { voiceButton } from "./spoken.js";
import { h } from "../../core/dom.js";
import { message, plainName, plainText, seatName, shapeOf, text } from "../../core/i18n.js";

/**
 * Describe the lobby: the game and its seats, the join code beside them, the choices below. `table`:
 * {snapshot, ui, canControl, join, mayGoDark, notice}.
 * @param {TableState} table
 */
export function lobbyScreen(table) {
  const { canControl, snapshot, ui } = table;
  if (ui.screen === "numbered") return numberedScreen();
  if (canControl && ui.screen === "games") return gamesScreen(snapshot);
  return h(
    "main.lobby",
    h(
      "section.seating",
      h(
        "header",
        h("h1.title", text(`game.${snapshot.game}`)),
        h("p.sentence", text(`about.${snapshot.game}`)),
      ),
      ui.info ? more(table) : seats(table),
    ),
    joinCard(table),
    menu(table),
  );
}

/** The code with which phones join. @param {TableState} table */
function joinCard({ join }) {
  return h(
    "section",
    { class: join?.fingerprint ? "card tls" : "card", "aria-label": text("join") },
    h("img#qr", { src: join?.image ?? null, alt: text("join.scan") }),
    h("p", text("join.scan")),
    join?.code &&
      h(
        "p#code.code",
        { translate: "no", "aria-label": text("join.code", { code: join.code }) },
        join.code,
      ),
    join?.address &&
      (join.ways > 1
        ? button("way", parted(join.address), { translate: "no", class: "address" })
        : h("small", { translate: "no" }, parted(join.address))),
    join?.fingerprint && h("small", text("certificate")),
    join?.fingerprint && h("small#fingerprint", { translate: "no" }, join.fingerprint),
  );
}

/** Break a long address before its path, where people pause. @param {string} address */
const parted = (address) => {
  const [host, path = ""] = address.split(/(?=\/\w+$)/);
  return [host, h("wbr"), path];
};

/** @param {Snapshot} snapshot */
const gamesScreen = ({ game, lobby }) =>
  h(
    "main.boxes",
    h("div.line", h("h1", text("games.ask")), button("seats", text("back"), CLOSES)),
    h(
      "ul",
      Object.entries(lobby.games).map(([name, players]) =>
        h(
          "li",
          button(
            ["game", name],
            [
              h("img", { src: `/static/games/${name}/cover.svg`, alt: "" }),
              h("span", h("b.title", text(`game.${name}`)), h("small", numbers(name, players))),
            ],
            { "aria-pressed": String(game === name) },
          ),
        ),
      ),
    ),
  );

/** A game's numbers of players, and its length. @param {string} game @param {number[]} players */
const numbers = (game, players) =>
  text("about.numbers", {
    players: [...new Set([players[0], players.at(-1)])].join("–"),
    minutes: gameOf(game).minutes,
  });

/** @param {TableState} table */
function seats({ snapshot, canControl, looksOn, mayGoDark, notice }) {
  const places = listedSeats(snapshot);
  const forBots = canControl ? seatsForBots(snapshot) : [];
  return [
    h(
      "ul",
      { class: places.length > 4 ? "seats many" : "seats", "aria-label": text("players") },
      places.map((place) => seat(snapshot, place, canControl)),
    ),
    gameOf(snapshot.game).isNumbered?.(snapshot) && numbered(canControl),
    h(
      "div.line.state",
      h(
        "p#notice",
        isReal(snapshot) && h("b#real", text(isBox(snapshot) ? "lobby.box" : "lobby.cards"), " "),
        (notice ?? looksOn) ? message(notice ?? looksOn) : state(snapshot, canControl, mayGoDark),
      ),
      forBots.length > 1 && botsButton(snapshot, forBots),
    ),
  ];
}

/**
 * One press for bots on all these free seats; with nobody seated one seat is left for the people at
 * the table.
 * @param {Snapshot} snapshot @param {string[]} forBots
 */
function botsButton({ seats: places }, forBots) {
  const left = places.find(({ seat: name, taken }) => !taken && !forBots.includes(name));
  return button(
    ["bots", forBots],
    left ? text("lobby.bots.but", { seat: left.seat }) : text("lobby.bots"),
    { class: "pill" },
  );
}

/**
 * A seat: who has it or what it asks for, what is done there, and how it is given to a bot or to
 * paper.
 * @param {Snapshot} snapshot @param {Seat} place @param {boolean} canControl
 */
function seat(snapshot, place, canControl) {
  const { seat: name, taken, bot } = place;
  const onPaper = isOnPaperSeat(snapshot, place);
  const isMissing = !taken && !onPaper && isNeeded(snapshot, name);
  const level = bot && text("bot.plays", { level: bot });
  const mayHavePaper = !taken && name === gameOf(snapshot.game).secretSeat;
  return h(
    "li",
    { class: [isMissing && "missing", mayHavePaper && "wide"], "data-seat": name },
    icon(shapeOf(name), name),
    h(
      "span.who",
      seatName(name) === plainName(name)
        ? h("b", isMissing && mayHavePaper ? text("lobby.who") : plainName(name))
        : h("span.seat", { translate: "no" }, seatName(name)),
      h("small", level ?? seatWords(snapshot, place, onPaper, isMissing)),
    ),
    taken && !bot && h("span.ready", text("seat.ready")),
    !taken && !canControl && !onPaper && h("span.muted", text("seat.free")),
    canControl && hasBots(snapshot) && !onPaper && (bot || !taken) && botButton(place),
    canControl && mayHavePaper && gameOf(snapshot.game).paper && paperButton(onPaper),
  );
}

/**
 * The small words of a seat.
 * @param {Snapshot} snapshot @param {Seat} place @param {boolean} onPaper
 * @param {boolean} isMissing
 */
function seatWords(snapshot, { seat: name, taken }, onPaper, isMissing) {
  if (onPaper) return text("paper.seat");
  if (isMissing) return text("lobby.scan_seat");
  const does = doesWords(snapshot, name);
  if (!taken) return text("seat.optional", { does });
  return seatName(name) === plainName(name) ? does : `${plainName(name)} · ${does}`;
}

/** @param {Seat} place */
const botButton = ({ seat: name, bot }) =>
  button(["give", name], text("bot"), {
    class: "pill",
    "aria-label": text("bot.give", { seat: name }),
    "aria-pressed": String(Boolean(bot)),
  });

/** @param {boolean} isOn */
const paperButton = (isOn) =>
  button("paper", text("paper"), {
    class: "pill",
    "aria-label": `${text("paper")}: ${text("paper.seat")}`,
    "aria-pressed": String(isOn),
  });

/**
 * Who is missing, in one sentence, and what a person alone can do.
 * @param {Snapshot} snapshot @param {boolean} canControl @param {boolean} mayGoDark
 */
function state(snapshot, canControl, mayGoDark) {
  const { ready: isReady, wrong_seat: wrong } = snapshot.lobby;
  if (wrong?.code === "seat_of_person") return message(wrong);
  const missing = missingSeats(snapshot);
  const seated = snapshot.seats.filter(({ taken }) => taken).length;
  const isAlone = missing ? seated < 2 : seated === 0;
  const alone =
    canControl &&
    hasBots(snapshot) &&
    isAlone &&
    !snapshot.seats.some((place) => isOnPaperSeat(snapshot, place)) &&
    h("span#alone", " ", text("lobby.alone"));
  if (missing) return [message(missing), alone];
  if (!isReady) return text("lobby.field");
  return [text("lobby.ready"), alone, mayGoDark && h("span#dark", " ", text("lobby.dark"))];
}

/** The choices of the proposed game, and its start. @param {TableState} table */
function menu({ snapshot, canControl, ui }) {
  const { game, lobby } = snapshot;
  const offered = lobby.games[game];
  return h(
    "div#choices.menu",
    canControl && Object.keys(lobby.games).length > 1 && button("games", text("games")),
    canControl && offered.length > 1 && numberOfPlayers(lobby, offered),
    canControl && "field" in lobby && button("field", text("field")),
    canControl &&
      Object.keys(lobby.choices ?? {}).map((what) =>
        button(["choose", what], text(`choice.${what}`)),
      ),
    canControl && kindOfCards(snapshot),
    button("tutorial", text("tutorial")),
    button("how", text("rules")),
    narrowButton("info", icon(ui.info ? "cross" : "more"), text("more"), {
      "aria-pressed": String(ui.info),
      ...(ui.info && CLOSES),
    }),
    canControl && startButton(snapshot, plainText(missingSeats(snapshot)) || text("lobby.field")),
  );
}

/** @param {Lobby} lobby @param {number[]} offered */
const numberOfPlayers = (lobby, offered) =>
  h(
    "div.players",
    { role: "group", "aria-label": text("players") },
    h("span", text("players")),
    offered.map((n) =>
      narrowButton(["players", n], n, text("players.n", { n }), {
        "aria-pressed": String(lobby.players === n),
      }),
    ),
  );

/** The button for the cards: ours on phones, or real ones. @param {Snapshot} snapshot */
function kindOfCards(snapshot) {
  const option = cardsOption(snapshot);
  return (
    option &&
    button("cards", text(option.name === "content" ? "lobby.with_box" : "lobby.with_cards"), {
      "aria-pressed": String(isReal(snapshot)),
    })
  );
}

/** What is needed seldom: settings, and the print kit. @param {TableState} table */
const more = ({ snapshot, canControl, ui }) =>
  h(
    "div.panel",
    h(
      "div.row",
      deviceButtons(),
      narrowButton("sound", icon(ui.sound ? "sound" : "mute"), text("sound"), {
        "aria-pressed": String(ui.sound),
      }),
      voiceButton(ui),
    ),
    canControl &&
      h(
        "div.row",
        h("a#settings.button", { href: "/host" }, text("host")),
        gameOf(snapshot.game).hasKit &&
          h("a#print.button", { href: "/host#kit" }, text("lobby.print")),
      ),
  );

/** The notice of numbered places, and the link to type the map. @param {boolean} canControl */
const numbered = (canControl) =>
  h(
    "p#numbered.line",
    text("lobby.numbered"),
    canControl && h("a.button.pill", { href: "/map" }, text("host.map")),
  );

/** The question of a start on numbered places. */
const numberedScreen = () =>
  h(
    "main.dialog",
    h("h1#numbered-head", text("lobby.numbered.ask")),
    h("p.muted", text("numbered.places")),
    h("a.button.prime", { href: "/map" }, text("host.map")),
    button(["start", "numbered"], text("lobby.numbered.start")),
    button("seats", text("back"), CLOSES),
  );
