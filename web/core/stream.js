// The event streams of the table: what they have in common, and a seat's own, which has one
// encrypted frame of constant size beside each public update. Both always reconnect.
import { fromBase64, post } from "./browser.js";

const [FIRST_MS, LONGEST_MS] = [500, 8000];
// A seat gets a heartbeat every 15 s; a stream without two of them is dead.
const SILENCE_MS = 35_000;

/**
 * Milliseconds to wait before attempt number `attempt` (0, 1, …): doubling, jittered so that not all return at once.
 * @param {number} attempt @param {() => number} random
 */
export function backOff(attempt, random = Math.random) {
  const step = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.max(FIRST_MS, step * (0.5 + random() / 2));
}

/** Splits a stream of text chunks into lines. */
export class LineSplitter {
  #rest = "";

  /** @param {string} chunk */
  push(chunk) {
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => line !== "");
  }
}

/**
 * Keeps one connection open until it is closed. `connect(alive, lost)` opens it and returns a
 * function that closes it; it calls `alive()` for each received message, and `lost()` once at the
 * end, with the seconds that the table asks to wait. A connection that is silent for `silence`
 * milliseconds is replaced, unless `isQuiet()` returns that there was nothing to receive.
 */
export class Reconnector {
  #connect;
  #onLink;
  #isQuiet;
  #silence;
  /** @type {(() => void)?} */
  #close = null;
  #timer = 0;
  #watcher = 0;
  #attempt = 0;
  /** @type {string | null} */
  #up = null;
  #stopped = false;

