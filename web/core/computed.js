/** Fetch what the table computes once for everybody. */
import { timedFetch } from "./browser.js";

/**
 * The JSON at `path`; null without a connection or where the table refuses it. While the table
 * computes it for another page, ask again.
 * @param {string} path @returns {Promise<any>}
 */
export async function fetchComputed(path) {
  for (;;) {
    const reply = await timedFetch(path).catch(() => null);
    if (reply?.status !== 503) return reply?.ok ? reply.json() : null;
    const seconds = Number(reply.headers.get("Retry-After")) || 1;
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}
