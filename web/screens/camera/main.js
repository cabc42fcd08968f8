/**
 * The camera phone: it shows its view, and sends a picture when the table has changed. It gets
 * public facts only.
 */
import { timedFetch } from "../../core/browser.js";
import { Channel } from "../../core/channel.js";
import { ChangeWatch } from "./change_detection.js";
import { mayAsk, openCamera, stillOf, viewOf } from "./capture.js";
import { backOff } from "../../core/stream.js";
import { button, onPress } from "../../core/controls.js";
import { byId, h, render } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { keepAwake } from "../../core/wake_lock.js";
import { followLanguage, loadWords, message, pawnChip, text } from "../../core/i18n.js";

const STORAGE = "camera-key";
const LOOK_MS = 100;
/** At least this often the phone reports that the view is the same; the table's time limit is 10 s. */
const CONFIRM_MS = 3000;
/** A view that never rests, under a flickering lamp, is sent this often. */
const MOVING_MS = 5000;
/** Pictures after a change: two must agree for a reading, and three miss a pawn that is gone. */
const PICTURES = 3;
const KEY_LETTERS = 43;
/** @type {any} */
const PERMISSION = { name: "camera" };
const COLUMNS = "ABCDEF";
const ROWS = [1, 2, 3, 4, 5, 6];
const TILES = 36;

/** `trouble` is {code, params}: why nothing is sent now. `reading`: the table's last reading. */
/** @type {Record<string, any>} */
const page = {
  channel: null,
  stream: null,
  trouble: null,
  isLost: false,
  isMoving: true,
  reading: null,
  left: PICTURES,
  told: 0,
  tries: 0,
};
const watch = new ChangeWatch();

async function begin() {
  await loadWords(null, "camera");
  followLanguage(draw);
  const code = location.hash.slice(1);
  page.channel = await Channel.open({
    server_key_b64url: code.slice(0, KEY_LETTERS) || null,
    storage: STORAGE,
  });
  onPress(document.body, () => start());
  document.addEventListener("visibilitychange", () => !document.hidden && resume());
  await paired(code.slice(KEY_LETTERS));
  // A phone with permission needs no press after a reload.
  const known = await navigator.permissions?.query(PERMISSION).catch(() => null);
  if (known?.state === "granted") await start();
  draw();
  look();
}

/** Become the camera by the code of the address, which works once. @param {string} code */
async function paired(code) {
  if (!page.channel) page.trouble = { code: "camera.unpaired" };
  if (!page.channel || !code) return;
  const reply = await request("pair_camera", { code });
  if (reply?.ok) history.replaceState(null, "", location.pathname);
}

/**
 * The table's answer, null without one; stores the refusal or the error.
 * @param {string} what @param {Record<string, unknown>} args
 */
async function request(what, args) {
  const reply = await page.channel.ask(what, args);
  const { ok, isLost = false, code, message: refusal } = reply;
  page.tries = isLost ? page.tries + 1 : 0;
  page.isLost = isLost && code !== "unopened";
  if (["not_seated", "unopened"].includes(code)) page.trouble = { code: "camera.unpaired" };
  else if (!isLost) page.trouble = ok ? null : refusal;
  return ok ? reply : null;
}

async function start() {
  if (!mayAsk()) {
    page.trouble = { code: "camera.insecure" };
    return draw();
  }
  try {
    page.stream = await openCamera();
  } catch (error) {
    page.trouble = { code: error.name === "NotFoundError" ? "camera.none" : "camera.denied" };
    return draw();
  }
  page.stream.getVideoTracks()[0].addEventListener("ended", resume);
  if (navigator.wakeLock) keepAwake(true);
  page.told = performance.now();
  draw();
}

/** Open the camera again after another program or a sleeping phone has closed it. */
function resume() {
  if (page.stream?.getVideoTracks()[0].readyState === "ended" && !document.hidden) start();
}