  /**
   * @param {Connect} connect @param {OnLink} onLink @param {number} silence
   * @param {() => Promise<boolean>} isQuiet
   */
  constructor(connect, onLink, silence, isQuiet = async () => false) {
    this.#connect = connect;
    this.#onLink = onLink;
    this.#silence = silence;
    this.#isQuiet = isQuiet;
    document.addEventListener("visibilitychange", this.#woken);
    globalThis.addEventListener("pageshow", this.#onPageShow);
    globalThis.addEventListener("pagehide", this.#hidden);
    this.#open();
  }

  close = () => {
    this.#stopped = true;
    document.removeEventListener("visibilitychange", this.#woken);
    globalThis.removeEventListener("pageshow", this.#onPageShow);
    globalThis.removeEventListener("pagehide", this.#hidden);
    this.#drop();
  };

  #open() {
    this.#drop();
    if (this.#stopped) return;
    let current = true;
    const close = this.#connect(
      () => current && this.#alive(),
      (seconds) => {
        if (current) this.#lost(seconds);
      },
    );
    this.#close = () => {
      current = false;
      close();
    };
    this.#watch();
  }

  #drop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#watcher);
    this.#close?.();
    this.#close = null;
  }

  #alive() {
    this.#attempt = 0;
    this.#watch();
    this.#tell("up");
  }

  #watch() {
    clearTimeout(this.#watcher);
    this.#watcher = setTimeout(() => this.#doubt(), this.#silence);
  }

  async #doubt() {
    const doubted = this.#close;
    const quiet = await this.#isQuiet().catch(() => false);
    if (doubted === null || doubted !== this.#close) return;
    if (quiet) this.#watch();
    else this.#lost();
  }

  #lost(seconds = 0) {
    this.#drop();
    this.#tell("lost");
    const wait = Math.max(1000 * seconds, backOff(this.#attempt));
    this.#timer = setTimeout(() => this.#open(), wait);
    this.#attempt += 1;
  }

  /** @param {string} link */
  #tell(link) {
    if (link !== this.#up) this.#onLink?.(link);
    this.#up = link;
  }

  // A phone that slept may have a dead connection that appears open: open a new one at once.
  #woken = () => {
    if (document.visibilityState === "visible") this.#open();
  };

  /** @type {(event: PageTransitionEvent) => void} */
  #onPageShow = (event) => {
    if (event.persisted) this.#open();
  };

  #hidden = () => this.#drop();
}

/** Call `use` and report its error, which does not end the stream. @param {() => void} use */
function reportErrors(use) {
  try {
    use();
  } catch (error) {
    // Safari before 15.4 has none.
    globalThis.reportError?.(error);
  }
}

/** Milliseconds for which every screen holds back an answer that everybody awaits. */
const ANSWER_DELAY_MS = 1200;

/**
 * Return `use` for updates that come one after the other: one with a new awaited answer is used
 * `ANSWER_DELAY_MS` after it is received, or after the one before it, whatever the answer. So is the
 * first update of a page: one that is loaded while others wait shows the answer no earlier. `wait`
 * is called with such an update when its time begins.
 * @param {(update: any, ...more: any[]) => unknown} use @param {(update: any) => unknown} [wait]
 */
export function holdAnswers(use, wait = () => {}) {
  /** @type {[any, ...any[]][]} */
  const queue = [];
  let used = 0;
  const next = () => {
    while (queue.length) {
      const update = queue[0];
      const { awaited } = update[0].snapshot;
      if (awaited > used) {
        used = awaited;
        setTimeout(next, ANSWER_DELAY_MS);
        return reportErrors(() => wait(update[0]));
      }
      queue.shift();
      reportErrors(() => use(...update));
    }
  };
  /** @param {[any, ...any[]]} update */
  return (...update) => {
    if (queue.push(update) === 1) next();
  };
}

/**
 * Follows a seat: `onUpdate(update, private, role)`, `private` null without a seat. At a heartbeat
 * it is called with the last snapshot and no events. `hello`, the reply to this page's first
 * request, is the first update.
 * @param {import("./channel.js").Channel} channel @returns {{close: () => void}}
 * @param {(update: any, own: any, role: any) => void} onUpdate @param {OnLink} onLink
 * @param {any} [hello]
 */
export function subscribeSeat(channel, onUpdate, onLink, hello) {
  /** @type {(told: (update: any, own: any, role: any) => void) => Connect} */
  const connect = (onMessage) => (alive, lost) => {
    const abort = new AbortController();
    /** @type {() => Promise<void>} */
    const read = () =>
      readSeat(channel, abort.signal, alive, onMessage).then(
        (end) => (end === true ? read() : lost(end || 0)),
        () => lost(),
      );
    read();
    return () => abort.abort();
  };
  /** @type {(told: (update: any, own: any, role: any) => void, link: OnLink) => () => void} */
  const open = (onMessage, link) => new Reconnector(connect(onMessage), link, SILENCE_MS).close;
  const deliver = holdAnswers((update, own, role) => {
    // A decision belongs to what this page shows.
    Object.assign(channel, { position: update.snapshot.position, head: update.snapshot.head });
    onUpdate(update, own, role);
  });
  if (hello) deliver({ snapshot: hello.snapshot, events: [] }, hello.private);
  return { close: shareStream(channel.publicKeyHex, open, deliver, onLink) };
}

/**
 * The position and head that this screen has stored: the table compares them with its record.
 * @param {{position?: number | null, head?: string | null}} channel
 */
export const remembered = ({ position, head }) =>
  head ? { expect: position, head } : { expect: position };

/**
 * Read a stream to its end; return whether it ended because the table has another key, so that the
 * next one can be read at once, or the seconds that the table asks to wait.
 * @param {import("./channel.js").Channel} channel @param {AbortSignal} signal
 * @param {() => void} alive @param {(update: any, own: any, role: any) => void} onUpdate
 * @returns {Promise<boolean | number>}
 */
async function readSeat(channel, signal, alive, onUpdate) {
  const { message, nonce } = channel.seal(channel.newRequest("hello", remembered(channel)));
  const reply = await post("/stream", message, signal);
  if (!reply.ok || !reply.body)
    return reply.status === 400 ? channel.isRenewed() : Number(reply.headers.get("Retry-After"));
  const frames = new Frames(channel, nonce);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  const lines = new LineSplitter();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const line of lines.push(part.value)) {
      const { update, own, role } = frames.read(line);
      alive();
      onUpdate(update, own, role);
    }
  }
  return frames.isLast;
}

/** Reads the lines of a seat's stream: each frame must answer our hello and follow the one before. */
export class Frames {
  #channel;
  #nonce;
  #count = 0;
  /** @type {{position: number, head: string}?} */
  #snapshot = null;

