/** The public stream, which every screen but a seat's follows. */
import { timedFetch } from "./browser.js";
import { holdAnswers, Reconnector, shareStream } from "./stream.js";

// A table that hangs keeps its connections, and pings are comments, which a page never receives: a
// quiet table is asked after this time, and has that time to answer. A display shows within 10 s
// that its table is lost.
const [QUIET_MS, ANSWER_MS] = [5000, 4000];
/** Milliseconds that an update may take after the table has answered that there is one. */
const LATE_MS = 1000;

/**
 * Follows the public stream. `onUpdate(update)` gets {snapshot, events}; `onLink` "up" or "lost".
 * `onWait(update)` gets an update whose answer is held back.
 * @returns {{close: () => void}} @param {(update: any) => unknown} onUpdate @param {OnLink} onLink
 * @param {(update: any) => unknown} [onWait]
 */
export function subscribePublic(onUpdate, onLink, onWait) {
  /** @type {number | null} */
  let position = null;
  /** @type {(told: (update: any) => void) => Connect} */
  const connect = (onMessage) => (alive, lost) => {
    const source = new EventSource(position === null ? "/events" : `/events?after=${position}`);
    source.onopen = alive;
    source.onerror = () => lost();
    source.onmessage = (message) => {
      alive();
      onMessage(JSON.parse(message.data));
    };
    return () => source.close();
  };
  const isQuiet = async () => {
    // A hidden page opens its stream again when it is shown.
    if (document.hidden) return true;
    if (position === null) return false;
    const reply = await timedFetch(`/history?after=${position}`, {}, ANSWER_MS);
    const newest = (await reply.json()).at(-1)?.position ?? 0;
    if (newest > position) await new Promise((done) => setTimeout(done, LATE_MS));
    return reply.ok && newest <= position;
  };
  /** @type {(told: (update: any) => void, link: OnLink) => () => void} */
  const open = (onMessage, link) =>
    new Reconnector(connect(onMessage), link, QUIET_MS, isQuiet).close;
  const use = holdAnswers(onUpdate, onWait);
  /** @param {any} update */
  const deliver = (update) => {
    position = update.snapshot.position;
    use(update);
  };
  return { close: shareStream("public", open, deliver, onLink) };
}
