/**
 * The page that shows a game by itself: it contains the replay, the words and the record. No
 * network, no table.
 */
import { replay as format } from "#replay";
import { openReplay } from "./controls.js";
import { byId } from "../../core/dom.js";
import { LANGUAGES, text, useWords } from "../../core/i18n.js";

/** @param {string} id */
const held = (id) => byId(id).textContent ?? "";
const catalogues = JSON.parse(held("words"));
let language =
  navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in catalogues) ?? "en";

/** @param {string} chosen */
function chooseLanguage(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  useWords(chosen, catalogues[chosen]);
  byId("say").setAttribute("aria-label", text("announced"));
}

/** A file has no stored theme: it begins in that of the browser. */
const { classList } = document.documentElement;
classList.toggle("light", matchMedia("(prefers-color-scheme: light)").matches);

chooseLanguage(language);
openReplay(JSON.parse(held("replay")), {
  format,
  back: null,
  isFile: true,
  record: URL.createObjectURL(new Blob([held("record")], { type: "application/jsonl" })),
  chooseLanguage() {
    const known = Object.keys(LANGUAGES);
    chooseLanguage(known[(known.indexOf(language) + 1) % known.length]);
  },
  chooseLight: () => classList.toggle("light"),
});
