// Proves what stands on standard input: one JSON array [record, kept] a line; prints one JSON answer a line.
import { createInterface } from "node:readline";

import { byHand, prove } from "../../web/proof/proof.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { nights, ...rest } = prove(...JSON.parse(line));
  const lines = [rest.seed, rest.deal, ...nights].filter(Boolean);
  console.log(
    JSON.stringify({
      ...rest,
      nights: nights.length,
      commands: lines.map(byHand),
      seals: lines.map(({ seal }) => seal),
    }),
  );
}
