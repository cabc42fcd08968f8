/** Files that this page sends or saves. */
import { timedFetch } from "./browser.js";

/**
 * Send a file by a ticket of the table, and return its answer; null if it was not sent or the
 * reply is no JSON.
 * @param {string} path @param {BodyInit} body @param {string} ticket @returns {Promise<any>}
 */
export const sendFile = (path, body, ticket) =>
  timedFetch(path, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/octet-stream", "X-Ticket": ticket },
    credentials: "omit",
  })
    .then((reply) => reply.json())
    .catch(() => null);

/** Save a map as a file of this name. @param {string} toml @param {string} name */
export function saveMap(toml, name) {
  const url = URL.createObjectURL(new Blob([toml], { type: "application/toml" }));
  Object.assign(document.createElement("a"), { href: url, download: `${name}.toml` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
