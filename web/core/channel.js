// A seat's end of the private channel: every message is encrypted for the table (crypto_box), every
// message of one kind has one size. companion/server/rpc/channel.py describes the layout.

import { nacl } from "./vendor/nacl-box.min.js";
import { fromBase64, post, store, readStored, timedFetch, TIMEOUT_MS } from "./browser.js";

const VERSION = 1;
const [TO_TABLE, TO_PHONE] = [1, 2];
const [KEY_BYTES, NONCE_BYTES] = [32, 24];
const [REQUEST_PLAIN, REPLY_PLAIN] = [1024, 8192];
const PENDING_MS = 300;
/** Earlier keys of the table, which a code on paper or in a photo may still contain. */
const FORMER = 4;

/** @param {Uint8Array} bytes */
export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export const fromHex = (hex) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** An error between phone and table: code "not_sent" (no answer) or "unopened" (not our table). */
export class ChannelError extends Error {
  /**
   * @param {string} code
   * @param {ErrorOptions} [options] its cause is the network's error, if there is one
   */
  constructor(code, options) {
    super(code, options);
    this.code = code;
  }
}

/**
 * The plaintext of a value: direction, length, JSON, zeros up to `size`; throws RangeError when it is too long.
 * @param {number} direction @param {any} value @param {number} size
 */
export function pad(direction, value, size) {
  const body = new TextEncoder().encode(JSON.stringify(value));
  if (body.length > size - 3) throw new RangeError("too long for one message");
  const plain = new Uint8Array(size);
  plain.set([direction, body.length >> 8, body.length & 255]);
  plain.set(body, 3);
  return plain;
}

/**
 * The value in a plaintext, or null for another direction, size or padding.
 * @param {number} direction @param {Uint8Array | null | undefined} plain @param {number} size
 * @returns {any}
 */
export function unpad(direction, plain, size) {
  if (plain?.length !== size || plain[0] !== direction) return null;
  const end = 3 + plain[1] * 256 + plain[2];
  if (end > size || plain.subarray(end).some((byte) => byte !== 0)) return null;
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain.subarray(3, end)));
}

/** The name of `storage` here: each pane of the demo is a phone. @param {string} storage */
const storageName = (storage) =>
  self.parent !== self && self.name ? `${storage}@${self.name}` : storage;

// Without storage the seat lasts as long as the page.
/** @param {string} name @param {Place} [place] */
function read(name, place) {
  try {
    return JSON.parse(readStored(name, place) ?? "null");
  } catch {
    return null;
  }
}

export class Channel {
  #pair;
  #shared;
  /**
   * The channel key for answers to requests from before the table's present key.
   * @type {Uint8Array | null}
   */
  #former = null;
  /** @type {any} */
  #entry;

  /**
   * Schedules messages: `schedule(send)` returns the result of `send`. At once, unless cover
   * traffic runs.
   * @type {(send: () => any) => any}
   */
  schedule = (send) => send();

  /**
   * Takes a secret turn that the table has not stored yet: a call sends it again. Cover traffic does.
   * @type {((send: () => Promise<any>) => void) | undefined}
   */
  hold;

  /** The position of the newest public snapshot here, the `expect` of a submission. @type {any} */
  position = null;

  /** The channel of this browser's seat, else that of its display; null when it has neither. */
  static async openKept() {
    return (
      (await Channel.open({ storage: "seat-key" })) ??
      (await Channel.open({ storage: "display-key" }))
    );
  }

