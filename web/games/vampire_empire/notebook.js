/** The notebook of a player of Vampire Empire, where the table allows one: this seat's events, from its own part. Pure. */
import { nameOf, portrait, PROFESSIONS } from "./characters.js";
import { cardOf } from "../../core/reference.js";
import { h } from "../../core/dom.js";
import { text } from "../../core/i18n.js";

/** Describe a notebook. @param {EmpireView} view @param {EmpireOwn} own @param {string} seat */
export function notebook(view, own, seat) {
  const { revealed, castle, dead } = view;
  const gone = dead.map(({ character }) => character);
  const known = [...own.characters, ...own.cleared, ...revealed, ...gone];
  const open = Object.keys(PROFESSIONS).filter((name) => !known.includes(name));
  return h(
    "section#notebook.notes",
    { "aria-label": text("vampire_empire.notes") },
    h("h2", text("vampire_empire.notes")),
    h(
      "dl",
      line(
        "cleared",
        people(
          own.cleared.filter((name) => !gone.includes(name)),
          false,
        ),
      ),
      line(
        "city",
        people(
          revealed.filter((name) => !castle.includes(name)),
          true,
        ),
      ),
      seat === "human" && line("open", people(open, false)),
      line(
        "met",
        counted(own.met).map((words) => h("span.met", words)),
      ),
    ),
  );
}

/** Characters; `areFanged`: as vampires. @param {string[]} names @param {boolean} areFanged */
const people = (names, areFanged) =>
  names.map((name) => h("span.one", portrait(name, areFanged), nameOf(name)));

/** @param {string} name @param {VNode[]} words */
const line = (name, words) => [
  h("dt", text(`vampire_empire.notes.${name}`)),
  h(
    "dd",
    { "data-notes": name, class: words.length ? null : "muted" },
    words.length ? words : text("vampire_empire.notes.none"),
  ),
];

/** Cards by name, how many of each were seen and how many there are. @param {string[]} met */
function counted(met) {
  const seen = new Map();
  for (const id of met) seen.set(id, (seen.get(id) ?? 0) + 1);
  return [...seen].map(
    ([id, many]) => `${cardOf(id).name} ${many}/${Math.max(many, cardOf(id).copies ?? 1)}`,
  );
}
