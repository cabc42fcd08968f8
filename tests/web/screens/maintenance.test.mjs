// The table of the board's loops, from the data that the table sends.
import assert from "node:assert/strict";
import { sharedWords } from "../catalogues.mjs";
import test from "node:test";

import { renderToString } from "../markup.mjs";
import { useWords } from "../../../web/core/i18n.js";
import { calibration } from "../../../web/screens/board/maintenance.js";

useWords("en", sharedWords("en", "maintenance"));

const loop = (more) => ({
  loop: 3,
  axis: "row",
  strongest: 0.5,
  tags: 2,
  gain: 1.5,
  gain_drift: 0,
  is_broken: false,
  ...more,
});
const shown = (more) =>
  renderToString(calibration({ calibrated: null, procedure: null }, [loop(more)], false));

test("a loop that has drifted more than 5 dB from its calibration is marked, with the decibels", () => {
  assert.match(shown({ gain_drift: -7.4 }), /class="bad".*-7 dB off its calibration/s);
  assert.doesNotMatch(shown({ gain_drift: 4.9 }), /off its calibration|class="bad"/);
  assert.doesNotMatch(shown({ gain_drift: null }), /off its calibration|class="bad"/);
});
