/** After the end: the opened seals, each checked here, and the vampire's whole path. */
import { icon } from "./icons.js";
import { el } from "./tree.js";
import { nightText, text } from "./words.js";

/** Ask for every opened line. Answers [{number, path, isTrue}], or null when the table refuses. */
export async function askTruth(ask) {
  const { sha256 } = await import("./sha256.js");
  const nights = [];
  for (let page = 0, pages = 1; page < pages; page += 1) {
    const reply = await ask("reveal", { page });
    if (!reply?.ok) return null;
    pages = reply.pages;
    nights.push(...reply.opened.map((line) => night(line, sha256)));
  }
  return nights;
}

/** Read one opened line: ASCII JSON whose SHA-256 is the seal that everybody saw. */
export function night({ opened, seal }, sha256) {
  const { number, path } = JSON.parse(opened);
  return { number, path, isTrue: sha256(opened) === seal };
}

/** The cells of all nights in a row, for drawing. */
export const wholePath = (nights) => nights.flatMap(({ path }) => path);

/** The nights as a list, each with the sign that its seal holds. */
export function truthList(nights) {
  return el("ol", { id: "truth", class: "clues log", tabindex: 0, translate: "no" }, nights.map(({ number, path, isTrue }) => el("li", {},
    icon(isTrue ? "check" : "cross"), el("span", { class: "vh" }, text(isTrue ? "seal.holds" : "seal.broken")), " ",
    nightText(number, path.join(" → ")))));
}
