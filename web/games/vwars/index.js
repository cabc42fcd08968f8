/** V-Wars' facts for lobbies, overlays and dashboards. */
import { nameThings } from "../../core/reference.js";

/** @param {Snapshot} snapshot */
const isBox = ({ lobby }) => lobby.options.content === "box";

export const game = {
  minutes: 90,
  bots: ["random", "heuristic", "deep"],
  /** @param {Snapshot} snapshot */
  needed: ({ lobby, seats }) =>
    lobby.options.factions === "cards" ? [] : seats.map(({ seat }) => seat),
  /** A page on which people type the content of their box. @param {Snapshot} snapshot */
  editor: (snapshot) => (isBox(snapshot) ? "/map" : null),
  /** Whether it would be played on numbers: no map was typed. @param {Snapshot} snapshot */
  isNumbered: (snapshot) => isBox(snapshot) && !snapshot.lobby.map,
  nameThings,
  hasWallStyle: true,
  loadDrawing: async () => (await import("./board.js")).drawMap,
};
