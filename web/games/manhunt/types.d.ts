// Types of Manhunt's pages for the checker alone; browsers never load this file.

interface ManhuntPoint {
  x: number;
  y: number;
}

/** A place of a map file. */
interface ManhuntPlace extends ManhuntPoint {
  number: number;
  name: string;
  starts?: string[];
  hideout?: boolean;
  target?: boolean;
  [field: string]: any;
}

/** A way of a map file: `between` two places, or one-way `from` one `to` another. */
interface ManhuntWay {
  between?: number[];
  from?: number;
  to?: number;
  kind?: string;
  fugitive_only?: boolean;
}

/** The rule card of a map. */
interface ManhuntRuleCard {
  shows: number[];
  questions: string[];
  announce: string;
  rounds?: any;
  ends?: any;
  tickets?: any;
  targets: number;
  [rule: string]: any;
}

/** A map file (companion/games/manhunt/map_file.py). */
interface ManhuntMap {
  title?: string;
  background?: string;
  size: { width: number; height: number };
  places: ManhuntPlace[];
  ways: ManhuntWay[];
  /** The rule card; what it leaves out has its default value. */
  rules?: Record<string, any>;
  [field: string]: any;
}

/** A way of a city: its look, its line as a cubic curve of eight numbers, and points along it. */
interface ManhuntCityWay {
  kind: string;
  look: string;
  ends: number[];
  isOneWay: boolean;
  isSecret: boolean;
  line: number[];
  isCurved: boolean;
  points: ManhuntPoint[];
}

/** A name beside its place: its lines, the upper edge and the box of the first to the last. */
interface ManhuntCityName extends ManhuntPoint {
  cell: string;
  lines: string[];
  anchor: string;
  size: number;
  /** Left, top, right, bottom. */
  box: number[];
  price: number;
}

interface ManhuntPark extends ManhuntPoint {
  radius: number;
  edge: ManhuntPoint[];
  trees: ManhuntPoint[];
}

/** A house around its middle; `ahead` and `aside` are the direction of its front. */
interface ManhuntHouse extends ManhuntPoint {
  ahead: number;
  aside: number;
  width: number;
  depth: number;
  tone: number;
  isLit: boolean;
}

/** Cells of a part of the plane, and what takes each one. */
interface ManhuntRaster {
  left: number;
  top: number;
  cell: number;
  across: number;
  down: number;
  taken: Uint8Array;
}

/** The plan of a map, in its units. */
interface ManhuntCity {
  /** The usual distance of places. */
  unit: number;
  /** The radius of a place. */
  radius: number;
  /** Left, top, width, height. */
  view: number[];
  ways: ManhuntCityWay[];
  looks: Record<string, string>;
  names: ManhuntCityName[];
  parks: ManhuntPark[];
  houses: ManhuntHouse[];
}

/** What the parts of a drawn map share. */
interface ManhuntLaid {
  city: ManhuntCity;
  /** Places by cell. */
  places: Map<string, ManhuntPlace>;
  radius: number;
  /** The looks of the boats and trains that stop at places, by cell. */
  stops: Map<string, string>;
}

/** A page's marks on the map. */
interface ManhuntLook {
  title?: string;
  /** Names a place. */
  label?: (cell: string) => string;
  pressable?: string[];
  /** Why a place must not be pressed. */
  whyNot?: (cell: string) => string | null;
  focus?: string | null;
  /** Classes of rings, by cell. */
  rings?: Record<string, string>;
  /** What the questions have shown, by cell. */
  clues?: Record<string, "yes" | "no">;
  /** Thousandths, by cell. */
  odds?: Record<string, number>;
  trail?: string[];
  me?: string | null;
  arrows?: { from: string; to: string }[];
  zoom?: number;
}

/** The announcements of one turn of the fugitive. */
interface ManhuntTurn {
  night: number;
  round: number;
  ways?: string[];
  distance?: number;
  cell?: string;
}

/** The public view (companion/games/manhunt/messages.py). */
interface ManhuntView extends View {
  hunters: string[];
  tickets: Record<string, any>;
  fugitive_tickets: Record<string, number>;
  doubles: number;
  unseen: number;
  placed: boolean;
  night: number;
  nights: number;
  round: number;
  rounds: number;
  shows: number[];
  announced: ManhuntTurn[];
  answers: Record<string, any>[];
  outcome: Outcome | null;
  /** On paper: what the fugitive has to answer, and its announcements of the present turn. */
  question?: any;
  turn_announced?: Partial<ManhuntTurn>;
}

