/** V-Wars' facts for lobbies, overlays and dashboards. */
import { nameThings } from "../../core/reference.js";

const isBox = ({ lobby }) => lobby.options.content === "box";

export const game = {
  minutes: 90,
  bots: ["random", "heuristic", "belief"],
  needed: ({ lobby, seats }) =>
    lobby.options.factions === "cards" ? [] : seats.map(({ seat }) => seat),
  /** A page on which people type the content of their box. */
  editor: (snapshot) => (isBox(snapshot) ? "/map" : null),
  /** Whether the game would be played on numbered places, since nobody typed its map. */
  isNumbered: (snapshot) => isBox(snapshot) && !snapshot.lobby.map,
  nameThings,
  hasWallStyle: true,
  loadDrawing: async () => (await import("./board.js")).drawMap,
};
