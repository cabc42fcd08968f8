// Answers the cells of shots: one JSON object {view, shots: [[cell, direction]]} a line on standard input, one JSON array a line out.
import { createInterface } from "node:readline";

import { shotCells } from "../../web/games/vampireradar/drawing/field.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { view, shots } = JSON.parse(line);
  console.log(JSON.stringify(shots.map(([cell, direction]) => shotCells(cell, direction, view))));
}