/** An action of a seat; each type has some of these fields. */
interface ManhuntAction extends Action {
  pawn: string;
  to: string;
  cell: string;
  kind: string;
  question: string;
  unseen?: boolean;
  found?: string;
  way: string;
  distance: number;
  yes?: boolean;
}

interface ManhuntSnapshot extends Snapshot {
  view: ManhuntView;
  legal: ManhuntAction[];
  to_move: any;
  outcome: any;
  paper?: any;
}

/** The fugitive's own part: its place, and this turn's path. */
interface ManhuntOwn {
  cell: string | null;
  path: string[];
}

interface ManhuntSecret extends Secret {
  own: ManhuntOwn;
  legal: ManhuntAction[];
}

/** The fugitive's phone; `seen` is the table's answer to the draft. */
interface ManhuntPhone extends Phone {
  snapshot: ManhuntSnapshot;
  secret: ManhuntSecret;
  seen: any;
  isSent: boolean;
  start: string;
  draft: ManhuntAction[];
  /** The ways among which the player chooses. */
  sheet: ManhuntAction[] | null;
  /** The type of the action that a second press confirms. */
  sure: string | null;
  isUnseen: boolean;
  /** Null until the player chooses one. */
  zoom: number | null;
}

/** What the display and a hunter's phone draw; `ui` has this screen's choices. */
interface ManhuntTable {
  snapshot: ManhuntSnapshot;
  ui: Record<string, any>;
  canControl: boolean;
  notice?: any;
  /** The differences while the fugitive plays on paper. */
  aside?: any;
  [field: string]: any;
}

/** What a press changes on a screen, and the action that it submits; null for a slip. */
type ManhuntPress = (page: any, argument: any) => any;

/** A moment of the replay; `trail` is the fugitive's true path. */
interface ManhuntMoment extends Moment {
  view: ManhuntView;
  trail: string[];
}

/** A finding of the check of a map: the place in the file, counted from 0, and the sentence. */
interface ManhuntFinding {
  path: (string | number)[];
  code: string;
  params: Params;
  isFault?: boolean;
}

/** A gesture that has begun. */
interface ManhuntDrag {
  kind: string;
  /** The place under the finger at the start. */
  from?: any;
  start?: any;
  at?: any;
  client?: any;
  apart?: any;
  zoom?: any;
}

/** The page on which a map is drawn. */
interface ManhuntEditor {
  map: ManhuntMap;
  past: ManhuntMap[];
  /** The number of the chosen place, null for none. */
  selected: any;
  kind: string;
  kinds: string[];
  tool: string;
  view: { x: number; y: number; zoom: number };
  picture: string | null;
  refused: { message: any; at: ManhuntPoint | null; field: string | null } | null;
  drag: ManhuntDrag | null;
  isSaved: boolean;
  canControl: boolean;
  isKept: boolean;
  notice: Message | null;
  [field: string]: any;
}

/** The handlers of gestures. */
interface ManhuntHands {
  tap: (number: number | null, point: ManhuntPoint) => void;
  join: (from: number, to: number) => void;
  drop: (point: ManhuntPoint) => void;
  move: (number: number, point: ManhuntPoint) => void;
  redraw: () => void;
}

/** A way from a place: to which one, and of which kind. */
interface ManhuntStep {
  to: string;
  kind: string;
}

/** A turn of the fugitive that is checked: its announced ways, its places, its end. */
interface ManhuntWalk {
  ways: any;
  trail: string[];
  place?: any;
}

/** The state of a record's check (`proof.js`). */
interface ManhuntGame extends SecretPath {
  map: ManhuntMap;
  rules: Record<string, any>;
  places: Record<string, any>;
  /** The ways from each place for the fugitive, and for hunters. */
  secret: Record<string, ManhuntStep[]>;
  open: Record<string, ManhuntStep[]>;
  start: Record<string, string>;
  night: number;
  pawns: Record<string, string>;
  tickets: Record<string, number>;
  unseen: number;
  trail: string[];
  round: number;
  entered: string[];
  visited: string[];
  turns: ManhuntWalk[];
  isHidden: boolean;
  /** The event that must come next. */
  expectedEvent: string | null;
  [member: string]: any;
}
