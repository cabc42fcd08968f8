/** What the proofs of games with a secret path share: it is sealed turn by turn, or typed from paper. */
import { assert, ProofError } from "./assert.js";

/**
 * The table's state from the public events, with the hidden piece's place from its actions. `paper`
 * has all public events since the path is on paper, null before; they are checked once the path is
 * typed. `from` is the number of its first turn there.
 *
 * A game has `hear(event, count)`, which takes a public event; `walk(actions)`, which repeats a
 * secret turn and returns its sealed path; `hasAnswered()`: whether its public events told it all.
 */
export class SecretPath {
  /** @type {any} */
  place = null;
  /** @type {string | null} */
  mover = null;
  /** @type {any} */
  paper = null;
  from = 0;

  /** @param {string} seat the one with the path, which has the first turn */
  constructor(seat) {
    this.seat = seat;
  }

  /** @param {any} _event @param {Record<string, number>} _count */
  hear(_event, _count) {}

  /** @param {any[]} _actions @returns {string[]} */
  walk(_actions) {
    return [];
  }

  hasAnswered() {
    return true;
  }

  /** @param {RecordLine} recordLine @param {Record<string, number>} count */
  begin({ public: events }, count) {
    for (const event of events) this.hear(event, count);
  }

  /**
   * Process a submission; return the sealed path of a secret turn, null without a seal.
   * @param {RecordedTurn} recordedTurn @param {Record<string, number>} count
   */
  act({ seat, actions, public: events }, count) {
    const isSealed = !this.paper;
    // A secret turn under another seat's name would need no seal.
    if (isSealed) assert(seat === (this.mover ?? this.seat), "proof.path");
    const path = isSealed && seat === this.seat ? this.walk(actions) : null;
    this.happen({ public: events }, count);
    if (isSealed) assert(this.hasAnswered(), "proof.answer");
    return path;
  }

  /**
   * Process public events alone; from the path on paper they are kept for the end.
   * @param {RecordLine} recordLine @param {Record<string, number>} count
   */
  happen({ public: events }, count) {
    if (this.paper) this.paper.push(...events);
    else for (const event of events) this.hear(event, count);
  }
}

/**
 * Call `hear`, during which a failed check is an error of the paper.
 * @param {() => void} hear
 */
export function onPaper(hear) {
  try {
    hear();
  } catch (error) {
    assert(!(error instanceof ProofError), "proof.paper");
    throw error;
  }
}
