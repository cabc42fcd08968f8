/** The page that proves a game by itself: what it holds, or a record that somebody gives it. No network, no table. */
import { PROOFS } from "../games/proofs.js";
import { byHand, prove } from "./proof.js";

const catalogues = JSON.parse(document.getElementById("words").textContent);
const language =
  navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in catalogues) ?? "en";
const word = (code, params = {}) =>
  (catalogues[language][code] ?? code).replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "");

const page = { record: document.getElementById("record").textContent, notes: "" };

/** What somebody wrote down: a line is POSITION and HEAD, or a seal alone in the order of the nights (NUMBER HEX also). */
function keptIn(notes) {
  const kept = { heads: {}, seals: {} };
  for (const [, kind, number, hex] of notes.matchAll(
    /^\s*(seal\s+)?(\d+)[\s:]+([0-9a-f]{64})\s*$/gim,
  )) {
    kept[kind ? "seals" : "heads"][number] = hex.toLowerCase();
  }
  return kept;
}

/** @returns {HTMLElement} */
function element(tag, text = "", more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, more);
}

/** From where a game that deals drew, if it holds: the sealed seed and phones, or the table alone. */
function drawnFrom({ isShuffled, seed, wrong }) {
  if (wrong || !isShuffled) return [];
  const given = seed?.given.includes("deal") ? word("shuffle.given") : "";
  return [
    element(
      "p",
      seed
        ? given + word("shuffle", { n: Object.keys(seed.shares).length })
        : word("shuffle.alone"),
      { id: "shuffle" },
    ),
  ];
}

function draw() {
  const proof = prove(page.record, keptIn(page.notes));
  const game = proof.game ?? Object.keys(PROOFS)[0];
  const verdict = proof.wrong
    ? element("p", word("wrong", { what: word(proof.wrong), line: proof.at }), {
        className: "wrong",
      })
    : element(
        "p",
        word(`right.${game}`, { n: proof.answers, seals: proof.nights.length, ...proof.count }),
        { className: "right" },
      );
  verdict.id = "verdict";
  const nights = element("ol", "", { id: "nights" });
  for (const night of proof.nights) {
    const line = element(
      "li",
      night.path.join(" → ") ||
        `${night.seat}: ${night.actions.map(({ type, card }) => card ?? type).join(", ")}`,
    );
    line.append(element("code", night.seal), element("code", byHand(night)));
    nights.append(line);
  }
  if (proof.paper)
    verdict.append(element("br"), word(proof.paper.pages ? "paper.typed" : "paper.untyped"));
  const pages = element("ol", "", { id: "pages", start: proof.paper?.from ?? 1 });
  for (const cells of proof.paper?.pages?.slice(1) ?? [])
    pages.append(element("li", cells.join(" → ") || "–"));
  const paper = proof.paper?.pages
    ? [element("h2", word("nights.paper")), element("p", proof.paper.pages[0].join(" ")), pages]
    : [];
  /** @type {HTMLElement[]} */
  const sealed = [
    ...(proof.seed ? [element("h2", word("shuffle.line")), element("p", "", { id: "seed" })] : []),
    ...(proof.deal ? [element("h2", word("deal")), element("p", "", { id: "deal" })] : []),
    ...(proof.isDealt ? [] : [element("h2", word(`nights.${game}`))]),
  ];
  for (const [id, line] of Object.entries({ seed: proof.seed, deal: proof.deal })) {
    if (line)
      sealed
        .find((each) => each.id === id)
        ?.append(element("code", line.seal), element("code", byHand(line)));
  }
  const notes = element("textarea", "", {
    value: page.notes,
    id: "kept",
    oninput: ({ target }) => {
      page.notes = target.value;
    },
  });
  const file = element("input", "", {
    type: "file",
    accept: ".jsonl",
    id: "file",
    onchange: async ({ target }) => {
      page.record = await target.files[0].text();
      draw();
    },
  });
  const told = element("p", proof.kept ? word("kept", { n: proof.kept }) : "", { id: "found" });
  const label = element("label", word("notes"));
  label.append(notes);
  const other = element("label", `${word("other")} `);
  other.append(file);
  document.documentElement.lang = language;
  document.title = word("title");
  document
    .getElementById("proof")
    .replaceChildren(
      element("h1", word("title")),
      verdict,
      element("p", word("head", { head: proof.head ?? "–" })),
      element("p", word(`means.${game}`)),
      ...drawnFrom(proof),
      element("p", word("not")),
      label,
      element("button", word("compare"), { id: "compare", onclick: draw }),
      told,
      element("p", word("hand")),
      ...sealed,
      nights,
      ...paper,
      other,
    );
}

draw();
