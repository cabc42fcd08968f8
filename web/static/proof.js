/**
 * Checks a finished game by itself: from its record alone (`companion export`, one JSON object a line) every seal is
 * opened, and everything that the table told is worked out anew by the rules of its game (`proof_hunt.js`,
 * `proof_cards.js`). Nothing here comes from the table's own program; it shares only `sha256`.
 */
import { canonical, headAfter, need, same, Wrong } from "./claims.js";
import { Hands, HAND_COUNTS } from "./proof_cards.js";
import { Hunt, HUNT_COUNTS } from "./proof_hunt.js";
import { sha256 } from "./sha256.js";

const ZEROS = "0".repeat(64);
/** The games whose rules this knows: what works them out, and what is counted. */
const RULES = { vampireradar: [Hunt, HUNT_COUNTS], shisogari: [Hands, HAND_COUNTS] };

/** What is known so far, line by line. */
class Proof {
  constructor() {
    this.nights = [];
    this.game = null;
    this.count = {};
    this.told = [];
    this.closed = [];
    this.before = [];
    this.rules = null;
    this.last = null;
    this.key = null;
  }

  line(value) {
    if (value.new) this.begin(value);
    else if (value.rewound) this.rewind(value.rewound.to);
    else if (value.opened) this.open(value);
    else if (value.table) this.hear(value.table);
    else if (value.actions) this.act(value);
    else if (value.by_hand || value.resigned) this.happen(value);
    else need(false, value.sealed ? "proof.closed" : "proof.unreadable");
    for (const [index, event] of (value.public ?? []).entries()) this.told.push([value.positions[index], event]);
    if (value.table) this.told.push([value.position, value.table]);
    if (value.rewound) this.told.push([value.position, { event: "rewound", ...value.rewound }]);
  }

  begin(value) {
    need(this.rules === null, "proof.unreadable");
    const [Rules, counts] = RULES[value.new.game] ?? [];
    // Another game with a secret deal is checked by the program; of the rest, and of real cards, nothing is sealed.
    need(Rules, value.new.deal ? "proof.elsewhere" : "proof.nothing");
    need(value.new.options?.hands !== "cards" && value.new.options?.path !== "paper", "proof.nothing");
    this.count = Object.fromEntries(counts.map((name) => [name, 0]));
    Object.assign(this, { game: value.new.game, rules: new Rules(value.new), key: value.key, start: value });
    this.told.push([value.position, null]);
    this.rules.begin(value, this.count);
  }

  hear(event) {
    if (event.event === "night_sealed") this.closed.push(event);
  }

  rewind(to) {
    need(to < this.before.length, "proof.unreadable");
    this.rules = this.before[to];
    this.before.length = to;
  }

  act(value) {
    this.before.push(this.rules.copy());
    const path = this.rules.act(value, this.count);
    this.last = path && { ...value, path };
  }

  happen(value) {
    if (value.by_hand) this.before.push(this.rules.copy());
    this.rules.happen(value, this.count);
  }

  open({ opened, seal }) {
    const told = this.closed.shift();
    need(told?.seal === seal && sha256(opened) === seal, "proof.seal");
    const fixed = JSON.parse(opened);
    const prev = this.nights.at(-1);
    need(canonical(fixed) === opened, "proof.seal");
    need(fixed.game === this.key && fixed.prev === (prev?.seal ?? ZEROS) && fixed.number === this.nights.length + 1, "proof.chain");
    need(fixed.seat === told.seat && fixed.number === told.number && !this.nights.some(({ nonce }) => nonce === fixed.nonce), "proof.chain");
    need(this.last && same(fixed.actions, this.last.actions) && same(fixed.path, this.last.path), "proof.acted");
    this.nights.push({ number: fixed.number, seat: fixed.seat, actions: fixed.actions, path: fixed.path, nonce: fixed.nonce, line: opened, seal });
  }

  /** The heads by position, from the one before the game to the last. */
  heads() {
    let head = this.start.head;
    const heads = new Map([[this.start.position, head]]);
    this.told.sort(([a], [b]) => a - b).forEach(([position, event], index) => {
      need(position === this.start.position + index, "proof.gap");
      if (event) head = headAfter(head, event);
      heads.set(position, head);
    });
    return heads;
  }
}

/**
 * Prove a record. `kept`: {heads: {position: hex}, seals: {number: hex}} that somebody wrote down during the game.
 * Answers {game, nights, count, answers, head, kept, wrong, at}: `answers` in all, `kept` how many of the kept were found,
 * `wrong` a code of the languages or null, `at` the record's line (from 1; 0 for none).
 */
export function prove(record, kept = {}) {
  const proof = new Proof();
  const result = (wrong, line, more = {}) => ({
    game: proof.game, nights: proof.nights, count: proof.count, answers: Object.values(proof.count).reduce((a, b) => a + b, 0), kept: 0, head: null, wrong, at: line, ...more,
  });
  let number = 0;
  try {
    for (const text of record.split("\n")) {
      number += 1;
      if (text.trim()) proof.line(JSON.parse(text));
    }
    number = 0;
    need(proof.start, "proof.unreadable");
    need(proof.closed.length === 0, "proof.closed");
    const heads = proof.heads();
    // A head from before this game is of no use here; one from beyond its end says that the end is missing.
    const wanted = Object.entries(kept.heads ?? {}).filter(([position]) => Number(position) >= proof.start.position);
    need(wanted.every(([position]) => heads.has(Number(position))), "proof.gap");
    need(wanted.every(([position, head]) => heads.get(Number(position)) === head), "proof.kept");
    const seals = Object.entries(kept.seals ?? {});
    need(seals.every(([index, seal]) => proof.nights[index - 1]?.seal === seal), "proof.kept");
    return result(null, 0, { head: [...heads.values()].at(-1), kept: wanted.length + seals.length });
  } catch (error) {
    if (error instanceof Wrong) return result(error.message, number);
    if (error instanceof SyntaxError || error instanceof TypeError) return result("proof.unreadable", number);
    throw error;
  }
}

/** What anybody can type to check one night without this page: it prints the seal. */
export const byHand = ({ line }) => `printf '%s' '${line}' | sha256sum`;
