/**
 * The state of a game of Vampire Radar, on one page: everything that people need to continue without
 * a table, by its rules and on paper. Public facts alone. A screen shows it over its page after a
 * long time without its table; it can be saved as a file.
 */
import { timedFetch } from "../../../core/browser.js";
import { standing } from "../snapshot.js";
import { drawField } from "../drawing/board.js";
import { byRound, clueList } from "../hints/clues.js";
import { hearts } from "../drawing/hearts.js";
import { byId, h, render } from "../../../core/dom.js";
import { loadGameWords, loadWords, rich, seatChip, text } from "../../../core/i18n.js";

const GONE = 30_000;
const TOLD = [
  "night_fell",
  "vampire_placed",
  "radar_called",
  "shot_fired",
  "pawns_killed",
  "bat_eaten",
];

/**
 * Describe the handover; `why` is the code of the first message.
 * @param {{view: RadarView, to_move: string, answers: any[]}} facts @param {string} why
 */
export function handover({ view, to_move: mover, answers }, why) {
  const left = view.actions_left;
  return h(
    "main.handover",
    drawField(view, { title: text("field") }),
    h(
      "div",
      h("h1", text("handover")),
      h("p", text(why)),
      h(
        "p",
        h(
          "b",
          mover === "V"
            ? text("night.name", { n: view.night })
            : [seatChip(mover), " · ", rich("turn.actions", { n: left })],
        ),
      ),
      h(
        "ul",
        h("li", seatChip("V"), " ", hearts(view.hp, view.max_hp), ` ${view.hp}`),
        view.humans.map((seat) =>
          h(
            "li",
            seatChip(seat),
            " ",
            view.out.includes(seat) ? text("out") : `${text("bullets")} ${view.bullets[seat] ?? 0}`,
          ),
        ),
      ),
      h("p", text("handover.how")),
      h("h2", text("notes.answers")),
      clueList(byRound(answers), "clues"),
    ),
  );
}

/** Stores a handover while there is a table, and shows it after a long time without one. */
export class Handover {
  /** @type {any} */
  #snapshot = null;
  /** @type {any[]} */
  #answers = [];
  /** The position up to which `#answers` go, and the events since. */
  #position = 0;
  /** @type {any[]} */
  #since = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  /** @type {HTMLElement | null} */
  #place = null;

  /** Take an update of the public stream. @param {Update} update */
  async take({ snapshot, events }) {
    const before = this.#snapshot?.position;
    this.#snapshot = snapshot;
    const start = events.findLastIndex(({ event }) => event.event === "game_started");
    if (start >= 0) [this.#answers, this.#since] = [[], []];
    this.#since.push(...events.slice(start + 1));
    const isNews =
      before + events.length !== snapshot.position ||
      events.some(({ event }) => event.event === "rewound");
    if (isNews && snapshot.phase === "play") await this.#recall(snapshot.position);
  }

  /** Fetch the standing events that this page has missed. @param {number} position */
  async #recall(position) {
    // Without a connection nothing can be fetched; what was received is there.
    /** @type {RadarTold[] | null} */
    const answers = await timedFetch("/answers")
      .then((reply) => (reply.ok ? reply.json() : null))
      .catch(() => null);
    if (!answers || position < this.#position) return;
    this.#answers = answers.filter(({ position: at }) => at <= position);
    this.#position = position;
    this.#since = this.#since.filter(({ position: at }) => at > position);
  }

  /** The handover's content now; null while no hunt is played. */
  get facts() {
    const { phase, view, to_move } = this.#snapshot ?? {};
    if (phase !== "play" || !view?.tiles) return null;
    return {
      view,
      to_move,
      answers: [...this.#answers, ...standing(this.#since)].filter(({ event }) =>
        TOLD.includes(event.event),
      ),
    };
  }

  /** Take whether the table answers. @param {boolean} isUp */
  linked(isUp) {
    clearTimeout(this.#timer);
    if (isUp) this.#clear();
    else this.#timer = setTimeout(() => this.#lay(), GONE);
  }

  #clear() {
    this.#place?.remove();
    this.#place = null;
    byId("screen").hidden = false;
  }

  #lay() {
    const { facts } = this;
    if (!facts || this.#place) return;
    const place = Object.assign(document.createElement("div"), { id: "handover" });
    this.#place = place;
    document.body.append(place);
    byId("screen").hidden = true;
    render(place, [handover(facts, "handover.gone")]);
  }
}

/** Prepare a handover: its words and styles are loaded before they are needed. */
export async function startHandover() {
  await loadWords(null, "host");
  await loadGameWords("vampireradar", "paper");
  document.head.append(
    Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href: "/static/games/vampireradar/paper/handover.css",
    }),
  );
  return new Handover();
}