  /**
   * The channel of this browser, with the key pair kept under `storage` ("seat-key",
   * "display-key"). Without `server_key_b64url` the kept table's key is used; null without a valid
   * one. The data of one table is replaced only after another table has answered.
   * @param {{server_key_b64url?: string|null, storage?: string, place?: Place}} options
   * @returns {Promise<Channel|null>}
   */
  static async open({ server_key_b64url = null, storage = "seat-key", place = undefined } = {}) {
    const name = storageName(storage);
    const stored = read(name, place);
    const isOurs = !server_key_b64url || stored?.former?.includes(server_key_b64url);
    const serverText = isOurs ? stored?.server : server_key_b64url;
    if (!/^[\w-]{43}$/.test(serverText ?? "")) return null;
    const server = fromBase64(serverText);
    // With a key of zeros tweetnacl computes a shared "secret" that everybody can calculate.
    if (server.every((byte) => byte === 0)) return null;
    // Another table under this address does not get this table's seat key.
    const mine =
      stored?.server === serverText
        ? stored
        : { secret: toHex(nacl.box.keyPair().secretKey), server: serverText };
    const channel = new Channel(server, nacl.box.keyPair.fromSecretKey(fromHex(mine.secret)), {
      ...mine,
      place,
      name,
      isStored: mine === stored,
    });
    if (!stored) channel.#store();
    return channel;
  }

  /**
   * The channel of a phone without a key of the table, by the public `admission` key: it sends the
   * letters of the join code, and the answer to the right ones has the table's key.
   * @param {string} admission
   */
  static forGuest(admission) {
    return new Channel(fromBase64(admission), nacl.box.keyPair());
  }

  /**
   * The same phone's channel by the table's key, stored under `storage` after the table's first
   * answer to it.
   * @param {string} server @param {{storage?: string, place?: Place}} options
   */
  withTableKey(server, { storage = "seat-key", place = undefined } = {}) {
    return new Channel(fromBase64(server), this.#pair, {
      secret: toHex(this.#pair.secretKey),
      server,
      place,
      name: storageName(storage),
      isStored: false,
    });
  }

  /** Delete the key pair under `storage`. */
  static forget(storage = "seat-key", place = undefined) {
    store(storageName(storage), null, place);
  }

  /** @param {Uint8Array} server @param {any} pair @param {any} stored */
  constructor(server, pair, stored = { isStored: true }) {
    this.#entry = { former: [], ...stored };
    this.#pair = pair;
    this.#shared = nacl.box.before(server, pair.secretKey);
  }

  #store() {
    const { place, name, server, former, table } = this.#entry;
    this.#entry.isStored = true;
    const secret = toHex(this.#pair.secretKey);
    store(name, JSON.stringify({ secret, server, former, table }), place);
  }

  // The table has a key for each game, and sends the next one under the last.
  /** @param {string} server */
  #renew(server) {
    const { server: last, former, table = last } = this.#entry;
    if (server === last) return;
    this.#former = this.#shared;
    this.#shared = nacl.box.before(fromBase64(server), this.#pair.secretKey);
    Object.assign(this.#entry, { server, table, former: [...former, last].slice(-FORMER) });
    this.#store();
  }

