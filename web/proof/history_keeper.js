/**
 * A phone's own copy of the public history's hashes, so that a later change is detected: the head
 * of every turn, and each complete seal, the deal's as number 0. The head is computed here, event
 * by event, and compared with the table's. It also stores the phone's share of the shuffle, with
 * its seal.
 */
import { store, readStored, timedFetch } from "../core/browser.js";
import { headAfter } from "./assert.js";

const NAME = "kept-history";
const SHARE_BYTES = 16;
const SEALS = ["deal_sealed", "night_sealed"];
/**
 * The events after which the head is stored: a game publishes that turns end, or that they begin.
 */
const HEADS = [...SEALS, "turn_ended", "turn_started"];

/** @param {Place} [place] */
function load(place) {
  try {
    return JSON.parse(readStored(NAME, place) ?? "null") ?? {};
  } catch {
    // The entry is not ours.
    return {};
  }
}

/**
 * The stored hashes for `prove`, none if they are of another table than `table`; `start` is the
 * position and the key of the game whose seals and share they are, null if that is unknown.
 * @param {{place?: Place, table?: string | null}} keptOptions @returns {Kept}
 */
export function kept({ place, table = null } = {}) {
  const state = load(place);
  if (table !== null && state.table !== table) return { start: null };
  const { heads = {}, seals = {}, start = null, given } = state;
  const share = given?.isTaken ? { seal: given.seal, share: given.share } : null;
  return { heads, seals, start, share };
}

/**
 * Whether the snapshot shows that the game which began at `start` is no longer played.
 * @param {Snapshot} snapshot @param {{position: number, key: string} | undefined} start
 */
const isOtherGame = (snapshot, start) =>
  snapshot.phase === "lobby" ||
  (start !== undefined &&
    (snapshot.position < start.position || (startIn(snapshot)?.key ?? start.key) !== start.key));

/** The start of the game, if the snapshot still has it. @param {Snapshot} snapshot */
function startIn({ phase, log = [] }) {
  const started = log.findLast(({ event }) => event.event === "game_started");
  return started && phase !== "lobby"
    ? { position: started.position, key: started.event.key }
    : undefined;
}

const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");

/** The table's answer; null without a connection. @param {Promise<any>} answer */
const linked = (answer) =>
  answer.catch((error) => {
    if (error.code === undefined) throw error;
    return null;
  });

/** Fetch the public events after a position; rejects if that fails. @param {number} after */
export async function history(after) {
  const reply = await timedFetch(`/history?after=${after}`);
  if (!reply.ok) throw new Error(`history: ${reply.status}`);
  return reply.json();
}

export class HistoryKeeper {
  #place;
  #state;
  #history;
  #differs;
  #give;
  #busy = Promise.resolve();

  /**
   * `history(after)` returns the public events after a position, `differs({position, head})`
   * reports to the table that its head there is not this phone's, `give({seal, share})` sends this
   * phone's share of the shuffle and returns the reply; `table` is the table's key: another table
   * is another history.
   * @param {KeeperParts} keeperParts
   */
  constructor({ table, history, differs, give = async (_share) => ({ ok: false }), place }) {
    Object.assign(this, { table });
    this.#place = place;
    this.#history = history;
    this.#differs = differs;
    this.#give = give;
    const state = load(place);
    this.#state = state.table === table ? state : { table, heads: {}, seals: {} };
  }

  /**
   * Process an update of the stream, one after another. After a failure the next one fetches all
   * events since.
   * @param {Update} update
   */
  take(update) {
    const taken = this.#busy
      .then(() => this.#take(update))
      .then(() => this.#share(update.snapshot));
    this.#busy = taken.catch(() => {});
    return taken;
  }

  /** @param {{snapshot: Snapshot, events: any}} update */
  async #take({ snapshot, events }) {
    const state = this.#state;
    if (state.head === undefined) return this.#begin(snapshot);
    if (snapshot.position < state.position) return this.#tell(snapshot);
    if (
      events[0]?.position > state.position + 1 ||
      (!events.length && snapshot.position > state.position)
    ) {
      events = await this.#history(state.position).catch(() => null);
      // Without a link the next update tries again.
      if (!events) return;
      // Asleep too long: the stored heads still count at the end, and a new chain begins here.
      if (!events.length) return this.#tell(snapshot);
    }
    for (const { position, event } of events) this.#hear(position, event);
    if (state.position === snapshot.position && state.head !== snapshot.head)
      return this.#tell(snapshot);
    return this.#store();
  }

  /** @param {number} position @param {GameEvent} event */
  #hear(position, event) {
    const state = this.#state;
    if (position !== state.position + 1) return;
    Object.assign(state, { position, head: headAfter(state.head, event) });
    if (event.event === "game_started")
      Object.assign(state, {
        heads: {},
        seals: {},
        start: { position, key: event.key },
        given: state.given?.isUsed ? null : state.given,
        isLost: false,
      });
    if (event.event === "shuffle_sealed" && state.given) state.given.isUsed = true;
    if (SEALS.includes(event.event)) state.seals[event.number ?? 0] = event.seal;
    if (HEADS.includes(event.event)) state.heads[position] = state.head;
  }

  /** @param {Snapshot} snapshot */
  #begin(snapshot) {
    const { position, head, seal } = snapshot;
    Object.assign(this.#state, { position, head, start: startIn(snapshot) ?? this.#state.start });
    this.#state.heads[position] = head;
    if (seal) this.#state.seals[seal.number] = seal.seal;
    this.#store();
  }

  /**
   * Report once that the table's history differs from this phone's, and continue from the table's.
   * @param {Snapshot} snapshot
   */
  async #tell(snapshot) {
    const answer = await linked(
      this.#differs({ position: this.#state.position, head: this.#state.head }),
    );
    if (answer === null) return;
    if (isOtherGame(snapshot, this.#state.start))
      Object.assign(this.#state, { heads: {}, seals: {}, start: undefined });
    // Seeds sealed during the gap are unknown: trust none until a game has begun.
    Object.assign(this.#state, { given: null, isLost: snapshot.phase === "lobby" });
    this.#begin(snapshot);
  }

  /**
   * Add a share to the next game's shuffle when its seed is sealed: once before each game, even if
   * another seed is sealed, so that a table cannot try several seeds. An unsent share is sent again
   * with the next update.
   * @param {Snapshot} snapshot
   */
  async #share({ phase, lobby }) {
    const [state, seal] = [this.#state, lobby?.seed];
    if (phase !== "lobby" || !seal || state.isLost) return;
    // Another page of this browser, which is the same phone, may have been quicker.
    const known = load(this.#place);
    if (known.table === state.table && known.given?.seal === seal) state.given = known.given;
    if (!state.given || (state.given.isUsed && state.given.seal !== seal))
      state.given = { seal, share: randomHex() };
    const { given } = state;
    if (given.seal !== seal || given.isTaken || given.isRefused) return;
    this.#store();
    const reply = await linked(this.#give({ seal, share: given.share }));
    if (reply === null) return;
    Object.assign(
      given,
      reply.ok ? { isTaken: true } : { isRefused: reply.code === "share_given" },
    );
    this.#store();
  }

  #store() {
    store(NAME, JSON.stringify(this.#state), this.#place);
  }
}
