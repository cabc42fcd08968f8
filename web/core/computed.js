/** Fetch what the table computes once for everybody. */
import { timedFetch } from "./browser.js";

/**
 * The table's answer at `path`; while it computes that for another page, ask again. Rejects without
 * a connection.
 * @param {string} path
 */
export async function askComputed(path) {
  for (;;) {
    const reply = await timedFetch(path);
    if (reply.status !== 503) return reply;
    const seconds = Number(reply.headers.get("Retry-After")) || 1;
    await new Promise((done) => setTimeout(done, seconds * 1000));
  }
}

/** The JSON at `path`; null without a connection or where the table refuses it. @param {string} path */
export async function fetchComputed(path) {
  const reply = await askComputed(path).catch(() => null);
  return reply?.ok ? reply.json() : null;
}
