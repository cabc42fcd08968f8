/** The sky of phones' covers, fetched with its style sheet when a game is on: no first page waits for it. */
import { sky } from "./sky.js";

const link = document.createElement("link");
Object.assign(link, { rel: "stylesheet", href: "/static/games/vampireradar/cover_sky.css" });
await new Promise((done) => {
  link.onload = link.onerror = done;
  document.head.append(link);
});

/**
 * Describe the village, by night and while the dawn is published. A function of the public snapshot alone.
 * @param {{revealing: boolean}} snapshot
 */
export const coverSky = ({ revealing }) => sky(revealing, true);
