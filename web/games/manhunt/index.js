/** What Manhunt brings to lobbies, overlays and dashboards. */
import "./names.js";

const SECRET = "F";

export const game = {
  minutes: 45,
  bots: ["random", "greedy", "search"],
  hasKit: true,
  /** The seat that answers on its own phone alone. */
  secretSeat: SECRET,
  /** The seat that a player is chosen for before the next game. */
  vampireSeat: SECRET,
  hasSecret: (seat) => seat === SECRET,
  needed: () => [SECRET],
  missing: () => "lobby.fugitive",
  /** The fugitive's turn is no night: it is not announced as one. */
  unannounced: ["night_fell", "night_sealed"],
  showsMover: true,
  /** Also on a map of the household's own nobody holds cards, so bots may sit. */
  hasRealCards: () => false,
  /** A page beside the game: its address, and the words for it. */
  pages: { "/map-editor": "map.editor" },
};
