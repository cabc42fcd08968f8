/**
 * Presses by finger, mouse, pen, keyboard or screen reader, all acted on at release.
 *
 * A second finger's tap makes no `click` while the first finger rests on the glass, and on the
 * vampire's phone one hand holds while the other taps: so this module tracks pointers itself, and
 * uses `click` only without a pointer.
 */
const PRESSABLE = "[data-action], [data-cell]";

/**
 * Call `handler(action, cell, element)` for each press on a pressable element inside `root`.
 * @param {HTMLElement} root
 * @param {(action: any, cell: any, element: any) => unknown} handler
 */
export function onPress(root, handler) {
  const down = new Map();
  let released = 0;
  /** @type {string?} */
  let acted = null;
  /** @param {any} element */
  const pressed = (element) => {
    if (element.getAttribute("aria-disabled") !== "true" && !element.disabled) {
      handler(element.dataset.action ?? null, element.dataset.cell ?? null, element);
    }
  };
  root.addEventListener("pointerdown", (event) => {
    acted = null;
    if (event.button === 0) down.set(event.pointerId, nameAt(event.target));
  });
  root.addEventListener("pointerup", (event) => {
    const name = down.get(event.pointerId);
    down.delete(event.pointerId);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(PRESSABLE);
    if (name && under && nameAt(under) === name) {
      released = event.timeStamp;
      acted = name;
      pressed(under);
    }
  });
  root.addEventListener("pointercancel", (event) => down.delete(event.pointerId));
  // An element that a press has put under the finger, such as a link, gets neither the same touch
  // nor the focus.
  /** @param {any} event */
  const isOther = (event) => acted !== null && nameAt(event.target) !== acted;
  root.addEventListener("mousedown", (event) => isOther(event) && event.preventDefault());
  root.addEventListener(
    "click",
    /** @param {MouseEvent & FieldEvent} event */
    (event) => {
      const element = event.target.closest(PRESSABLE);
      const wasPointer = event.detail > 0 && event.timeStamp - released < 700;
      if (element && !wasPointer) pressed(element);
      if (wasPointer && isOther(event)) event.preventDefault();
    },
  );
  root.addEventListener("keydown", (event) => byKey(event, pressed));
}

/**
 * A guard against double taps: each call returns whether the one before was less than 600 ms ago.
 */
export function doubleTapGuard() {
  let last = -SLIP;
  return () => {
    const before = last;
    last = performance.now();
    return last - before < SLIP;
  };
}
const SLIP = 600;

/**
 * A guard of what asks "Sure?": each call, with whether the question is open, returns whether this
 * press answers it and is not the second half of a double tap.
 */
export function secondPress() {
  const isSlip = doubleTapGuard();
  /** @param {boolean} isAsked */
  return (isAsked) => !isSlip() && isAsked;
}

/** @param {any} target */
function nameAt(target) {
  const { action, cell } = target.closest(PRESSABLE)?.dataset ?? {};
  return action ?? cell;
}

/**
 * Tiles are drawn, not buttons: Enter and Space press them, arrow keys go from tile to tile.
 * @param {any} event
 * @param {(element: any) => void} pressed
 */
function byKey(event, pressed) {
  const tile = event.target.closest?.("g[data-cell]");
  if (!tile) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    pressed(tile);
  }
  const [column, row] = STEPS[event.key] ?? [0, 0];
  if (!column && !row) return;
  event.preventDefault();
  const cell = tile.dataset.cell;
  const next = String.fromCharCode(cell.charCodeAt(0) + column) + (Number(cell[1]) + row);
  const target = tile.ownerSVGElement.querySelector(`g[data-cell="${next}"]`);
  if (!target) return;
  for (const other of tile.ownerSVGElement.querySelectorAll("g[data-cell]"))
    other.setAttribute("tabindex", -1);
  target.setAttribute("tabindex", 0);
  target.focus();
}

/** @type {Record<string, number[]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Look while a finger or a key rests on #hold. The button is the same node in both pages, so it
 * gets the release.
 * @param {{phone: {look: string | null}, reveal: (how: string) => void, hide: () => void}} parts
 */
export function watchHands({ phone, reveal, hide }) {
  /** @type {number?} */
  let finger = null;
  /** @type {string?} */
  let key = null;
  /** @param {any} event */
  const isHold = (event) => event.target.closest?.("#hold");
  document.addEventListener("pointerdown", (event) => {
    if (!isHold(event)) return;
    finger = event.pointerId;
    reveal("hold");
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(
      end,
      /** @param {PointerEvent} event */
      (event) => {
        if (event.pointerId !== finger || finger === null) return;
        finger = null;
        hide();
      },
    );
  }
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  // Each key restarts the time. After looking by key move the focus to the secret: the next Tab
  // would leave the page, and cover it.
  document.addEventListener("keydown", () => phone.look === "tap" && reveal("tap"));
  document.addEventListener(
    "click",
    /** @param {MouseEvent & FieldEvent} event */
    ({ detail, target }) => {
      if (detail === 0 && ["reveal", "look"].includes(target.id) && phone.look === "tap")
        document.querySelector(".secret [tabindex='0'], .secret button")?.focus();
    },
  );
  document.addEventListener("keydown", (event) => {
    if (!isHold(event) || ![" ", "Enter"].includes(event.key) || phone.look !== null) return;
    key = event.key;
    reveal("hold");
  });
  const release = () => {
    key = null;
    hide();
  };
  // The focus may have left the button before the key is released.
  document.addEventListener("keyup", (event) => {
    if (event.key === key || (isHold(event) && [" ", "Enter"].includes(event.key))) release();
  });
  document.addEventListener("focusout", (event) => key !== null && isHold(event) && release());
}
