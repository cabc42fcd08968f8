/**
 * The clue list: the disclosures of this game, the newest first, night by night. Public facts
 * alone.
 */
import { timedFetch } from "../../../core/browser.js";
import { h } from "../../../core/dom.js";
import { message, text } from "../../../core/i18n.js";

/** Fetch the list as it is at a position, without a delayed answer. @param {number} position */
export async function fetchClues(position) {
  /** @type {{json(): Promise<RadarTold[]>}} */
  const reply = await timedFetch("/answers");
  return byRound((await reply.json()).filter((entry) => entry.position <= position));
}

/**
 * Group public lines, oldest first, by the nights that part them: [{night, messages}], the newest first; night 0 is the time
 * before the first hunt. What a night brought stands with the day after it.
 * @param {any[]} entries
 */
export function byRound(entries) {
  /** @type {{night: number, messages: any[]}[]} */
  const rounds = [{ night: 0, messages: [] }];
  let nights = 0;
  for (const { event, message: words } of entries) {
    // The first night is the hiding, people begin to count with the first hunt; the table's numbers go on where a night was taken back.
    if (event.event === "night_fell") rounds.unshift({ night: nights++, messages: [] });
    else rounds[0].messages.unshift(words);
  }
  return rounds.filter(({ night, messages }) => night > 0 || messages.length);
}

/** The list, with one more class. @param {RadarRound[]} rounds @param {string} [className] */
export function clueList(rounds, className = "why") {
  return h(
    "ol#clues",
    { class: className, "aria-label": text("clues"), tabindex: 0 },
    rounds.length
      ? rounds
          .map(({ night, messages }) => [
            night > 0 && h("li.muted", text("night.name", { n: night })),
            messages.map((each) => h("li", message(each))),
          ])
          .flat(2)
      : h("li.muted", text("answer.none")),
  );
}
