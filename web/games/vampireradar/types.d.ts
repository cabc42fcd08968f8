// Types of Vampire Radar's pages for the checker alone; browsers never load this file.

/** The tiles, row by row, a letter each, and the walls, named by the two cells beside them. */
interface RadarField {
  tiles: string[];
  walls: string[];
}

/** The public view (companion/games/vampireradar/messages.py). */
interface RadarView extends View, RadarField {
  options: Record<string, any>;
  humans: string[];
  /** The pawns that are out of the game. */
  gone: string[];
  tokens: Record<string, string[]>;
  bullets: Record<string, number>;
  /** The seats that are out of the game. */
  out: string[];
  hp: number;
  max_hp: number;
  placed: boolean;
  actions_left: number | null;
  round: number;
  night: number;
  spent: number;
  lost: number;
  outcome: Outcome | null;
  /** The vampire's own part, on its phone. */
  own?: any;
  /** On paper: the question to the vampire, and the first night there. */
  asked?: any;
  paper_from?: number;
}

/** An action of a seat; each type has some of these fields. */
interface RadarAction extends Action {
  pawn: string;
  to: string;
  cell: string;
  direction: RadarDirection;
  distance: number;
  hit?: boolean;
}

type RadarDirection = "N" | "E" | "S" | "W";

interface RadarSnapshot extends Snapshot {
  view: RadarView;
  legal: RadarAction[];
  to_move: any;
  outcome: any;
  aim: RadarAction | null;
  lobby: RadarLobby;
  paper?: any;
}

/** The proposed field, the instruction sheet, and what was read of the tiles that lie. */
interface RadarLobby extends Lobby {
  options: Record<string, any>;
  field?: any;
  sheet?: any;
  seen_tiles?: any;
  start?: any;
}

interface RadarSecret extends Secret {
  own: any;
  legal: RadarAction[];
}

/** The vampire's phone; `seen` is the table's answer to the draft. */
interface RadarVampirePhone extends Phone {
  snapshot: RadarSnapshot;
  secret: RadarSecret;
  seen: any;
  isSent: boolean;
  start: string;
  draft: RadarAction[];
  /** The actions among which the player chooses. */
  sheet: RadarAction[] | null;
  sure: string | null;
  tab: string;
  tapped: string | null;
  /** The answers of the humans' turns, by position. */
  answers: Map<number, Message | null>;
}

/** A human's phone: the chosen pawn, the aimed direction, the declined offer. */
interface RadarHumanPhone extends Phone {
  snapshot: RadarSnapshot;
  secret: RadarSecret;
  pawn: any;
  aim: string | null;
  declined: string | null;
  marking: boolean;
  clues: (() => Child) | null;
}

/** What the display draws; `ui` has its choices, `pending` an answer that is not shown yet. */
interface RadarTable extends TableState {
  snapshot: RadarSnapshot;
}

/** A shot on the field: from where, in which direction, already fired, just answered, of an earlier turn. */
interface RadarShot {
  cell: string;
  direction: string;
  isFired?: boolean;
  isBurning?: boolean;
  isPast?: boolean;
}

/** An arrow from tile to tile; `label` is a number beside its shaft, `action` makes it a button. */
interface RadarArrow {
  from: string;
  to: string;
  label?: number;
  action?: string | null;
}

/** A page's marks on the field. */
interface RadarLook {
  /** For a phone: a small frame. */
  compact?: boolean;
  /** Names a cell; without it nothing can be pressed. */
  label?: ((cell: string) => string) | null;
  title?: string;
  /** The id of what may be done now in words, which a screen reader says on the way into the field. */
  describedBy?: string;
  pressable?: string[];
  /** Why a tile must not be pressed. */
  whyNot?: (cell: string) => string | null;
  focus?: string;
  /** Pencil marks, by cell: "?" or "x". */
  marks?: Record<string, string>;
  /** Drawings of the instruction sheet, by cell. */
  steps?: Record<string, Child>;
  under?: Child;
  over?: Child;
  /** Whether the pieces leave room for numbers. */
  isInset?: boolean;
  /** Words below the field. */
  caption?: string | null;
  /** Classes of rings, by cell. */
  rings?: Record<string, string>;
  trail?: any;
  /** The cells of a whole game, at whose end the vampire stands. */
  path?: any;
  shot?: RadarShot | null;
  ripple?: string | null;
  badges?: Record<string, any>;
  arrows?: RadarArrow[];
}

/** The fields of a view that are drawn. */
interface RadarDrawn extends RadarField {
  pawns: Record<string, string>;
  tokens: Record<string, string[]>;
  options?: Record<string, any>;
}

/** Writes a code and its parameters. */
type RadarText = (code: string, params?: Params) => string;

/** A public line with its position. */
interface RadarTold {
  position: number;
  event: GameEvent;
  message: Message | null;
}

/** The lines of a night and of the day after it. */
interface RadarRound {
  night: number;
  messages: any[];
}

/** Printed tiles by cell: number and turn. */
type RadarTiles = Record<string, number[]>;

/** A tile of the instruction sheet. */
interface RadarStep {
  cell?: string;
  number: number;
  turn: number;
  state: string;
  seen?: any;
}

/** The sheet of the printed tiles to lay. */
interface RadarSheet {
  tiles: Record<string, any[]>;
  seen?: number;
  /** Why there is none. */
  why?: Message;
}

/** A moment of the replay. */
interface RadarMoment extends Moment {
  view: RadarView;
}

/** The state of a record's check (`proof.js`). */
interface RadarGame extends SecretPath {
  options: Record<string, any>;
  walls: Set<string>;
  bats: Set<string>;
  pawns: Record<string, string>;
  struck: any;
  eaten: any;
  hp: any;
  most: any;
  night: number;
  [member: string]: any;
}
