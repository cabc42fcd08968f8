/**
 * What this browser keeps between pages. One that refuses storage, or has no room, keeps nothing.
 * `place`: another storage than the browser's.
 */

/**
 * @param {string} name
 * @param {Storage} [place]
 */
export function readKept(name, place) {
  try {
    return (place ?? localStorage).getItem(name);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | null} value null removes it
 * @param {Storage} [place]
 */
export function keep(name, value, place) {
  try {
    if (value === null) (place ?? localStorage).removeItem(name);
    else (place ?? localStorage).setItem(name, value);
  } catch {
    // The value is in memory until the page is closed.
  }
}
