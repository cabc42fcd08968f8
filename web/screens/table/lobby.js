/** The table display before a game: its seats. A pure description. */
import { button, deviceButtons } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { gameOf, listedSeats } from "../../games/index.js";
import { canStart } from "../../core/snapshot.js";
import { cardsOption, hasBots, isBox, isReal, missingSeats } from "./seating.js";
import { h } from "../../core/dom.js";
import { message, plainName, seatChip, seatName, text } from "../../core/i18n.js";

/**
 * Describe the lobby: the join code on the left, the seats or the games on the right. `table`:
 * {snapshot, ui, canControl, join, mayGoDark, notice}.
 * @param {TableState} table
 */
export function lobbyScreen(table) {
  const { canControl, join, ui } = table;
  if (ui.screen === "numbered") return numberedScreen();
  return h(
    "main.lobby",
    h(
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
    ),
    h("section.column", canControl && ui.screen === "games" ? games(table) : seats(table)),
  );
}

/**
 * Break an address that does not fit on one line before its path, where people pause while typing.
 * @param {string} address
 */
const parted = (address) => {
  const [host, path = ""] = address.split(/(?=\/\w+$)/);
  return [host, h("wbr"), path];
};

/**
 * The number of players of a game, and its length.
 * @param {string} game
 * @param {number[]} players
 */
const numbers = (game, players) =>
  text("about.numbers", {
    players: [...new Set([players[0], players.at(-1)])].join("–"),
    minutes: gameOf(game).minutes,
  });

/**
 * The picture of a game, from its folder.
 * @param {string} game
 */
const cover = (game) => h("img.cover", { src: `/static/games/${game}/cover.svg`, alt: "" });

/** @param {TableState} table */
function games({ snapshot }) {
  return [
    h("h1", text("game")),
    h(
      "div.games",
      Object.entries(snapshot.lobby.games).map(([game, players]) =>
        button(
          ["game", game],
          [
            cover(game),
            h(
              "span",
              h("b", text(`game.${game}`)),
              h("span.muted.about.wideonly", text(`about.${game}`)),
              h("span.muted.about", numbers(game, players)),
            ),
          ],
          { "aria-pressed": String(snapshot.game === game) },
        ),
      ),
    ),
    h("div.row.push", button("seats", text("back")), deviceButtons()),
  ];
}

/**
 * The links to the rules, the settings and the print kit.
 * @param {string} game
 * @param {boolean} canControl
 */
const links = (game, canControl) => [
  button("how", text("rules")),
  canControl && h("a#settings.button", { href: "/host" }, text("host")),
  canControl &&
    gameOf(game).hasKit &&
    h("a#print.button", { href: "/host#kit" }, text("lobby.print")),
];

/** @param {TableState} table */
function seats({ snapshot, canControl, looksOn, mayGoDark, notice, ui }) {
  const { game, lobby } = snapshot;
  const { paper, secretSeat, isNumbered, hasTutorial } = gameOf(game);
  /** @param {Seat} each */
  const isOpen = (each) => each.seat === secretSeat && !each.taken;
  const isPaper = Boolean(paper?.isOn(snapshot)) && snapshot.seats.some(isOpen);
  return [
    h(
      "header",
      cover(game),
      h("h1", text(`game.${game}`)),
      h(
        "div",
        h("p.about.sentence", text(`about.${game}`)),
        h("p.about.muted", numbers(game, lobby.games[game])),
      ),
      canControl && Object.keys(lobby.games).length > 1 && button("games", text("games")),
    ),
    h(
      "ul.seats",
      listedSeats(snapshot).map((each) =>
        isPaper && isOpen(each)
          ? seatOnPaper(each.seat, canControl)
          : seat(
              each,
              canControl && hasBots(snapshot),
              Boolean(canControl && paper && isOpen(each)),
            ),
      ),
    ),
    isNumbered?.(snapshot) && numbered(canControl),
    h(
      "p#notice.muted",
      isReal(snapshot) && h("b#real", text(isBox(snapshot) ? "lobby.box" : "lobby.cards"), " "),
      (notice ?? looksOn) ? message(notice ?? looksOn) : ready(snapshot, mayGoDark),
    ),
    // A seat on paper has no button for a bot.
    canControl &&
      hasBots(snapshot) &&
      !isPaper &&
      helped(snapshot.seats, snapshot.seats.some(isOpen)),
    h(
      "div.row.push",
      links(game, canControl),
      deviceButtons(),
      button("sound", icon(ui.sound ? "sound" : "mute"), {
        class: "narrow",
        "aria-label": text("sound"),
        "aria-pressed": String(ui.sound),
      }),
    ),
    (canControl || hasTutorial) &&
      h(
        "div#choices.row",
        canControl && lobby.games[game].length > 1 && numberOfPlayers(lobby, lobby.games[game]),
        canControl && "field" in lobby && button("field", text("field")),
        hasTutorial && button("tutorial", text("tutorial")),
        canControl &&
          Object.keys(lobby.choices ?? {}).map((what) =>
            button(["choose", what], text(`choice.${what}`)),
          ),
        canControl && kindOfCards(snapshot),
        canControl &&
          button("start", text("start"), {
            class: "prime",
            "aria-disabled": canStart(snapshot) ? null : "true",
          }),
      ),
  ];
}

