/**
 * Requests that end, their base64, and what this browser keeps between pages. One that refuses storage, or has no
 * room, keeps nothing. `place`: another storage than the browser's.
 */

/** The storage of this tab alone, which ends with it. @type {Place} */
export const TAB = {
  getItem: (name) => sessionStorage.getItem(name),
  setItem: (name, value) => sessionStorage.setItem(name, value),
  removeItem: (name) => sessionStorage.removeItem(name),
};

/**
 * The name under which a plan outlives a reload, in the tab's storage, until it is submitted, its
 * turn is over, or its phone has no seat. It is a secret: there it is as safe as the key of the
 * seat, which opens all its secrets and is in this browser's storage too. No other tab and no other
 * page reads it.
 */
export const PLAN = "seat-plan";

/** Milliseconds after which a request without an answer counts as not sent. */
export const TIMEOUT_MS = 20_000;

/**
 * Fetch from the table; rejects when the whole answer is not there after `ms`, because a table that
 * hangs would never give one. Browsers from before 2022 wait without end.
 * @param {string} path @param {RequestInit} [options] @param {number} [ms]
 */
export const timedFetch = (path, options, ms = TIMEOUT_MS) =>
  // eslint-disable-next-line no-restricted-globals
  fetch(path, { cache: "no-store", signal: AbortSignal.timeout?.(ms), ...options });

/**
 * Post an encrypted message.
 * @param {string} path
 * @param {BodyInit} message
 * @param {AbortSignal} [signal] ends it, instead of a limit of time
 */
export const post = (path, message, signal) =>
  timedFetch(path, {
    method: "POST",
    body: message,
    headers: { "Content-Type": "application/octet-stream" },
    credentials: "omit",
    ...(signal && { signal }),
  });

/** The bytes of base64, plain or URL-safe, with or without padding. @param {string} text */
export function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** @param {string} name @param {Place} [place] */
export function readStored(name, place) {
  try {
    return (place ?? localStorage).getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null removes it @param {Place} [place] */
export function store(name, value, place) {
  try {
    if (value === null) (place ?? localStorage).removeItem(name);
    else (place ?? localStorage).setItem(name, value);
  } catch {
    // The value is in memory until the page is closed.
  }
}

/** The address of an SVG as an image, until it is revoked. @param {string} svg */
export const imageOf = (svg) => URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
