// Types of V-Wars' pages for the checker alone; browsers never load this file.

/** A law or an event as printed on its card. */
interface VWarsCard {
  name: string;
  text: string;
}

interface VWarsLaw extends VWarsCard {
  side: string;
}

interface VWarsRegion {
  name: string;
  adjacent: string[];
  elected: string | null;
  law: VWarsLaw | null;
}

interface VWarsCity {
  name: string;
  region: string;
  human: number;
  vampire: number;
  control: string;
  martial: boolean;
  [side: string]: any;
}

/** The public part of a player; `hand` is null for real cards. */
interface VWarsPlayer {
  city: string;
  hand: number | null;
  /** The role as printed on its card, null before it is taken. */
  role: any;
  vampire: boolean;
}

/** The last riot: its cards, each with the troops that it removed, and its result. */
interface VWarsRiot {
  city: string;
  turned: [string, number][];
  winner: string | null;
  strength: number;
  /** How it ended, null until then. */
  result: any;
}

/** The public view (companion/games/vwars/messages.py). */
interface VWarsView extends View {
  options: Record<string, any>;
  regions: Record<string, VWarsRegion>;
  cities: Record<string, VWarsCity>;
  players: Record<string, VWarsPlayer>;
  /** Cities that the vampires control. */
  controlled: number;
  /** Cities under martial law. */
  martial: number;
  sympathy: number;
  turn: string;
  step: string;
  to_type: { what: string; seat?: string }[];
  picked: string | null;
  picked_region: string | null;
  actions_left: number;
  turns: number;
  /** The question that a seat must answer, while it is asked. */
  question: any;
  effects: Record<string, any>[];
  event: VWarsCard | null;
  next_event: VWarsCard | null;
  riot_now: string | null;
  riot_soon: string | null;
  laws: Record<string, VWarsLaw | null>;
  riot: VWarsRiot | null;
  strengths: Record<string, number> | null;
  /** After the end: who won each riot in a city, null for nobody. */
  riots?: Record<string, (string | null)[]>;
  /** The factions that everybody knows. */
  factions: Record<string, string>;
  outcome: Outcome | null;
}

/** An action of a seat; each type has some of these fields. */
interface VWarsAction extends Action {
  city: string;
  region: string;
  side: string;
  change: number;
  value: number;
  target: string;
  to: string;
  partner?: string;
  holds?: boolean;
  yes?: boolean;
  enough?: boolean;
}

interface VWarsSnapshot extends Snapshot {
  view: VWarsView;
  legal: VWarsAction[];
  to_move: any;
  outcome: any;
  lobby: Lobby & { roles?: Record<string, string>; map?: unknown };
}

interface VWarsHand {
  faction: string;
  cards: string[];
}

interface VWarsSecret extends Secret {
  own: VWarsHand;
  legal: VWarsAction[];
}

interface VWarsPhone extends Phone {
  /** The riot is read only while there is one. */
  snapshot: VWarsSnapshot & { view: { riot: VWarsRiot } };
  secret: VWarsSecret;
  ui: Record<string, any>;
}

interface VWarsTable extends TableState {
  snapshot: VWarsSnapshot;
}

/** A press of a screen. */

/** A moment of the replay with every hand and pile; `piles` is empty with real cards. */
interface VWarsMoment extends Moment {
  view: VWarsView;
  hands: Record<string, VWarsHand> | null;
  piles: Record<string, string[]> | null;
}

/** The place of a region on the map: its column and row. */
type VWarsPlace = [number, number];

/** A road between two regions. */
type VWarsRoad = [string, string];

/** Where the regions lie on a wide and on a tall screen. */
interface VWarsChart {
  wide: Record<string, VWarsPlace>;
  tall: Record<string, VWarsPlace>;
  roads: VWarsRoad[];
}

/** A city as it is typed. */
interface VWarsTypedCity {
  id: string;
  name: string;
}

/** A region as it is typed, with its cities and the regions that it touches. */
interface VWarsRow {
  id: string;
  name: string;
  touches: string[];
  cities: VWarsTypedCity[];
}

/** A finding of the table about a typed map; `field` is its place in the file. */
interface VWarsFinding {
  field: string;
  line?: number | null;
  message: Message;
}

/** The page on which a map is typed. */
interface VWarsMapPage {
  rows: VWarsRow[];
  canControl: boolean;
  isLobby: boolean;
  isBusy: boolean;
  isKept: boolean;
  notice: Message | null;
  /** Findings by the place in the form. */
  wrong: Record<string, VWarsFinding[]>;
  faults: VWarsFinding[];
}

/** The cards of a content file that a deal draws from. */
interface VWarsContent {
  player_card: { city: string; side: string; value: number; copies?: number }[];
  event: { id: string }[];
  law: { id: string; side: string }[];
  role: { id: string }[];
  region: { id: string }[];
  [kind: string]: any;
}

/** What a record's check starts from; without `content` the box lies on the table. */
interface VWarsStart {
  players: number;
  options: Record<string, any>;
  deal: any;
  content: VWarsContent;
  roles?: Record<string, string>;
}
