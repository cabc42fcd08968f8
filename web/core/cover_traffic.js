/**
 * Cover traffic. While the table waits for a secret turn, the phones that may act post exactly one
 * request every 300 ms until dawn: a waiting one, or an empty one. So the traffic shows no taps,
 * undo, looking or commit; all requests have one size, and so have all answers.
 */
export const TICK_MS = 300;
/** Outstanding answers beyond which the network counts as lost: ticks are skipped. */
const MOST_UNDER_WAY = 5;

export class CoverTraffic {
  #channel;
  #timer = 0;
  #next = 0;
  #underWay = 0;
  /** @type {(() => any)[]} */
  #waiting = [];
  /** @type {(() => any) | null} */
  #held = null;

  /**
   * `channel.blank` posts an empty request, and settles when it is answered or lost.
   * @param {{blank: () => Promise<any>, hold?: (send: () => Promise<any>) => void}} channel
   */
  constructor(channel) {
    this.#channel = channel;
    channel.hold = this.#hold;
  }

  /**
   * Call `send` at the next free tick, or at once without cover traffic; return its result.
   * @param {() => any} send
   */
  schedule(send) {
    if (!this.#timer) return send();
    return new Promise((done) =>
      this.#waiting.push(() => {
        const sent = send();
        done(sent);
        return sent;
      }),
    );
  }

  /**
   * Send a turn that the table holds in memory again, until it is stored or refused: a crash loses it
   * there. `send` schedules it, and returns the reply.
   * @param {() => Promise<any>} send
   */
  #hold = (send) => {
    this.#held = async () => {
      const reply = await send().catch(() => null);
      if (reply && !reply.pending && reply.code !== "paused") this.#held = null;
    };
  };

  /** Start or stop; waiting requests are then sent at once. @param {boolean} isNight */
  run(isNight) {
    if (isNight === Boolean(this.#timer)) return;
    if (isNight) {
      this.#next = performance.now();
      this.#wait();
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#held = null;
    for (const send of this.#waiting.splice(0)) send();
  }

  // A fixed grid: a tick's duration does not move the next one. After a sleep the grid restarts.
  #wait() {
    const now = performance.now();
    this.#next = now > this.#next + TICK_MS ? now + TICK_MS : this.#next + TICK_MS;
    this.#timer = setTimeout(() => {
      this.#wait();
      this.#tick();
    }, this.#next - now);
  }

  async #tick() {
    if (this.#underWay >= MOST_UNDER_WAY) return;
    const send = this.#waiting.shift() ?? (() => this.#channel.blank());
    // For the next tick.
    this.#held?.();
    this.#underWay += 1;
    await Promise.resolve(send()).catch(() => {});
    this.#underWay -= 1;
  }
}
