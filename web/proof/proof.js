/**
 * Checks a finished game by itself: from its record alone (`companion export`, one JSON object a
 * line) it opens every seal, and computes all published events again by the rules of the game
 * (`games/NAME/proof.js`). It shares no code with the table's own program.
 */
import { canonical, headAfter, assert, same, ProofError } from "./assert.js";
import { PROOFS } from "../games/proofs.js";
import { sha256 } from "./sha256.js";
import { Shuffle } from "./shuffle.js";
import { TABLE_EVENTS } from "./table_events.js";

const ZEROS = "0".repeat(64);
/** Options with which people keep all secrets themselves, on cards or on paper. */
const KEPT_ASIDE = { hands: "cards", factions: "cards", path: "paper" };
/** The format of the records that this reads; the first line names it. */
const FORMAT = 1;
/** The lines with a game's events, which its rules compute again. */
const COMPUTED = ["new", "actions", "by_hand", "switched_to_paper", "resigned"];
/** Every line is of one kind: it has exactly one of these names. */
const KINDS = [...COMPUTED, "rewound", "opened", "table"];

/** The state of the check so far, line by line. */
class Proof {
  constructor() {
    /** @type {any} */
    this.start = null;
    /** @type {ProvedNight[]} */
    this.nights = [];
    this.deal = null;
    this.seed = null;
    this.shuffle = null;
    /** @type {any} */
    this.game = null;
    this.count = {};
    /** @type {[number, GameEvent | null][]} */
    this.log = [];
    /** @type {any[]} */
    this.closed = [];
    /** @type {any[]} */
    this.before = [];
    /** The position of the last event of the game or undo. */
    this.at = -1;
    this.rules = null;
    /** @type {any} A secret turn that has acted, until its line is opened. */
    this.due = null;
    /** @type {string?} */
    this.key = null;
    /** @type {any} */
    this.typed = null;
  }

  /** @param {RecordLine} value */
  line(value) {
    assert(value.format === undefined || value.format === FORMAT, "proof.newer");
    const [kind, ...others] = KINDS.filter((name) => name in value);
    assert(kind || value.sealed === undefined, "proof.closed");
    const events = value.public ?? [];
    assert(
      kind && !others.length && (COMPUTED.includes(kind) || !events.length),
      "proof.unreadable",
    );
    if (kind === "opened") return this.open(value);
    if (kind === "table") return this.hear(value);
    assert(!this.due, "proof.closed");
    // Lines in another order than their events would hide an answer from before its seal.
    for (const at of kind === "rewound" ? [value.position] : value.positions) {
      assert(at > this.at, "proof.gap");
      this.at = at;
    }
    if (kind === "new") this.begin(value);
    else if (kind === "rewound") this.rewind(value);
    else if (kind === "actions") this.act(value);
    else this.happen(value);
    for (const [index, event] of events.entries()) this.log.push([value.positions[index], event]);
    return null;
  }

  /** @param {RecordLine} value */
  begin(value) {
    assert(this.rules === null, "proof.unreadable");
    const { Rules, counts } = PROOFS[value.new.game] ?? {};
    assert(
      Rules &&
        !Object.entries(KEPT_ASIDE).some(([name, aside]) => value.new.options?.[name] === aside),
      "proof.nothing",
    );
    this.count = Object.fromEntries(counts.map((name) => [name, 0]));
    Object.assign(this, {
      game: value.new.game,
      rules: new Rules(value.new),
      key: value.key,
      start: value,
    });
    this.log.push([value.position, null]);
    this.rules.begin(value, this.count);
  }

  /** Take an event of the table itself, and none of a game. @param {RecordLine} value */
  hear({ table: event, position }) {
    assert(TABLE_EVENTS.has(event.event), "proof.unreadable");
    this.log.push([position, event]);
    if (["shuffle_sealed", "deal_sealed", "night_sealed"].includes(event.event))
      this.closed.push({ ...event, position });
    if (event.event === "paper_path_entered") this.typed = event.pages;
    return null;
  }

  /** @param {RecordLine} value */
  rewind({ rewound, position }) {
    const { to, steps, by } = rewound;
    assert(Number.isInteger(to) && to in this.before, "proof.unreadable");
    assert(same(rewound, { by, steps: this.before.length - to, to }), "proof.unreadable");
    this.rules = this.before[to];
    this.before.length = to;
    this.log.push([position, { event: "rewound", by, steps, to }]);
  }