  /** Whether the table has sent another key, which the next stream uses. */
  isLast = false;

  /** @param {any} channel @param {string} nonce */
  constructor(channel, nonce) {
    this.#channel = channel;
    this.#nonce = nonce;
  }

  /** The content of a line; throws if its frame is not the next of ours. @param {string} line */
  read(line) {
    const { update, box } = JSON.parse(line);
    const frame = this.#channel.unseal(fromBase64(box), this.#nonce);
    if (frame === null || frame.n !== this.#count)
      throw new Error("a frame that the table did not send");
    this.#count += 1;
    this.isLast = Boolean(frame.next);
    if (update) this.#snapshot = update.snapshot;
    if (!this.#snapshot) throw new Error("a first frame without a snapshot");
    return {
      update: update ?? { snapshot: this.#snapshot, events: [] },
      own: frame.private,
      role: frame.role,
    };
  }
}

const CHECK_MS = 2000;
const ROUND_MS = 200;

/**
 * Leader election: follow a stream together with all pages that share `name`. A browser has six
 * connections to a table, and six pages with a stream each would leave none for a seventh. The
 * oldest page leads: it has the stream and forwards its messages to the others. When it closes, or
 * is frozen while another is visible, the next one takes over.
 *
 * `open(told, link)` opens the stream and returns the function that closes it; `deliver` gets each
 * message, `onLink` "up" or "lost". Returns the function that leaves.
 * @param {string} name
 * @param {(told: (...message: any[]) => void, link: OnLink) => () => void} open
 * @param {(...message: any[]) => void} deliver
 * @param {OnLink} onLink
 * @returns {() => void}
 */
export function shareStream(name, open, deliver, onLink) {
  if (!globalThis.BroadcastChannel) return open(deliver, onLink);
  const id = `${Date.now()} ${Math.random()}`;
  const others = new BroadcastChannel(`stream ${name}`);
  /** @type {(() => void)?} */
  let close = null;
  /** @type {any[]?} */
  let last = null;
  let [link, hasLeader, isAway] = ["", false, false];

  /** @param {string} state */
  const linked = (state) => {
    if (state !== link) onLink?.(state);
    link = state;
  };
  const sendState = (more = {}) => others.postMessage({ lead: id, link, ...more });
  const becomeLeader = () => {
    close ??= open(
      (...message) => {
        last = message;
        deliver(...message);
        sendState({ told: message });
      },
      (state) => {
        linked(state);
        sendState();
      },
    );
  };
  const requestLast = () => {
    hasLeader = false;
    others.postMessage({ request: id });
  };
  const stepDown = () => {
    close?.();
    close = null;
    requestLast();
  };
  const leave = () => {
    if (close === null) return;
    close();
    close = null;
    others.postMessage({ gone: id });
  };

  others.onmessage = ({ data }) => {
    if (isAway) return;
    // Old events are not new for a page that joins later.
    if (data.request)
      return (
        close &&
        last &&
        sendState({ told: [{ ...last[0], events: [] }, ...last.slice(1)], to: data.request })
      );
    if (data.gone) {
      hasLeader = false;
      return setTimeout(() => hasLeader || isAway || becomeLeader(), Math.random() * ROUND_MS);
    }
    if (close && data.lead > id) return sendState();
    if (close) stepDown();
    hasLeader = true;
    if (data.link) linked(data.link);
    if (data.told && (data.to ?? id) === id) deliver(...data.told);
  };
  const check = setInterval(() => {
    if (close || isAway || document.hidden) return;
    if (!hasLeader) becomeLeader();
    requestLast();
  }, CHECK_MS);
  // A page in the back-forward cache receives nothing until it is restored.
  const away = () => {
    isAway = true;
    leave();
  };
  /** @param {PageTransitionEvent} event */
  const back = ({ persisted }) => {
    if (!persisted) return;
    isAway = false;
    becomeLeader();
    requestLast();
  };
  addEventListener("pagehide", away);
  addEventListener("pageshow", back);
  becomeLeader();
  requestLast();
  return () => {
    leave();
    clearInterval(check);
    removeEventListener("pagehide", away);
    removeEventListener("pageshow", back);
    others.close();
  };
}
