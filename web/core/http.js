// What every page needs to talk to the table, with or without a key.

/** The bytes of base64, plain or URL-safe, with or without padding. */
export function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Posts a boxed message. */
export function post(path, message, signal = undefined) {
  return fetch(path, {
    method: "POST",
    body: message,
    headers: { "Content-Type": "application/octet-stream" },
    cache: "no-store",
    credentials: "omit",
    signal,
  });
}
