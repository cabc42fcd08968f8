/**
 * What a page gets after its first drawing (theme.js), for which nothing waits: its fonts, and the
 * village under the sky behind it, in the colours of the hour.
 */
import { timedFetch } from "./browser.js";

const FOLDER = "/static/core";

/**
 * Load a font; text has another one until it is there, and without it.
 * @param {string} family
 * @param {string} name
 * @param {FontFaceDescriptors} [more]
 */
export function addFont(family, name, more) {
  const face = new FontFace(family, `url(${FOLDER}/fonts/${name}.woff2)`, {
    display: "swap",
    ...more,
  });
  document.fonts.add(face);
}

async function addSky() {
  const link = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: `${FOLDER}/sky.css`,
  });
  const [reply] = await Promise.all([
    timedFetch(`${FOLDER}/sky.svg`),
    new Promise((done) => {
      link.onload = done;
      document.head.append(link);
    }),
  ]);
  const picture = new DOMParser().parseFromString(await reply.text(), "image/svg+xml");
  const sky = document.adoptNode(picture.documentElement);
  sky.id = "sky";
  sky.setAttribute("aria-hidden", "true");
  document.body.prepend(sky);
}

addFont("Atkinson Hyperlegible Next", "text", { weight: "400 700" });
addFont("Fraunces", "display", { weight: "600 700" });
addFont("Grenze Gotisch", "title");
await addSky();
