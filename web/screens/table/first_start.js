/** The display's first start, and every way to the table: loaded by the machine's own display, or on request. */
import { imageOf } from "../../core/browser.js";
import { button, CLOSES } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { LANGUAGES, loadWords, text } from "../../core/i18n.js";

const LANGUAGE = { en: "Language", ja: "言語", nl: "Taal" };

/** Describe the first question of a new display: its language, each in its own script. */
export function languageScreen() {
  return h(
    "main.first",
    h(
      "h1",
      Object.entries(LANGUAGE)
        .map(([lang, word], index) => [index ? " · " : "", h("span", { lang }, word)])
        .flat(),
    ),
    Object.entries(LANGUAGES).map(([lang, name]) => button(["lang", lang], name, { lang })),
  );
}

/**
 * Request the QR code of a join option; the words come with the first.
 * @param {SendRequest} request @param {number} index
 */
export async function requestWay(request, index) {
  const [reply] = await Promise.all([request("way", { index }), loadWords(null, "ways")]);
  return reply?.ok ? { ...reply, image: imageOf(reply.svg) } : null;
}

/** Describe the join options, with one QR code to scan. @param {TableState} table */
export function waysScreen({ ui: { way }, join }) {
  /** @type {any[]} */
  const allWays = way.ways;
  const { wifi, password, address } = allWays[way.index];
  return h(
    "main.lobby",
    h(
      "section.seating",
      h("h1", text("ways")),
      h("p.sentence", text(wifi ? "ways.wifi.scan" : "ways.page.scan")),
      h(
        "div.ways",
        { role: "group", "aria-label": text("ways") },
        allWays.map((each, index) =>
          button(
            ["way", index],
            [
              h("span", each.wifi ? text("ways.wifi") : text("join")),
              h("span.muted", { translate: "no" }, each.wifi ?? new URL(each.address).host),
            ],
            { "aria-pressed": String(index === way.index) },
          ),
        ),
      ),
      hint(wifi, allWays),
    ),
    h(
      "section.card",
      { "aria-label": text(wifi ? "ways.wifi" : "join") },
      h("img#qr", { src: way.image, alt: text(wifi ? "ways.wifi.scan" : "ways.page.scan") }),
      h("p", { translate: "no" }, wifi ?? join.code ?? ""),
      h(
        "small",
        { translate: "no" },
        wifi ? password && text("ways.password", { text: password }) : address,
      ),
    ),
    h("div.menu", button("seats", text("ways.done"), { class: "prime", ...CLOSES })),
  );
}

/**
 * What phones may do on a Wi-Fi without the internet, or that other addresses may work.
 * @param {string | undefined} wifi @param {any[]} allWays
 */
function hint(wifi, allWays) {
  const isMany = allWays.filter((each) => each.address).length > 1;
  return (wifi || isMany) && h("div.state", text(wifi ? "ways.stay" : "ways.other"));
}