async function look() {
  let pause = LOOK_MS;
  try {
    const view = page.stream && viewOf(videoView());
    if (view && page.channel) {
      await report(watch.look(view));
      if (page.isLost || page.trouble) pause = backOff(Math.max(1, page.tries));
    }
    draw();
  } finally {
    setTimeout(look, pause);
  }
}

/** Send a picture, or report that the view is the same, or wait. @param {string} seen */
async function report(seen) {
  const since = performance.now() - page.told;
  page.isMoving = seen === "moving";
  if (seen === "changed") page.left = PICTURES;
  const isDue = seen === "moving" ? since > MOVING_MS : page.left > 0;
  if (isDue) await send();
  else if (seen === "same" && since > CONFIRM_MS) await confirm();
}

async function confirm() {
  const reply = await request("watch", { changed: false });
  if (reply) took(reply);
}

async function send() {
  const reply = await request("watch", { changed: true });
  if (!reply?.ticket) return;
  const [track] = page.stream.getVideoTracks();
  const body = await stillOf(videoView(), track);
  const headers = { "Content-Type": "application/octet-stream", "X-Ticket": reply.ticket };
  const sent = await timedFetch("/frame", { method: "POST", body, headers }).catch(() => null);
  page.isLost = !sent;
  if (!sent?.ok) return;
  watch.sent();
  page.left--;
  took(reply);
}

/** Store the table's reading; a restarted one needs a picture. @param {{reading: any}} parts */
function took({ reading }) {
  page.told = performance.now();
  page.reading = reading;
  if ((reading?.count ?? 0) < PICTURES && page.left <= 0) page.left = 1;
}

function draw() {
  const trouble = page.isLost ? { code: "camera.lost" } : page.trouble;
  render(byId("screen"), [
    h(
      "main",
      h("h1", text("camera.title")),
      // Before all optional nodes: a moved video node is made again, and shows nothing.
      page.stream && h("video#view", { muted: true, playsinline: true, autoplay: true }),
      trouble && h("p#notice.bad", { role: "alert" }, message(trouble)),
      page.stream
        ? seen(page.reading)
        : page.channel && [
            h("p#certificate", text("camera.certificate")),
            button("start", text("camera.start"), { class: "prime" }),
          ],
      h("p.muted", text("camera.privacy")),
    ),
  ]);
  const video = videoView();
  if (video && video.srcObject !== page.stream)
    Object.assign(video, { srcObject: page.stream, muted: true });
}

/** @returns {HTMLVideoElement} */
function videoView() {
  /** @type {any} */
  const view = document.getElementById("view");
  return view;
}

/** @param {any} reading */
function seen(reading) {
  const isField = Boolean(reading && !reading.problem);
  return [
    h("p#state.muted", text(page.isMoving ? "camera.moving" : "camera.still")),
    h(
      "ul#ticks",
      tick(isField, text("camera.field")),
      isField && tick(reading.tiles === TILES, text("camera.tiles", { n: reading.tiles })),
      isField && reading.pawns.length > 0 && tick(true, reading.pawns.map(pawnChip)),
    ),
    reading?.problem && h("p#problem.bad", message(reading.problem)),
    isField && grid(new Set(reading.covered)),
  ];
}

/** @param {boolean} isRight @param {...Child} words */
const tick = (isRight, ...words) =>
  h("li", { class: isRight ? "fine" : "bad" }, icon(isRight ? "check" : "cross"), " ", words);

/** @param {Set<string>} covered */
const grid = (covered) =>
  h(
    "table#cells",
    { "aria-label": text("camera.cells") },
    ROWS.map((row) =>
      h(
        "tr",
        [...COLUMNS].map((column) => {
          const cell = `${column}${row}`;
          return h(
            "td",
            { class: covered.has(cell) ? "covered" : "" },
            cell,
            covered.has(cell) ? " ?" : icon("check"),
          );
        }),
      ),
    ),
  );

await begin();
