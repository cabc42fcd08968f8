/** The controls of a replay: the slider, the buttons, the keys, and playing. */
import { useReference } from "../../core/reference.js";
import { onPress } from "../../core/controls.js";
import { PAGE, replayScreen } from "./screen.js";
import { nextStop, unfold } from "./moments.js";
import { onInput } from "../../core/fields.js";
import { hourOfEnd } from "../../core/snapshot.js";
import { announce, byId, render } from "../../core/dom.js";
import { plainText, useSeats } from "../../core/i18n.js";

const BEAT = 1100;
const SPEEDS = [1, 2, 4];

/**
 * Show a replay in `#screen`. `more`: {format (of the game's `replay.js`), back (address or null),
 * isFile, isAuto (it plays by itself), record (its address), chooseLanguage() and chooseLight(),
 * for the next language and the other theme}. Returns the function that draws it again.
 * @param {ReplayData} data @param {ReplayParts} more
 */
export function openReplay(data, more) {
  const moments = unfold(data, more.format);
  /** @type {ReplayState} */
  const replay = {
    data,
    moments,
    index: 0,
    isPlaying: false,
    speed: 1,
    heat: "odds",
    isTrue: true,
    cell: null,
    page: 0,
    size: { width: 1000, height: 100 },
    ...more,
  };
  const screen = byId("screen");
  /** @type {number | undefined} */
  let timer;
  useSeats(data.seats);
  useReference(data.reference ?? {});

  const draw = () => {
    document.documentElement.dataset.hour = hour(replay);
    render(screen, [replayScreen(replay)]);
  };
  const stop = () => {
    clearInterval(timer);
    replay.isPlaying = false;
  };
  /** @param {number} index */
  const go = (index) => {
    replay.index = Math.min(moments.length - 1, Math.max(0, index));
    draw();
  };
  const play = () => {
    clearInterval(timer);
    replay.isPlaying = true;
    if (replay.index === moments.length - 1) replay.index = 0;
    timer = setInterval(() => {
      if (replay.index === moments.length - 1) stop();
      go(replay.index + 1);
    }, BEAT / replay.speed);
  };
  /** @type {Record<string, () => unknown>} */
  const actions = { ...actionsOf(replay, { stop, go, play }), ...more.format.actions?.(replay) };
  onPress(document.body, async ({ action, cell }) => {
    if (cell) replay.cell = replay.cell === cell ? null : cell;
    else await actions[action]?.();
    draw();
  });
  onInput(({ id, value }) => {
    if (id !== "time") return;
    stop();
    // A screen reader says what the slider stands on.
    go(Number(value));
  });
  document.addEventListener("keydown", (event) => {
    const key = KEYS[event.key];
    const { target } = event;
    // Buttons, links, the slider and the tiles use these keys themselves.
    const isTheirs = target instanceof Element && target.closest("button, a, input, g[data-cell]");
    if (!key || isTheirs) return;
    event.preventDefault();
    actions[key]();
    draw();
  });
  if (more.isAuto) play();
  draw();
  watchSize(byId("curve"), replay, draw);
  return draw;
}

/** The sky's hour: of the end, a secret turn, or the day. @param {ReplayState} replay */
function hour({ data, moments, index }) {
  if (index === moments.length - 1 && data.outcome) return hourOfEnd(data.outcome);
  return moments[index].isSecret ? "night" : "day";
}

/**
 * The action of each button; `stop`, `go(index)` and `play` move the replay.
 * @param {ReplayState} replay
 * @param {{stop: () => void, go: (index: number) => void, play: () => void}} parts
 */
function actionsOf(replay, { stop, go, play }) {
  const { moments, data, format } = replay;
  /** @param {any[]} list @param {unknown} one */
  const next = (list, one) => list[(list.indexOf(one) + 1) % list.length];
  /** @param {number} index */
  const stopAt = (index) => {
    stop();
    go(index);
    announce([plainText(moments[replay.index].message)]);
  };
  return {
    play: () => (replay.isPlaying ? stop() : play()),
    back: () => stopAt(replay.index - 1),
    next: () => stopAt(replay.index + 1),
    before: () => stopAt(nextStop(moments, replay.index, -1, format)),
    after: () => stopAt(nextStop(moments, replay.index, 1, format)),
    speed: () => {
      replay.speed = next(SPEEDS, replay.speed);
      if (replay.isPlaying) play();
    },
    truth: () => {
      replay.isTrue = !replay.isTrue;
    },
    figures: () => {
      replay.page = (replay.page + 1) % Math.ceil(data.figures.length / PAGE);
    },
    language: () => replay.chooseLanguage(),
    light: () => replay.chooseLight(),
  };
}

/**
 * Draw again whenever the curve has another size.
 * @param {Element} curve @param {ReplayState} replay @param {() => unknown} draw
 */
function watchSize(curve, replay, draw) {
  new ResizeObserver(([{ contentRect }]) => {
    const [width, height] = [Math.round(contentRect.width), Math.round(contentRect.height)];
    if (!width || (width === replay.size.width && height === replay.size.height)) return;
    replay.size = { width, height };
    draw();
  }).observe(curve);
}

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "next",
  " ": "play",
  PageUp: "before",
  PageDown: "after",
};
