/** A button for each language of the pages; the current one is pressed. */
import { button } from "./controls.js";
import { LANGUAGES } from "./i18n.js";

/** `action`: the first part of each button's action, before the language's code. */
export const languageButtons = (action = "language-") =>
  Object.entries(LANGUAGES).map(([code, name]) =>
    button(`${action}${code}`, name, {
      lang: code,
      "aria-pressed": String(code === document.documentElement.lang),
    }),
  );
