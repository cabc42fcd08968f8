/**
 * What a page gets after its first drawing (theme.js), for which nothing waits: its fonts, and the
 * village under the sky behind it, in the colours of the hour.
 */
import "./fonts.js";
import { timedFetch } from "./browser.js";

const FOLDER = "/static/core";

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

await addSky();
