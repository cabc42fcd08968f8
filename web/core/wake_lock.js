/** Keep the screen on; only a secure context can. */
/** @type {Promise<any>?} */
let lock = null;
let isWanted = false;

/** Keep the screen on, or stop. @param {boolean} isOn */
export function keepAwake(isOn) {
  isWanted = isOn;
  if (isWanted) requestLock();
  else lock?.then((it) => it?.release());
}

// The browser releases the lock of a hidden page; Safari grants it only after a press.
function requestLock() {
  if (!isWanted || document.hidden) return;
  lock ??= navigator.wakeLock.request("screen").then(held, forget);
}

/** @param {WakeLockSentinel} sentinel */
function held(sentinel) {
  sentinel.addEventListener("release", forget);
  return sentinel;
}

function forget() {
  lock = null;
}

document.addEventListener("visibilitychange", requestLock);
document.addEventListener("pointerup", requestLock);
