/** V-Wars' facts for lobbies, overlays and dashboards. */
import { nameThings } from "../../core/reference.js";

/** @param {Snapshot} snapshot */
const isBox = ({ lobby }) => lobby.options.content === "box";

/** @type {GameFacts} */
export const game = {
  minutes: 90,
  bots: ["random", "heuristic", "deep"],
  needed: ({ lobby, seats }) =>
    lobby.options.factions === "cards" ? [] : seats.map(({ seat }) => seat),
  /** A page on which people type the content of their box. */
  editor: (snapshot) => (isBox(snapshot) ? "/map" : null),
  /** Whether it would be played on numbers: no map was typed. */
  isNumbered: (snapshot) => isBox(snapshot) && !snapshot.lobby.map,
  nameThings,
  hasWallStyle: true,
  loadDrawing: async () => (await import("./board.js")).drawMap,
};
