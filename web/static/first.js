/** The display's first start, and every way to the table: loaded by the machine's own display, or when it is asked for. */
import { button } from "./choices.js";
import { el } from "./tree.js";
import { LANGUAGES, loadWords, text } from "./words.js";

const LANGUAGE = { en: "Language", ja: "言語", nl: "Taal" };

/** Describe the question of a display that nobody has used: its language, each in its own script. */
export function languageScreen() {
  return el(
    "main",
    { class: "first" },
    el(
      "h1",
      {},
      Object.entries(LANGUAGE)
        .map(([lang, word], index) => [index ? " · " : "", el("span", { lang }, word)])
        .flat(),
    ),
    Object.entries(LANGUAGES).map(([lang, name]) =>
      button(`lang-${lang}`, name, { lang, class: "prime" }),
    ),
  );
}

/** Ask for the drawing of a way; its words come with the first. */
export async function askWay(ask, index) {
  const [reply] = await Promise.all([ask("way", { index }), loadWords(null, "ways")]);
  return reply?.ok
    ? { ...reply, image: URL.createObjectURL(new Blob([reply.svg], { type: "image/svg+xml" })) }
    : null;
}

/** Describe the ways, one of them to be scanned. */
export function waysScreen({ ui: { way }, join }) {
  const { wifi, password, address } = way.ways[way.index];
  return el(
    "main",
    { class: "lobby ways" },
    el(
      "section",
      { class: "card", "aria-label": text(wifi ? "ways.wifi" : "join") },
      el("img", {
        id: "qr",
        src: way.image,
        alt: text(wifi ? "ways.wifi.scan" : "ways.page.scan"),
      }),
      el("p", { translate: "no" }, wifi ?? join.code ?? ""),
      el(
        "small",
        { translate: "no" },
        wifi ? password && text("ways.password", { text: password }) : address,
      ),
    ),
    el(
      "section",
      { class: "column" },
      el("h1", {}, text("ways")),
      el(
        "div",
        { class: "games", role: "group", "aria-label": text("ways") },
        way.ways.map((each, index) =>
          button(
            `way-${index}`,
            [
              el("span", {}, each.wifi ? text("ways.wifi") : text("join")),
              el(
                "span",
                { class: "muted", translate: "no" },
                each.wifi ?? new URL(each.address).host,
              ),
            ],
            { "aria-pressed": String(index === way.index) },
          ),
        ),
      ),
      el("p", {}, text(wifi ? "ways.wifi.scan" : "ways.page.scan")),
      el(
        "p",
        { class: "muted" },
        wifi
          ? text("ways.stay")
          : way.ways.filter((each) => each.address).length > 1 && text("ways.other"),
      ),
      el("div", { class: "row push" }, button("seats", text("ways.done"), { class: "prime" })),
    ),
  );
}
