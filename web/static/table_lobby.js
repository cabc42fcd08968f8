/** The table display before a game: who sits where. A pure description. */
import { button, deviceButtons } from "./choices.js";
import { icon } from "./icons.js";
import { hasBots } from "./bots.js";
import { humansFirst } from "./names.js";
import { canStart, isNumbered, isOnPaper, isVampireSeated } from "./picture.js";
import { el } from "./tree.js";
import { said, seatChip, text } from "./words.js";

/** Describe the lobby: the way in on the left, the seats or the games on the right. `table`: {picture, ui, can, join, notice}. */
export function lobbyScreen(table) {
  const { can, join, ui } = table;
  return el("main", { class: "lobby" },
    el("section", { class: join?.fingerprint ? "card tls" : "card", "aria-label": text("join") },
      el("img", { id: "qr", src: join?.image ?? null, alt: text("join.scan") }),
      el("p", {}, text("join.scan")),
      join?.code && el("p", { class: "code", id: "code", translate: "no", "aria-label": text("join.code", { code: join.code }) }, join.code),
      join?.address && (join.ways > 1 ? button("way", join.address, { translate: "no", class: "address" }) : el("small", { translate: "no" }, join.address)),
      join?.fingerprint && el("small", {}, text("certificate")),
      join?.fingerprint && el("small", { id: "fingerprint", translate: "no" }, join.fingerprint)),
    el("section", { class: "column" }, can && ui.screen === "games" ? games(table) : seats(table)));
}

function games({ picture }) {
  return [el("h1", {}, text("game")),
    el("div", { class: "games" }, Object.entries(picture.lobby.games).map(([game, players]) =>
      button(`game-${game}`, [el("span", {}, text(`game.${game}`)), el("span", { class: "muted" }, text("players"), " ", [...new Set([players[0], players.at(-1)])].join("–"))],
        { "aria-pressed": String(picture.game === game) }))),
    el("div", { class: "row push" }, button("seats", text("back")), deviceButtons())];
}

function seats({ picture, can, looksOn, notice, ui }) {
  return [el("div", { class: "line" }, el("h1", {}, text(`game.${picture.game}`)), can && Object.keys(picture.lobby.games).length > 1 && button("games", text("games"))),
    el("ul", { class: "seats" }, [...picture.seats].sort(humansFirst).map((each) => (each.seat === "V" && !each.taken && isOnPaper(picture) ? paperSeat(can) : seat(each, can && hasBots(picture), can && each.seat === "V" && !each.taken)))),
    isNumbered(picture) && numbered(can),
    el("p", { class: "muted", id: "notice" }, notice ?? looksOn ? said(notice ?? looksOn) : text(ready(picture))),
    can && picture.lobby.games[picture.game].length > 1 && el("div", { class: "row push", role: "group", "aria-label": text("players") }, picture.lobby.games[picture.game].map((n) =>
      button(`players-${n}`, text("players.n", { n }), { "aria-pressed": String(picture.lobby.players === n) }))),
    el("div", { class: "row" },
      can && "field" in picture.lobby && button("field", text("field")),
      picture.game === "shisogari" && button("ghost", text("ghost")),
      can && Object.keys(picture.lobby.choices ?? {}).map((what) => button(`choose-${what}`, text(`choice.${what}`))),
      can && button("start", text("start"), { class: "prime", "aria-disabled": canStart(picture) && !lacksHands(picture) ? null : "true" }),
      deviceButtons(),
      button("sound", icon(ui.sound ? "sound" : "mute"), { class: "narrow", "aria-label": text("sound"), "aria-pressed": String(ui.sound) }))];
}

/** The vampire's seat while it is to be played on paper: nobody needs to sit there with a phone. */
const paperSeat = (can) => el("li", { class: "taken", "data-seat": "V" }, seatChip("V"), can ? paperButton(true) : el("span", { class: "muted" }, text("paper")));
const paperButton = (isOn) => button("paper", text("paper"), { class: "narrow", "aria-label": text("paper.seat"), "aria-pressed": String(isOn) });

function seat({ seat: name, taken, bot }, can, canWrite) {
  return el("li", { class: taken ? "taken" : null, "data-seat": name }, seatChip(name),
    canWrite && paperButton(false),
    can && (bot || !taken) && button(`give-${name}`, text(bot ? "bot.plays" : "bot", { level: bot }), { class: "narrow", "aria-label": `${text("bot.give", { seat: name })}${bot ? `, ${text("bot.plays", { level: bot })}` : ""}` }),
    !(bot && can) && el("span", { class: "muted" }, bot ? text("bot.plays", { level: bot }) : taken ? [icon("check"), el("span", { class: "vh" }, text("seat.taken"))] : text("seat.free")));
}

/** What says that a game would be played on numbered places, and the way to type the map. */
const numbered = (can) => el("p", { class: "line", id: "numbered" }, text("lobby.numbered"), can && el("a", { class: "button", href: "/map" }, text("host.map")));

/** Whether a seat is free in a game in which every seat holds a hand of its own. */
const lacksHands = ({ game, lobby: { options }, seats }) => (game === "vampire_empire" || (game === "shisogari" && options.hands !== "cards") || (game === "vwars" && options.factions !== "cards")) && seats.some(({ taken }) => !taken);

function ready(picture) {
  const { lobby, seats } = picture;
  if (lacksHands(picture)) return "lobby.hands";
  if (!isVampireSeated(picture)) return "lobby.vampire";
  return lobby.ready ? "lobby.ready" : "lobby.field";
}
