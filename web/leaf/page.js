/** The page that keeps how a game stands by itself, to be read or printed where there is no table. */
import { leaf } from "../static/leaf.js";
import { patch } from "../static/tree.js";
import { useSeats, useWords } from "../static/words.js";

const held = (id) => JSON.parse(document.getElementById(id).textContent);
const [catalogues, facts] = [held("words"), held("facts")];
const language =
  navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in catalogues) ?? "en";
document.documentElement.lang = language;
useWords(language, catalogues[language]);
useSeats(facts.seats);
patch(document.getElementById("screen"), [leaf(facts, "leaf.saved")]);
