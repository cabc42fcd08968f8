/** The catalogues as files, for tests that say something. */
import { readFileSync, readdirSync } from "node:fs";

const WEB = new URL("../../web/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, WEB)));
const all = (folder, language) =>
  readdirSync(new URL(folder, WEB), { recursive: true })
    .filter((path) => new RegExp(`(^|/)${language}\\.json$`).test(path))
    .map((path) => read(`${folder}/${path}`));

/** What every page says, with `rooms` ("host") also what is said only there. */
export const sharedWords = (language, ...rooms) =>
  Object.assign({}, ...["", ...rooms].map((room) => read(`i18n/${room}/${language}.json`)));

/** All that these games say, wherever they say it, a later one before an earlier one. */
export const gameWords = (language, ...games) =>
  Object.assign({}, ...games.flatMap((game) => all(`games/${game}/i18n`, language)));
