// Types of Vampire Empire's pages for the checker alone; browsers never load this file.

/** Numbers of a player's cards by place; `remade`: the deck was refilled from the cellar. */
interface EmpirePiles {
  hand: number;
  deck: number;
  cellar: number;
  moat: number;
  remade: boolean;
  [place: string]: any;
}

/** A marker of a castle character, on one side of a fight. */
interface EmpireMarker {
  character: string;
  side: string;
  size: number;
}

/** A card in a fight; `card` is null with real cards. */
interface EmpireLaid {
  card: string | null;
  value: number;
}

/** The running fight: whose turn it is in, who lays now, and the cards of each side. */
interface EmpireFight {
  by: string;
  attacker: string;
  target: string;
  round: number;
  laying: string;
  attack: EmpireLaid[];
  defence: EmpireLaid[];
  opened: boolean;
}

type EmpireSide = "attack" | "defence";

/** Who was a vampire and whom the human player trusted, after the end. */
interface EmpireIdentities {
  vampires: string[];
  trusted: string[];
}

/** The public view (companion/games/vampire_empire/messages.py). */
interface EmpireView extends View {
  options: Record<string, any>;
  /** Whether real cards lie on the table. */
  has_real_cards: boolean;
  castle: string[];
  /** The number of cards of the city. */
  city: number;
  dead: { character: string; vampire: boolean }[];
  /** The characters that everybody knows to be vampires. */
  revealed: string[];
  markers: EmpireMarker[];
  piles: Record<string, EmpirePiles>;
  turn: string;
  step: string;
  acting: string;
  payment: { left: number } | null;
  support: object | null;
  window: { asked: string } | null;
  fight: EmpireFight | null;
  /** The sums of the fight: attack, defence. */
  sums?: [number, number];
  answer: { character: string; vampire: boolean } | null;
  identities: EmpireIdentities | null;
  outcome: Outcome | null;
  points: Record<string, number>;
}

/** A view with a fight. */
type EmpireFightView = EmpireView & { fight: EmpireFight };

/** An action of a seat; each type has some of these fields. */
interface EmpireAction extends Action {
  card: string;
  character: string;
  attacker: string;
  target: string;
  side: string;
  number: number;
  value: number;
  border: string;
  pile: string;
}

interface EmpireSnapshot extends Snapshot {
  view: EmpireView;
  legal: EmpireAction[];
  to_move: any;
  outcome: any;
}

/** The private part of a seat. */
interface EmpireOwn {
  characters: string[];
  hand: string[];
  /** The cards of a searched pile. */
  seen: string[];
  /** The next characters of the city that this seat saw. */
  coming: string[];
  /** The characters that holy water showed to be human. */
  cleared: string[];
  /** The other player's open cards. */
  met: string[];
}

interface EmpireSecret extends Secret {
  own: EmpireOwn;
  legal: EmpireAction[];
}

/** What is chosen on a phone: cards and the one that is read, by their places in the hand; a character, an attacker, a
 * value, and the open list. */
interface EmpireChoices {
  cards: number[];
  read: number | null;
  who: string | null;
  attacker: string | null;
  value: number | null;
  beside: boolean;
  notes: boolean;
}

interface EmpirePhone extends Phone {
  snapshot: EmpireSnapshot;
  secret: EmpireSecret;
  ui: EmpireChoices;
  /** Whether an answer cannot be pressed away yet. */
  isReading: boolean;
}

interface EmpireTable extends TableState {
  snapshot: EmpireSnapshot;
}

/** A moment of the replay with both hands; `city` is in its order. */
interface EmpireMoment extends Moment {
  view: EmpireView;
  hands: Record<string, { characters: string[]; cards: string[] }>;
  city: string[];
  alive: [number, number];
}

/** A card of a content file. */
interface EmpireCard {
  id: string;
  deck: string;
  copies: number;
  value?: number;
  [field: string]: any;
}
