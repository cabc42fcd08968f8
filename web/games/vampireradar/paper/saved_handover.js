/** The page that holds a handover, to be read or printed without a table. */
import { handover } from "./handover.js";
import { byId, render } from "../../../core/dom.js";
import { useSeats, useWords } from "../../../core/i18n.js";

/** @param {string} id */
const held = (id) => JSON.parse(byId(id).textContent ?? "");
const [catalogues, facts] = [held("words"), held("facts")];
const language =
  navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in catalogues) ?? "en";
document.documentElement.lang = language;
useWords(language, catalogues[language]);
useSeats(facts.seats);
render(byId("screen"), [handover(facts, "handover.saved")]);
