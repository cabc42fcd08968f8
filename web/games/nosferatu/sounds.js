/** What the display of Nosferatu sounds and says aloud. */

/** Sounds of events. */
export const events = { piece_entered: "tok", piece_moved: "tok", piece_jumped: "clink" };

/** Seats that are called otherwise than by their number. */
export const seats = { vampires: "vampires", villagers: "villagers" };

/** Sentences that were spoken beforehand. */
export const spoken = {
  "said.side_to_move": ({ seat }, call) => [call(seat)],
  "said.game_over.vampires": "over.vampires",
  "said.game_over.villagers": "over.villagers",
};