/** @param {Lobby} lobby @param {number[]} offered */
const numberOfPlayers = (lobby, offered) =>
  h(
    "div.players",
    { role: "group", "aria-label": text("players") },
    h("span.muted", text("players")),
    offered.map((n) =>
      button(["players", n], n, {
        class: "narrow",
        "aria-label": text("players.n", { n }),
        "aria-pressed": String(lobby.players === n),
      }),
    ),
  );

/**
 * The button for the kind of cards: ours on the phones, or real ones on the table.
 * @param {Snapshot} snapshot
 */
function kindOfCards(snapshot) {
  const option = cardsOption(snapshot);
  return (
    option &&
    button("cards", text(option.name === "content" ? "lobby.with_box" : "lobby.with_cards"), {
      "aria-pressed": String(isReal(snapshot)),
    })
  );
}

/**
 * Instructions for people who are alone, or of whom nobody wants to hide.
 * @param {Seat[]} seats
 * @param {boolean} isSecretSeatOpen
 */
const helped = (seats, isSecretSeatOpen) => [
  seats.filter(({ taken }) => taken).length < 2 && h("p#alone.muted", text("lobby.alone")),
  isSecretSeatOpen && button("computer", text("lobby.computer")),
];

/**
 * A seat on paper: it needs no phone.
 * @param {string} name
 * @param {boolean} canControl
 */
const seatOnPaper = (name, canControl) =>
  h(
    "li.taken",
    { "data-seat": name },
    seatChip(name),
    canControl ? paperButton(true) : h("span.muted", text("paper")),
  );
/** @param {boolean} isOn */
const paperButton = (isOn) =>
  button("paper", text("paper"), {
    class: "narrow",
    "aria-label": text("paper.seat"),
    "aria-pressed": String(isOn),
  });

/** @param {Seat} place @param {boolean} canControl @param {boolean} canWrite */
function seat({ seat: name, taken, bot }, canControl, canWrite) {
  return h(
    "li",
    { class: bot ? "taken bot" : taken ? "taken" : null, "data-seat": name },
    h(
      "span.who",
      seatChip(name),
      seatName(name) !== plainName(name) && h("small.muted", plainName(name)),
    ),
    canWrite && paperButton(false),
    canControl &&
      (bot || !taken) &&
      button(["give", name], text(bot ? "bot.plays" : "bot", { level: bot }), {
        class: "narrow",
        "aria-label": `${text("bot.give", { seat: name })}${bot ? `, ${text("bot.plays", { level: bot })}` : ""}`,
      }),
    !(bot && canControl) &&
      h(
        "span.muted",
        bot
          ? text("bot.plays", { level: bot })
          : taken
            ? [icon("check"), h("span.vh", text("seat.taken"))]
            : text("seat.free"),
      ),
  );
}

/**
 * The notice that a game would use numbered places, and the link to type the map.
 * @param {boolean} canControl
 */
const numbered = (canControl) =>
  h(
    "p#numbered.line",
    text("lobby.numbered"),
    canControl && h("a.button", { href: "/map" }, text("host.map")),
  );

/** The question of a start on numbered places. */
const numberedScreen = () =>
  h(
    "main.dialog",
    h("h1#numbered-head", { tabindex: "-1" }, text("lobby.numbered.ask")),
    h("p.muted", text("numbered.places")),
    h("a.button.prime", { href: "/map" }, text("host.map")),
    button(["start", "numbered"], text("lobby.numbered.start")),
    button("seats", text("back")),
  );

/** @param {Snapshot} snapshot @param {boolean} mayGoDark */
function ready(snapshot, mayGoDark) {
  const { ready: isReady, wrong_seat: wrong } = snapshot.lobby;
  if (wrong?.code === "seat_of_person") return message(wrong);
  const missing = missingSeats(snapshot);
  if (missing || !isReady) return text(missing ?? "lobby.field");
  return [text("lobby.ready"), mayGoDark && h("span#dark", " ", text("lobby.dark"))];
}
