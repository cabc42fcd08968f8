/** The phone's camera: small views to compare, and still pictures to send. */
import { greyOf } from "./change_detection.js";

/** Pixels of a view's longer side, and of a still picture's. */
const VIEW_SIDE = 160;
const STILL_SIDE = 2304;
const QUALITY = 0.9;
/** Pixels of a video's picture below which a still picture is used instead. */
const ENOUGH_PIXELS = 3_000_000;
const STILL_MS = 4000;
const HAVE_PICTURE = 2;
const WANTED = {
  audio: false,
  video: { facingMode: { ideal: "environment" }, width: { ideal: 4096 }, height: { ideal: 3072 } },
};

/** Request the rear camera in its highest resolution; throws the errors of getUserMedia. */
export const openCamera = () => navigator.mediaDevices.getUserMedia(WANTED);

/** Whether this page may request a camera: only a secure context may. */
export const mayAsk = () => Boolean(navigator.mediaDevices?.getUserMedia);

/** @type {any} */
const browser = globalThis;
const drawn = new OffscreenCanvas(1, 1);

/**
 * @param {CanvasImageSource} source @param {number} width @param {number} height
 * @param {number} longest
 */
function draw(source, width, height, longest) {
  const scale = Math.min(1, longest / Math.max(width, height));
  [drawn.width, drawn.height] = [Math.round(width * scale), Math.round(height * scale)];
  /** @type {any} */
  const pen = drawn.getContext("2d", { willReadFrequently: true });
  pen.imageSmoothingQuality = "high";
  pen.drawImage(source, 0, 0, drawn.width, drawn.height);
  return pen;
}

/** The view, small and grey; null before the first picture. @param {HTMLVideoElement} video */
export function viewOf(video) {
  // Before its first picture a video is black.
  if (!video?.videoWidth || video.readyState < HAVE_PICTURE) return null;
  const pen = draw(video, video.videoWidth, video.videoHeight, VIEW_SIDE);
  return greyOf(pen.getImageData(0, 0, drawn.width, drawn.height).data);
}

/** A still picture as JPEG. @param {HTMLVideoElement} video @param {MediaStreamTrack} track */
export async function stillOf(video, track) {
  const isEnough = video.videoWidth * video.videoHeight >= ENOUGH_PIXELS;
  const still = isEnough ? null : await photo(track);
  if (still) draw(still, still.width, still.height, STILL_SIDE);
  else draw(video, video.videoWidth, video.videoHeight, STILL_SIDE);
  still?.close();
  return drawn.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}

/** A photo of the camera, null if it cannot take one. @param {MediaStreamTrack} track */
async function photo(track) {
  const { ImageCapture } = browser;
  if (!ImageCapture) return null;
  try {
    const late = new Promise((_, give) => setTimeout(give, STILL_MS, new Error("late")));
    return await createImageBitmap(await Promise.race([new ImageCapture(track).takePhoto(), late]));
  } catch {
    // After any error of the driver: the video's own picture is smaller, but available.
    return null;
  }
}
