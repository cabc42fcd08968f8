/**
 * The page that proves a game by itself: its own record, or one that somebody opens. No network,
 * no table.
 */
import { PROOFS } from "../games/proofs.js";
import { byHand, prove } from "./proof.js";

/** @param {string} id */
const textOf = (id) => document.getElementById(id)?.textContent ?? "";
const catalogues = JSON.parse(textOf("words"));
const language =
  navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in catalogues) ?? "en";
/** @param {string} code @param {Params} [params] */
const word = (code, params = {}) =>
  (catalogues[language][code] ?? code).replace(
    /\{(\w+)\}/g,
    /** @param {string} _ @param {string} name */
    (_, name) => params[name] ?? "",
  );

const page = { record: textOf("record"), notes: "" };

/** Parse notes of lines `POSITION HEAD` or `seal NUMBER HEX`. @param {string} notes */
function keptIn(notes) {
  /** @type {Record<"heads" | "seals", Record<string, string>>} */
  const hashes = { heads: {}, seals: {} };
  for (const [, kind, number, hex] of notes.matchAll(
    /^\s*(seal\s+)?(\d+)[\s:]+([0-9a-f]{64})\s*$/gim,
  )) {
    hashes[kind ? "seals" : "heads"][number] = hex.toLowerCase();
  }
  return hashes;
}

/** @returns {HTMLElement} @param {string} tag @param {string} [text] @param {object} [more] */
function element(tag, text = "", more = {}) {
  return Object.assign(document.createElement(tag), { textContent: text }, more);
}

/**
 * The source of a dealt game's random numbers, if it is verified: the sealed seed and phones, or
 * the table alone.
 * @param {ProofResult} proofResult
 */
function drawnFrom({ isShuffled, seed, wrong }) {
  if (wrong || !isShuffled) return [];
  const dealt = seed?.customSetup.includes("deal") ? word("shuffle.given") : "";
  return [
    element(
      "p",
      seed
        ? dealt + word("shuffle", { n: Object.keys(seed.shares).length })
        : word("shuffle.alone"),
      { id: "shuffle" },
    ),
  ];
}

/** The sentence of the result. @param {ProofResult} proof @param {string} game */
function verdictOf(proof, game) {
  const verdict = proof.wrong
    ? element(
        "p",
        word(proof.at ? "wrong" : "wrong.path", { what: word(proof.wrong), line: proof.at }),
        { className: "wrong" },
      )
    : element(
        "p",
        word(`right.${game}`, { n: proof.answers, seals: proof.nights.length, ...proof.count }),
        { className: "right" },
      );
  verdict.id = "verdict";
  if (proof.paper)
    verdict.append(element("br"), word(proof.paper.pages ? "paper.typed" : "paper.untyped"));
  return verdict;
}

/** The opened lines and sealed turns. @param {ProofResult} proof @param {string} game */
function sealedLines(proof, game) {
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
  /** @param {string} id @param {string} title @param {{line: string, seal: string} | null} line */
  const opened = (id, title, line) => {
    if (!line) return [];
    const place = element("p", "", { id });
    place.append(element("code", line.seal), element("code", byHand(line)));
    return [element("h2", word(title)), place];
  };
  return [
    ...opened("seed", "shuffle.line", proof.seed),
    ...opened("deal", "deal", proof.deal),
    ...(proof.isDealt ? [] : [element("h2", word(`nights.${game}`))]),
    nights,
  ];
}

/** The pages of a path that was kept on paper. @param {ProofResult} proof */
function paperPages({ paper }) {
  if (!paper?.pages) return [];
  const pages = element("ol", "", { id: "pages", start: paper.from ?? 1 });
  for (const [index, cells] of paper.pages.slice(1).entries()) {
    const line = element("li", cells.join(" → ") || "–");
    // Where turns are no nights, each has the number of its round; a start has 0.
    if (paper.when) line.setAttribute("value", paper.when[index + 1].round);
    pages.append(line);
  }
  return [element("h2", word("nights.paper")), element("p", paper.pages[0].join(" ")), pages];
}

/** The field for somebody's notes, with its label. */
function notesField() {
  const label = element("label", word("notes"));
  label.append(
    element("textarea", "", {
      value: page.notes,
      id: "kept",
      /** @param {{target: HTMLTextAreaElement}} parts */
      oninput: ({ target }) => {
        page.notes = target.value;
      },
    }),
  );
  return label;
}

/** The choice of another record, with its label. */
function fileField() {
  const label = element("label", `${word("other")} `);
  label.append(
    element("input", "", {
      type: "file",
      accept: ".jsonl",
      id: "file",
      /** @param {{target: {files: FileList}}} parts */
      onchange: ({ target }) => {
        if (target.files[0]) read(target.files[0]);
      },
    }),
  );
  return label;
}

/** Prove an opened record; until then the page shows nothing of another. @param {Blob} file */
async function read(file) {
  document.getElementById("proof")?.replaceChildren();
  // A file that is gone, or on a disk that was removed, is unreadable like a damaged one.
  page.record = await file.text().catch(() => "");
  draw();
}

function draw() {
  const proof = prove(page.record, keptIn(page.notes));
  const game = proof.game ?? Object.keys(PROOFS)[0];
  document.documentElement.lang = language;
  document.title = word("title");
  document
    .getElementById("proof")
    ?.replaceChildren(
      element("h1", word("title")),
      verdictOf(proof, game),
      ...(proof.wrong
        ? []
        : [
            element("p", word("head", { head: proof.head ?? "–" })),
            element("p", word(`means.${game}`)),
          ]),
      ...drawnFrom(proof),
      element("p", word("not")),
      notesField(),
      element("button", word("compare"), { id: "compare", onclick: draw }),
      element("p", proof.kept ? word("kept", { n: proof.kept }) : "", { id: "found" }),
      element("p", word("hand")),
      ...sealedLines(proof, game),
      ...paperPages(proof),
      fileField(),
    );
}

draw();
