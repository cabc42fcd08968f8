/** A button for each language of the pages; the current one is pressed. */
import { button } from "./controls.js";
import { LANGUAGES } from "./i18n.js";

export const languageButtons = () =>
  Object.entries(LANGUAGES).map(([code, name]) =>
    button(["language", code], name, {
      lang: code,
      "aria-pressed": String(code === document.documentElement.lang),
    }),
  );
