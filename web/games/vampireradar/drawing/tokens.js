/** Edit Vampire Radar's table by hand: bullets and bats lie on their own kind of tile. */
import { manualEdit } from "../../../screens/table/manual_edit.js";
import { tileAt } from "./field.js";

/** @type {Record<string, string>} */
const KINDS = { o: "bullet", b: "bat" };

export const edit = manualEdit({
  kindAt: (cell, { tiles }) => KINDS[tileAt(cell, tiles)],
  lists: { bullet: "bullets", bat: "bats" },
});
