/**
 * After the end: open every seal and compute every answer again in this browser, with the
 * vampire's path.
 */
import { timedFetch } from "../core/browser.js";
import { icon } from "../core/icons.js";
import { h } from "../core/dom.js";
import { gameOf, loadGame } from "../games/index.js";
import { loadWords, nightText, text } from "../core/i18n.js";

/** Fetch and prove the record, with this browser's hashes; null before the end. */
export async function fetchProof() {
  const reply = await timedFetch("/record.jsonl");
  if (!reply.ok) return null;
  const [{ prove }, { kept }, { Channel }] = await Promise.all([
    import("./proof.js"),
    import("./history_keeper.js"),
    import("../core/channel.js"),
    loadWords(null, "truth"),
  ]);
  const channel = await Channel.openKept();
  const proof = prove(await reply.text(), kept({ table: channel?.tableHex }));
  await loadGame(proof.game);
  return proof;
}

/** The cells of all nights in a row, also on paper. @param {{nights: any[], paper?: any}} proof */
export const wholePath = ({ nights, paper = null }) => [
  ...nights.flatMap(({ path }) => path),
  ...(paper?.pages?.flat() ?? []),
];

/**
 * The verdict, the button that keeps the proof, and the nights as a list if there are paths. Each
 * seal was opened, or the verdict has the failed check.
 * @param {ProofResult} proofResult
 */
export function proofList({ game, nights, paper, isDealt, seed, answers, kept, wrong }) {
  const { turnText = ({ number, path }) => nightText(number, path.join(" → ") || "–") } =
    gameOf(game);
  // This phone's own share is in no saved proof, so only the phone can show that it is missing.
  const verdict = text(
    wrong === "proof.share"
      ? "truth.share"
      : wrong
        ? "proof.wrong"
        : isDealt
          ? "proof.dealt"
          : "proof.right",
    { n: answers },
  );
  return h(
    "section#truth.truth",
    h(
      "p#verdict",
      { class: wrong ? "bad" : "fine" },
      icon(wrong ? "cross" : "check"),
      " ",
      verdict,
      kept > 0 && ` · ${text("proof.kept", { n: kept })}`,
    ),
    seed && !wrong && h("p#shuffle.muted", shuffled(seed)),
    h("a#page.button", { href: "/proof.html", download: "proof.html" }, text("proof.page")),
    (paper || wholePath({ nights }).length > 0) &&
      h(
        "ol.clues.log",
        { tabindex: 0, translate: "no" },
        nights.map(({ number, path, when, seal }) =>
          h("li", { title: seal }, turnText({ number, path, when, isSealed: true })),
        ),
        paper?.pages?.map((path, page) => {
          const when = paper.when?.[page];
          // It already has the end of the last sealed turn.
          return (
            (when ?? (page > 0 || !nights.length)) &&
            h("li", turnText({ number: page && page + paper.from, path, when }))
          );
        }),
        paper &&
          h(
            "li#unsealed.muted",
            { translate: "yes" },
            text(paper.pages ? "paper.unsealed" : "paper.untyped"),
          ),
      ),
  );
}

/** Describe the deal's sources: seed, phones, changes by hand. @param {Seed} seed */
function shuffled({ shares, customSetup }) {
  const n = Object.keys(shares).length;
  const part = n > 0 ? text("truth.shuffle", { n }) : text("truth.seed");
  return customSetup.includes("deal") ? `${text("truth.given")} ${part}` : part;
}
