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
 * Places of a board are drawn, not buttons: Enter and Space press them, an arrow key goes to the
 * nearest one where it points. One of them is the board's tab stop.
 * @param {any} event
 * @param {(element: any) => void} pressed
 */
function byKey(event, pressed) {
  const place = event.target.closest?.("g[data-cell]");
  if (!place) return;
  const { key } = event;
  const isPress = key === "Enter" || key === " ";
  if (isPress || ARROWS[key]) event.preventDefault();
  if (isPress) pressed(place);
  const places = [...place.ownerSVGElement.querySelectorAll("g[data-cell]")];
  const next = ARROWS[key] ? nearest(place, places, ARROWS[key]) : place;
  for (const each of places) each.setAttribute("tabindex", each === next ? 0 : -1);
  if (next !== place) next.focus();
}

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest place on the screen within 45 degrees of a direction, `place` itself without one. By
 * the sum of the distances along both axes every place is reached from every other one: no step
 * leads away from a place in that quarter.
 * @param {any} place
 * @param {any[]} places
 * @param {number[]} direction
 */
function nearest(place, places, [across, down]) {
  const [left, top] = middle(place);
  let [next, least] = [place, Infinity];
  for (const each of places) {
    const [x, y] = middle(each);
    const along = (x - left) * across + (y - top) * down;
    const aside = Math.abs((x - left) * down + (y - top) * across);
    if (along > 0 && along >= aside && along + aside < least) [next, least] = [each, along + aside];
  }
  return next;
}

/**
 * The middle of a place, which is that of its first shape: others stand beside it.
 * @param {any} place
 */
function middle(place) {
  const { x, y, width, height } = place.firstElementChild.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

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
