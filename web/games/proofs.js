/** The games whose records can be proved, each with its check, its counts and the sealed parts. */
import { proof as vampireradar } from "./vampireradar/proof.js";
import { retrace as retraceNights } from "./vampireradar/paper/proof.js";
import { proof as shisogari } from "./shisogari/proof.js";
import { proof as vampire_empire } from "./vampire_empire/proof.js";
import { proof as vwars } from "./vwars/proof.js";
import { proof as manhunt } from "./manhunt/proof.js";
import { retrace as retraceTurns } from "./manhunt/paper/proof.js";

/** @type {Record<string, GameProof>} */
export const PROOFS = {
  vampireradar: { ...vampireradar, retrace: retraceNights },
  shisogari,
  vampire_empire,
  vwars,
  manhunt: { ...manhunt, retrace: retraceTurns },
};
