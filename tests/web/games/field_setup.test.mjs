/** The display's screen of the field, without a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CELLS } from "../../../web/games/vampireradar/drawing/field.js";
import { fieldScreen } from "../../../web/games/vampireradar/tiles/field_setup.js";

/** The actions of a described screen, and which of them is the prime one. */
function offered(tree) {
  const { "data-action": action, class: name } = tree.attrs ?? {};
  const own = action ? [[action, name === "prime"]] : [];
  return [...own, ...(tree.children ?? []).flatMap(offered)];
}

function screen(read) {
  const seenTiles = Object.fromEntries(
    CELLS.slice(0, read).map((cell, index) => [cell, [index + 1, 0]]),
  );
  const snapshot = {
    lobby: {
      field: null,
      sheet: null,
      seen_tiles: seenTiles,
      warnings: [],
      ready: true,
      pawns: {},
    },
    seats: [],
    board: null,
  };
  return Object.fromEntries(
    offered(fieldScreen({ snapshot, canControl: true, notice: null, ui: {} })),
  );
}

test("a field that was read whole is used with the prime button, before anything starts without it", () => {
  assert.deepEqual([true, false], [screen(36).take, screen(36).start]);
});

test("what was read in part is no field yet", () => {
  assert.deepEqual([undefined, true], [screen(35).take, screen(35).start]);
});
