// Types of Shisogari's pages for the checker alone; browsers never load this file.

type ShisogariRole = "vampire" | "hunter" | "kin";

/** A pair on the table: its colour, and its item if it lies face up. */
interface ShisogariLaid {
  colour: string;
  item: string | null;
}

/** The running turn: who takes from or gives to whom, the named item, the colour of the picked back. */
interface ShisogariTransfer {
  seat: string;
  way: "take" | "give";
  partner: string;
  item: string | null;
  colour: string | null;
}

/** All cards as they lie open after an accusation. */
interface ShisogariShown {
  roles: Record<string, ShisogariRole>;
  hands: Record<string, string[]>;
  pairs: Record<string, [string, string][]>;
}

interface ShisogariCount {
  pairs: number;
  hunters: number;
  needed: number;
}

/** The public view (companion/games/shisogari/messages.py). */
interface ShisogariView extends View {
  options: Record<string, any>;
  players: number;
  needed: number;
  /** A letter for each card of a hand: `w`, `b`, or `?` for a real one. */
  backs: Record<string, string>;
  /** The backs of the last cards that are not taken yet. */
  last: string;
  pairs: Record<string, ShisogariLaid[]>;
  step: string;
  transfer: ShisogariTransfer | null;
  accused: { seat: string; suspect: string } | null;
  shown: ShisogariShown | null;
  counted: ShisogariCount | null;
  outcome: Outcome | null;
}

/** The fields of a view that the round table draws; the tutorial's rounds have no more. */
interface ShisogariRound {
  options: Record<string, any>;
  backs: Record<string, string>;
  pairs: Record<string, ShisogariLaid[]>;
  step: string;
  last?: string;
  transfer?: any;
  accused?: ShisogariView["accused"];
  shown?: ShisogariShown | null;
  counted?: ShisogariCount | null;
  needed?: number;
  outcome?: Outcome | null;
}

/** An action of a seat; each type has some of these fields. */
interface ShisogariAction extends Action {
  card: string;
  partner: string;
  suspect: string;
  pairs: number;
  hunters: number;
}

/** A seat's own cards. */
interface ShisogariHand {
  role: ShisogariRole;
  cards: string[];
  picked: string | null;
  laid: [string, string][];
  boxed: string[];
}

interface ShisogariSnapshot extends Snapshot {
  view: ShisogariView;
  legal: ShisogariAction[];
  outcome: any;
}

interface ShisogariSecret extends Secret {
  own: ShisogariHand;
  legal: ShisogariAction[];
}

/** What has been chosen on a screen: whom a seat accuses, and what all cards show. */
interface ShisogariChoices {
  isAccusing?: boolean;
  suspect?: string | null;
  pairs?: number;
  hunters?: number;
  [choice: string]: any;
}

interface ShisogariPhone extends Phone {
  snapshot: ShisogariSnapshot;
  secret: ShisogariSecret;
  ui: ShisogariChoices;
}

interface ShisogariTable extends TableState {
  snapshot: ShisogariSnapshot;
}

/** A moment of the replay with every hand. */
interface ShisogariMoment extends Moment {
  view: ShisogariView;
  hands: Record<string, ShisogariHand>;
}

/** A deal: roles, hands, and the cards that seats still choose. */
interface ShisogariDeal {
  roles: Record<string, string>;
  hands: Record<string, string[]>;
  last: string[];
}

/** A hand of the check. */
interface ShisogariProved {
  role: string;
  cards: string[];
  laid: [string, string][];
  picked: any;
}

/** The cards of a deal: the items in play of each colour, and one bite and one blank of each. */
interface ShisogariBox {
  stocks: string[][];
  bites: string[];
  blanks: string[];
}
