/** The names of a game's options, and the options that a table chose. */
import { text } from "../../core/i18n.js";

/** The name of a value, from the words of "settings". @param {string} key @param {unknown} value */
export function valueText(key, value) {
  if (value === null) return text("value.usual");
  if (typeof value === "boolean") return text(value ? "value.yes" : "value.no");
  if (typeof value === "string") return value.endsWith(".toml") ? value : text(`${key}.${value}`);
  return key === "setting.night_floor" || key === "option.place_seconds"
    ? text("seconds", { n: value })
    : String(value);
}

/**
 * The options of a snapshot's game that are not the default ones, as [name, value]; `known` has the possible values, the default first.
 * @param {Snapshot} snapshot @param {Record<string, unknown[]>} known
 */
export function chosenOptions({ view, lobby }, known) {
  const options = view?.options ?? lobby?.options ?? {};
  return Object.entries(known)
    .filter(([name, [usual]]) => (options[name] ?? usual) !== usual)
    .map(([name]) => [name, options[name]]);
}
