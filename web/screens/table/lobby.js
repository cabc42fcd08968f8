/** The table display before a game: who sits where. A pure description. */
import { button, deviceButtons } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { gameOf, listedSeats } from "../../games/index.js";
import { canStart } from "../../core/snapshot.js";
import { hasBots, isBox, isReal, vacancy } from "./seating.js";
import { h } from "../../core/dom.js";
import { message, seatChip, text } from "../../core/i18n.js";

/** Describe the lobby: the way in on the left, the seats or the games on the right. `table`: {picture, ui, can, join, notice}. */
export function lobbyScreen(table) {
  const { can, join, ui } = table;
  return h(
    "main",
    { class: "lobby" },
    h(
      "section",
      { class: join?.fingerprint ? "card tls" : "card", "aria-label": text("join") },
      h("img", { id: "qr", src: join?.image ?? null, alt: text("join.scan") }),
      h("p", {}, text("join.scan")),
      join?.code &&
        h(
          "p",
          {
            class: "code",
            id: "code",
            translate: "no",
            "aria-label": text("join.code", { code: join.code }),
          },
          join.code,
        ),
      join?.address &&
        (join.ways > 1
          ? button("way", join.address, { translate: "no", class: "address" })
          : h("small", { translate: "no" }, join.address)),
      join?.fingerprint && h("small", {}, text("certificate")),
      join?.fingerprint && h("small", { id: "fingerprint", translate: "no" }, join.fingerprint),
    ),
    h("section", { class: "column" }, can && ui.screen === "games" ? games(table) : seats(table)),
  );
}

/** What a game is, in a sentence, which low screens have no room for, then for how many and how long. */
const about = (game, players) =>
  h(
    "span",
    { class: "muted about" },
    h("span", { class: "wideonly" }, text(`about.${game}`), " "),
    text("about.numbers", {
      players: [...new Set([players[0], players.at(-1)])].join("–"),
      minutes: gameOf(game).minutes,
    }),
  );

/** The ways to the rules and the settings; on low screens they stand beside the choice of the game. */
const links = (picture, can, more = "") => [
  h(
    "a",
    { class: `button narrow${more}`, href: `/help#${picture.game}`, "aria-label": text("rules") },
    "?",
  ),
  can &&
    h(
      "a",
      { class: `button narrow${more}`, href: "/host", "aria-label": text("host") },
      icon("more"),
    ),
];

function games({ picture }) {
  return [
    h("h1", {}, text("game")),
    h(
      "div",
      { class: "games" },
      Object.entries(picture.lobby.games).map(([game, players]) =>
        button(`game-${game}`, [h("span", {}, text(`game.${game}`)), about(game, players)], {
          "aria-pressed": String(picture.game === game),
        }),
      ),
    ),
    h(
      "div",
      { class: "row push" },
      button("seats", text("back")),
      links(picture, true),
      deviceButtons(),
    ),
  ];
}

function seats({ picture, can, looksOn, notice, ui }) {
  const { paper, secretSeat, isNumbered, hasTutorial } = gameOf(picture.game);
  return [
    h(
      "div",
      { class: "line" },
      h("h1", {}, text(`game.${picture.game}`)),
      can && Object.keys(picture.lobby.games).length > 1 && button("games", text("games")),
    ),
    h("p", { class: "about wideonly" }, about(picture.game, picture.lobby.games[picture.game])),
    h(
      "ul",
      { class: "seats" },
      listedSeats(picture).map((each) =>
        each.seat === secretSeat && !each.taken && paper?.isOn(picture)
          ? seatOnPaper(secretSeat, can)
          : seat(each, can && hasBots(picture), can && each.seat === secretSeat && !each.taken),
      ),
    ),
    isNumbered?.(picture) && numbered(can),
    h(
      "p",
      { class: "muted", id: "notice" },
      isReal(picture) &&
        h("b", { id: "real" }, text(isBox(picture) ? "lobby.box" : "lobby.cards"), " "),
      (notice ?? looksOn) ? message(notice ?? looksOn) : ready(picture),
    ),
    can &&
      picture.lobby.games[picture.game].length > 1 &&
      h(
        "div",
        { class: "row push", role: "group", "aria-label": text("players") },
        picture.lobby.games[picture.game].map((n) =>
          button(`players-${n}`, text("players.n", { n }), {
            "aria-pressed": String(picture.lobby.players === n),
          }),
        ),
      ),
    h(
      "div",
      { class: "row" },
      can && "field" in picture.lobby && button("field", text("field")),
      hasTutorial && button("ghost", text("ghost")),
      can &&
        Object.keys(picture.lobby.choices ?? {}).map((what) =>
          button(`choose-${what}`, text(`choice.${what}`)),
        ),
      can &&
        button("start", text("start"), {
          class: "prime",
          "aria-disabled": canStart(picture) ? null : "true",
        }),
      deviceButtons(),
      links(picture, can, " wideonly"),
      button("sound", icon(ui.sound ? "sound" : "mute"), {
        class: "narrow",
        "aria-label": text("sound"),
        "aria-pressed": String(ui.sound),
      }),
    ),
  ];
}

/** A seat that is to be played on paper: nobody needs to sit there with a phone. */
const seatOnPaper = (name, can) =>
  h(
    "li",
    { class: "taken", "data-seat": name },
    seatChip(name),
    can ? paperButton(true) : h("span", { class: "muted" }, text("paper")),
  );
const paperButton = (isOn) =>
  button("paper", text("paper"), {
    class: "narrow",
    "aria-label": text("paper.seat"),
    "aria-pressed": String(isOn),
  });

function seat({ seat: name, taken, bot }, can, canWrite) {
  return h(
    "li",
    { class: taken ? "taken" : null, "data-seat": name },
    seatChip(name),
    canWrite && paperButton(false),
    can &&
      (bot || !taken) &&
      button(`give-${name}`, text(bot ? "bot.plays" : "bot", { level: bot }), {
        class: "narrow",
        "aria-label": `${text("bot.give", { seat: name })}${bot ? `, ${text("bot.plays", { level: bot })}` : ""}`,
      }),
    !(bot && can) &&
      h(
        "span",
        { class: "muted" },
        bot
          ? text("bot.plays", { level: bot })
          : taken
            ? [icon("check"), h("span", { class: "vh" }, text("seat.taken"))]
            : text("seat.free"),
      ),
  );
}

/** What says that a game would be played on numbered places, and the way to type the map. */
const numbered = (can) =>
  h(
    "p",
    { class: "line", id: "numbered" },
    text("lobby.numbered"),
    can && h("a", { class: "button", href: "/map" }, text("host.map")),
  );

function ready(picture) {
  const { ready: isReady, wrong_seat: wrong } = picture.lobby;
  if (wrong?.code === "seat_of_person") return message(wrong);
  return text(vacancy(picture) ?? (isReady ? "lobby.ready" : "lobby.field"));
}