  /** Whether another page of this browser got a newer key of the table; use it from now on. */
  isRenewed() {
    const { place, name, server } = this.#entry;
    const stored = read(name, place);
    if (stored?.secret !== toHex(this.#pair.secretKey) || stored.server === server) return false;
    this.#renew(stored.server);
    return true;
  }

  /** Whether another page of this browser would find the key pair. */
  get isKept() {
    const { place, name } = this.#entry;
    return read(name, place)?.secret === toHex(this.#pair.secretKey);
  }

  /** This phone's public key, which is its seat, as hex. */
  get publicKeyHex() {
    return toHex(this.#pair.publicKey);
  }

  /** The identity of the table in this browser, for all games: its first key, as hex. */
  get tableHex() {
    return toHex(fromBase64(this.#entry.table ?? this.#entry.server));
  }

  /**
   * Encrypt a request; return the message and the nonce (hex) that its reply must have.
   * @param {object} request
   */
  seal(request) {
    const nonce = nacl.randomBytes(NONCE_BYTES);
    const boxed = nacl.box.after(pad(TO_TABLE, request, REQUEST_PLAIN), nonce, this.#shared);
    const message = new Uint8Array(1 + KEY_BYTES + NONCE_BYTES + boxed.length);
    message.set([VERSION]);
    message.set(this.#pair.publicKey, 1);
    message.set(nonce, 1 + KEY_BYTES);
    message.set(boxed, 1 + KEY_BYTES + NONCE_BYTES);
    return { message, nonce: toHex(nonce) };
  }

  /**
   * The object in a reply or frame that answers the request with `nonce`, or null for any other
   * bytes.
   * @param {Uint8Array} bytes @param {string} nonce
   */
  unseal(bytes, nonce) {
    const [box, once] = [bytes.subarray(NONCE_BYTES), bytes.subarray(0, NONCE_BYTES)];
    const plain =
      nacl.box.open.after(box, once, this.#shared) ??
      (this.#former && nacl.box.open.after(box, once, this.#former));
    const value = plain && unpad(TO_PHONE, plain, REPLY_PLAIN);
    if (value?.re !== nonce) return null;
    if (value.next) {
      this.#renew(value.next);
      // The table keeps its last key until everybody has used this one.
      this.blank().catch(() => {});
    }
    if (!this.#entry.isStored) this.#store();
    return value;
  }

  /**
   * The request object for `do_`; a submission has the position of its decision.
   * @param {string} do_ @param {object} args
   */
  newRequest(do_, args = {}) {
    const expect = do_ === "submit" ? this.position : null;
    return { id: toHex(nacl.randomBytes(16)), expect, ...args, do: do_ };
  }

  /**
   * The reply to a request; without one a refusal like those of the table, with `isLost`.
   * @param {string} what @param {Record<string, unknown>} [args] @returns {Promise<Reply>}
   */
  async ask(what, args) {
    try {
      return await this.request(what, args);
    } catch (error) {
      const { code } = error;
      if (code === undefined) throw error;
      return { ok: false, isLost: true, code, message: { code, params: {} } };
    }
  }

  /**
   * Send a request and return the reply: {ok: true, …} or {ok: false, code, message}.
   * Throws `ChannelError` without a reply.
   * @param {string} do_ @param {object} args
   */
  async request(do_, args = {}) {
    const request = this.newRequest(do_, args);
    const until = performance.now() + TIMEOUT_MS;
    try {
      return await this.#send(request, until);
    } catch (error) {
      // A connection that broke, not one that hung. The reply alone may be lost: under the same id
      // the table does once what is sent twice.
      if (!(error.cause instanceof TypeError)) throw error;
      return this.#send(request, until);
    }
  }

  /** Post an empty request and ignore its answer: it looks like every other one. */
  async blank() {
    await (await post("/channel", this.seal(this.newRequest("blank")).message)).arrayBuffer();
  }

  /**
   * @param {any} request
   * @param {number} until
   * @param {boolean} isRefused whether the table refused the message before this one
   * @returns {Promise<any>}
   */
  async #send(request, until, isRefused = false) {
    const { message, nonce } = this.seal(request);
    // The network may fail at any moment, also between an answer's first and last byte.
    /** @param {any} answer */
    const reached = async (answer) => {
      try {
        return await answer;
      } catch (cause) {
        throw new ChannelError("not_sent", { cause });
      }
    };
    const reply = await reached(this.schedule(() => post("/channel", message)));
    // A browser sends a message again by itself when its connection breaks, and the table opens each
    // message once: a new one with the same id gets the reply.
    if (reply.status === 400 && (this.isRenewed() || !isRefused)) {
      return this.#send(request, until, true);
    }
    if (!reply.ok) throw new ChannelError(reply.status === 400 ? "unopened" : "not_sent");
    const value = this.unseal(new Uint8Array(await reached(reply.arrayBuffer())), nonce);
    if (value === null) throw new ChannelError("unopened");
    if (value.pending && value.private) this.hold?.(() => this.#send(request, 0));
    else if (value.pending) {
      // The table had not answered in time: the same id gets the answer.
      if (performance.now() > until) throw new ChannelError("not_sent");
      await new Promise((done) => setTimeout(done, PENDING_MS));
      return this.#send(request, until);
    }
    // A public snapshot that is too large for the message is fetched in clear.
    if (value.snapshot === null) value.snapshot = await reached(fetchSnapshot());
    if (value.snapshot) this.position = value.snapshot.position;
    return value;
  }
}

const fetchSnapshot = async () => (await timedFetch("/snapshot")).json();
