/** What seats and pawns are called: "H1a" is Ana's pawn a, a blue triangle. */
export const SHAPES = {
  H1: "triangle",
  H2: "square",
  H3: "circle",
  V: "bat",
  vampires: "fang",
  villagers: "circle",
  vampire: "fang",
  human: "circle",
  P1: "triangle",
  P2: "square",
  P3: "circle",
  P4: "diamond",
  P5: "star",
};

/** Seats of which there is one each, called by their side's name. */
export const SIDES = ["vampires", "villagers", "vampire", "human"];

/** Whether a role is a seat's: all others are "guest" and "display". */
export const isSeat = (role) => role in SHAPES;

/** Whether a seat knows what no other may know. */
export const hasSecret = (seat) => /^([VP]|human$|vampire$)/.test(seat);

export const seatOf = (pawn) => pawn.slice(0, 2);
export const letterOf = (pawn) => pawn.slice(2);

/** Return the name typed for the seat, null if none was: the table then calls a seat by its code. */
export function typedName(seat, seats) {
  const name = seats.find((each) => each.seat === seat)?.name;
  return name && name !== seat ? name : null;
}

/** Order of seats in lists: humans, then the vampire. */
export const humansFirst = (one, other) => Number(one.seat === "V") - Number(other.seat === "V");
