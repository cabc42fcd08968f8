/**
 * One stream for all pages of a browser: it has six connections to a table, and six pages with one
 * each would leave none for a seventh.
 *
 * The oldest page has the stream and forwards its messages to the others. When it closes, or is
 * frozen while another is visible, the next one takes over.
 */
const CHECK_MS = 2000;
const ROUND_MS = 200;

/**
 * Follow a stream together with all pages that share `name`. `open(told, link)` opens it and
 * returns the function that closes it; `deliver` gets each message, `onLink` "up" or "lost".
 * Returns the function that leaves.
 * @param {string} name
 * @param {(told: (...message: any[]) => void, link: OnLink) => () => void} open
 * @param {(...message: any[]) => void} deliver
 * @param {OnLink} onLink
 * @returns {() => void}
 */
export function share(name, open, deliver, onLink) {
  if (!globalThis.BroadcastChannel) return open(deliver, onLink);
  const id = `${Date.now()} ${Math.random()}`;
  const others = new BroadcastChannel(`stream ${name}`);
  /** @type {(() => void)?} */
  let close = null;
  /** @type {any[]?} */
  let last = null;
  let [link, isLed, isAway] = ["", false, false];

  /** @param {string} state */
  const linked = (state) => {
    if (state !== link) onLink?.(state);
    link = state;
  };
  /** @param {object} more */
  const say = (more = {}) => others.postMessage({ lead: id, link, ...more });
  const lead = () => {
    close ??= open(
      (...told) => {
        last = told;
        deliver(...told);
        say({ told });
      },
      (state) => {
        linked(state);
        say();
      },
    );
  };
  const ask = () => {
    isLed = false;
    others.postMessage({ ask: id });
  };
  const yieldTo = () => {
    close?.();
    close = null;
    ask();
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
    if (data.ask)
      return (
        close && last && say({ told: [{ ...last[0], events: [] }, ...last.slice(1)], to: data.ask })
      );
    if (data.gone) {
      isLed = false;
      return setTimeout(() => isLed || isAway || lead(), Math.random() * ROUND_MS);
    }
    if (close && data.lead > id) return say();
    if (close) yieldTo();
    isLed = true;
    if (data.link) linked(data.link);
    if (data.told && (data.to ?? id) === id) deliver(...data.told);
  };
  const check = setInterval(() => {
    if (close || isAway || document.hidden) return;
    if (!isLed) lead();
    ask();
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
    lead();
    ask();
  };
  addEventListener("pagehide", away);
  addEventListener("pageshow", back);
  lead();
  ask();
  return () => {
    leave();
    clearInterval(check);
    removeEventListener("pagehide", away);
    removeEventListener("pageshow", back);
    others.close();
  };
}
