/**
 * Gestures on a map: a tap on a free spot or on a place, a drag from a place (a way to another one,
 * or to move it), a drag of the map itself, and two fingers that enlarge it.
 */
import { pitch } from "../city.js";

/** Pixels that a finger may move in a tap, and the distance at which it hits a place. */
const SLIP = 10;
const NEAR = 26;
/** How many times larger than the whole a map is drawn at most. */
export const MOST_ZOOM = 12;

/** What a view shows as an SVG's viewBox: [x, y, width, height]. @param {ManhuntEditor} page */
export function shownPart({ map: { size }, view }) {
  const [width, height] = [size.width / view.zoom, size.height / view.zoom];
  /** @param {number} middle @param {number} part @param {number} whole */
  const clamp = (middle, part, whole) => Math.min(Math.max(middle - part / 2, 0), whole - part);
  return [clamp(view.x, width, size.width), clamp(view.y, height, size.height), width, height];
}

/**
 * Follow pointers on `canvas`, which holds the map's SVG; `hands` has the handlers.
 * @param {HTMLElement} canvas @param {ManhuntEditor} page @param {ManhuntHands} hands
 */
export function followFingers(canvas, page, hands) {
  const fingers = new Map();
  /** The matrix from the map to the screen. */
  const matrix = () => canvas.querySelector("svg")?.getScreenCTM() ?? new DOMMatrix();
  /** @param {PointerEvent} event */
  const pointOf = (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix().inverse());
    return { x, y };
  };
  const reach = () =>
    Math.min(Math.max(NEAR / matrix().a, pitch(page.map) * 0.3), pitch(page.map) * 0.5);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const point = pointOf(event);
    const number = nearest(page.map, point, reach());
    page.drag =
      fingers.size > 1
        ? { kind: "pinch", apart: apartOf(fingers), zoom: page.view.zoom }
        : {
            kind: "tap",
            from: number,
            start: point,
            at: point,
            client: [event.clientX, event.clientY],
          };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId) || !page.drag) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    follow(page, pointOf(event), event, fingers);
    if (page.drag.kind !== "tap") hands.redraw();
  });
  canvas.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    const { drag } = page;
    if (!drag || fingers.size) return;
    page.drag = null;
    end(page, drag, nearest(page.map, drag.at ?? drag.start, reach()), hands);
    hands.redraw();
  });
  canvas.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    page.drag = null;
    hands.redraw();
  });
}

/**
 * The number of the place at a point; null where none is within reach.
 * @param {ManhuntMap} map @param {ManhuntPoint} point @param {number} reach
 */
function nearest({ places }, { x, y }, reach) {
  /** @type {number | null} */
  let best = null;
  let least = reach;
  for (const place of places) {
    const apart = Math.hypot(place.x - x, place.y - y);
    if (apart <= least) [best, least] = [place.number, apart];
  }
  return best;
}

/** @param {Map<number, ManhuntPoint>} fingers */
function apartOf(fingers) {
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.x - other.x, one.y - other.y) || 1;
}

/**
 * Start the gesture of a finger that has moved.
 * @param {ManhuntEditor & {drag: any}} page @param {ManhuntPoint} point @param {PointerEvent} event
 * @param {Map<number, ManhuntPoint>} fingers
 */
function follow(page, point, event, fingers) {
  const { drag, view } = page;
  if (drag.kind === "pinch") {
    const zoom = (drag.zoom * apartOf(fingers)) / drag.apart;
    if (fingers.size > 1) page.view = { ...view, zoom: Math.min(Math.max(zoom, 1), MOST_ZOOM) };
    return;
  }
  if (drag.kind === "tap") {
    if (Math.hypot(event.clientX - drag.client[0], event.clientY - drag.client[1]) < SLIP) return;
    drag.kind = drag.from === null ? "pan" : page.tool === "move" ? "move" : "way";
  }
  if (drag.kind === "pan") {
    const [x, y, width, height] = shownPart(page);
    page.view = {
      ...view,
      x: x + width / 2 - (point.x - drag.start.x),
      y: y + height / 2 - (point.y - drag.start.y),
    };
  } else drag.at = point;
}

/**
 * @param {ManhuntEditor} page @param {ManhuntDrag} drag @param {any} under
 * @param {ManhuntHands} hands
 */
function end(page, drag, under, hands) {
  if (drag.kind === "tap") hands.tap(drag.from, drag.start);
  else if (drag.kind === "move") hands.move(drag.from, drag.at);
  else if (drag.kind === "way" && under === null) hands.drop(drag.at);
  else if (drag.kind === "way") hands.join(drag.from, under);
}