  /** @param {RecordLine} value */
  act(value) {
    assert([undefined, "night_sealed"].includes(this.closed[0]?.event), "proof.closed");
    // An undone draw's number is not used again.
    if (this.shuffle && value.chance !== undefined)
      assert(value.chance === this.shuffle.draw(), "proof.drawn");
    this.before.push(this.rules.copy());
    const { when } = this.rules;
    const path = this.rules.act(value, this.count);
    this.due = path && { ...value, path, when };
    assert(!path || this.isSealed(value), "proof.unsealed");
  }

  /**
   * Whether the only seal still to be opened is this seat's, from before the turn's events.
   * @param {RecordLine} value
   */
  isSealed({ seat, positions }) {
    const [sealed, ...others] = this.closed;
    return (
      sealed?.event === "night_sealed" &&
      sealed.seat === seat &&
      sealed.position < Math.min(...positions) &&
      !others.length
    );
  }

  /** @param {RecordLine} value */
  happen(value) {
    if (value.by_hand || value.switched_to_paper) this.before.push(this.rules.copy());
    this.rules.happen(value, this.count);
  }

  /** @param {RecordLine} value */
  open({ opened, seal }) {
    const closed = this.closed.shift();
    assert(closed?.seal === seal && sha256(opened) === seal, "proof.seal");
    const fixed = JSON.parse(opened);
    assert(canonical(fixed) === opened, "proof.seal");
    if (closed.event === "shuffle_sealed") return this.openSeed(closed, opened);
    if (closed.event === "deal_sealed") return this.openDeal(fixed, opened, seal);
    const prev = this.nights.at(-1);
    assert(
      fixed.game === this.key &&
        fixed.prev === (prev?.seal ?? ZEROS) &&
        fixed.number === this.nights.length + 1,
      "proof.chain",
    );
    assert(
      fixed.seat === closed.seat &&
        fixed.number === closed.number &&
        !this.nights.some(({ nonce }) => nonce === fixed.nonce),
      "proof.chain",
    );
    const { due } = this;
    assert(due && same(fixed.actions, due.actions) && same(fixed.path, due.path), "proof.acted");
    this.nights.push({
      number: fixed.number,
      seat: fixed.seat,
      actions: fixed.actions,
      path: fixed.path,
      when: due.when,
      nonce: fixed.nonce,
      line: opened,
      seal,
    });
    this.due = null;
    return null;
  }

  /**
   * Check that the deal and all draws follow from the seed and the phones' shares.
   * @param {{seal: string, shares: Record<string, string>, custom_setup?: string[]}} parts
   * @param {string} line
   */
  openSeed({ seal, shares, custom_setup: customSetup = [] }, line) {
    const { game, players } = this.start.new;
    const seats =
      PROOFS[game].seats ?? Array.from({ length: players }, (_, index) => `P${index + 1}`);
    assert(
      this.shuffle === null &&
        !this.before.length &&
        Object.keys(shares).every((seat) => seats.includes(seat)),
      "proof.chain",
    );
    this.shuffle = new Shuffle(line, shares);
    this.seed = { line, seal, shares, customSetup };
    const drawn = this.shuffle.draw();
    assert(this.rules.isDealtFrom(drawn, customSetup), "proof.drawn");
  }

  /**
   * Check that the deal and the rest of the start are those of the line from before the first
   * turn.
   * @param {RecordLine} recordLine @param {string} line @param {string} seal
   */
  openDeal({ game, kind, deal, rest }, line, seal) {
    const { game: _, players, deal: dealt, ...more } = this.start.new;
    assert(this.deal === null && game === this.key && kind === "deal", "proof.chain");
    assert(same(deal, dealt) && rest === sha256(canonical(more)), "proof.deal");
    this.deal = { line, seal };
  }

  /**
   * The path on paper after the sealed nights: {from, pages, when}, `pages` null if nobody typed
   * them, `when` the time of each page that is not a night; null without paper.
   */
  paper() {
    if (!this.rules.paper) return null;
    const when = this.typed && PROOFS[this.game].retrace(this.rules, this.typed, this.count);
    return { from: this.rules.from, pages: this.typed, when };
  }

  /** The heads by position, from the one before the game to the last. */
  heads() {
    let head = this.start.head;
    const heads = new Map([[this.start.position, head]]);
    this.log
      .sort(([a], [b]) => a - b)
      .forEach(([position, event], index) => {
        assert(position === this.start.position + index, "proof.gap");
        if (event) head = headAfter(head, event);
        heads.set(position, head);
      });
    return heads;
  }
}

/**
 * Prove a record. `kept`: {heads: {position: hex}, seals: {number: hex}} from somebody's notes
 * during the game, and `share`: {seal, share} of a phone that added to the shuffle. Returns {game,
 * isDealt, isShuffled, deal, seed, nights, paper, count, answers, head, kept, wrong, at}: `seed`
 * {line, seal, shares, customSetup} of the shuffle or null, `paper` the nights on paper after the sealed
 * ones, `isDealt` whether only the deal is sealed in such a game, `isShuffled` whether it draws
 * from a shuffle to which phones add, `deal` the line and seal of the deal or null, `answers` in
 * all, `kept` how many of the kept were found, `wrong` a code of the languages or null, `at` the
 * record's line (from 1; 0 for none). 0 is the number of the deal's seal.
 * @param {string} record @param {Kept} [kept]
 */
export function prove(record, kept = {}) {
  const proof = new Proof();
  /** @param {string | null} wrong @param {number} line @param {Partial<ProofResult>} [more] */
  const result = (wrong, line, more = {}) => ({
    game: proof.game,
    isDealt: Boolean(PROOFS[proof.game]?.isDealt),
    isShuffled: Boolean(PROOFS[proof.game]?.isShuffled),
    deal: proof.deal,
    seed: proof.seed,
    nights: proof.nights,
    /** @type {any} */
    paper: null,
    count: proof.count,
    answers: Object.values(proof.count).reduce((a, b) => a + b, 0),
    kept: 0,
    head: null,
    wrong,
    at: line,
    ...more,
  });
  let number = 0;
  try {
    for (const text of record.split("\n")) {
      number += 1;
      if (text.trim()) proof.line(JSON.parse(text));
    }
    number = 0;
    assert(proof.start, "proof.unreadable");
    assert(proof.closed.length === 0 && !proof.due, "proof.closed");
    assert(proof.deal || !PROOFS[proof.game].isDealt, "proof.elsewhere");
    const paper = proof.paper();
    const heads = proof.heads();
    // A head from before this game is not used here; one from beyond its end shows that the end is
    // missing.
    const storedHeads = Object.entries(kept.heads ?? {}).filter(
      ([position]) => Number(position) >= proof.start.position,
    );
    assert(
      storedHeads.every(([position]) => heads.has(Number(position))),
      "proof.gap",
    );
    assert(
      storedHeads.every(([position, head]) => heads.get(Number(position)) === head),
      "proof.kept",
    );
    // Seals and a share of another game say nothing about this one; notes on paper name no game.
    const isThisGame =
      !("start" in kept) ||
      proof.log.some(
        ([position, event]) =>
          event?.event === "game_started" &&
          position === kept.start?.position &&
          event.key === kept.start.key,
      );
    const seals = isThisGame ? Object.entries(kept.seals ?? {}) : [];
    assert(
      seals.every(
        ([index, seal]) =>
          (Number(index) ? proof.nights[Number(index) - 1] : proof.deal)?.seal === seal,
      ),
      "proof.kept",
    );
    const share = isThisGame && PROOFS[proof.game].isShuffled ? kept.share : null;
    assert(
      !share ||
        (share.seal === proof.seed?.seal &&
          Object.values(proof.seed?.shares ?? {}).includes(share.share)),
      "proof.share",
    );
    return result(null, 0, {
      paper,
      head: [...heads.values()].at(-1),
      kept: storedHeads.length + seals.length + (share ? 1 : 0),
    });
  } catch (error) {
    // A crafted record may throw anything, such as a RangeError where it nests too deep.
    return result(error instanceof ProofError ? error.message : "proof.unreadable", number);
  }
}

/** The command that prints the seal of a line without this page. @param {{line: string}} parts */
export const byHand = ({ line }) => `printf '%s' '${line.replaceAll("'", "'\\''")}' | sha256sum`;
