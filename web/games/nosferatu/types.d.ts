// Types of Nosferatu's pages for the checker alone; browsers never load this file.

type NosferatuSide = "vampires" | "villagers";

/** The public view (companion/games/nosferatu/messages.py). */
interface NosferatuView extends View {
  /** The cells of the board, row by row. */
  rows: string[][];
  /** The pieces that will be entered, in their order. */
  hands: Record<string, string[]>;
  taken: string[];
  /** The villagers that became vampires. */
  turned: string[];
  to_move: NosferatuSide | null;
  /** The piece that must continue its capture. */
  chain: string | null;
  must_capture: boolean;
  turns: number;
}

/** An action of a side; `pass` has no pawn and no cell. */
interface NosferatuAction extends Action {
  type: "enter" | "move" | "jump" | "pass";
  pawn: string;
  to: string;
  convert?: boolean;
}

/** An event of the board; `from` and `taken_cell` belong to moves and jumps. */
interface NosferatuEvent extends GameEvent {
  pawn: string;
  cell: string;
  from?: string;
  taken_cell?: string;
}

interface NosferatuSnapshot extends Snapshot {
  view: NosferatuView;
  legal: NosferatuAction[];
  aim: NosferatuAction | null;
  log: (LogEntry & { event: NosferatuEvent })[];
}

/** What the display and the phone draw; `ui` has this screen's choices. */
interface NosferatuTable {
  snapshot: NosferatuSnapshot;
  ui: Record<string, any>;
  canControl: boolean;
  /** Of a phone. */
  seat?: string | null;
  notice?: any;
  join?: any;
}

/** The last move: its cells, and those on which it took or turned a piece. */
interface NosferatuMove {
  way: string[];
  taken: string[];
}

interface NosferatuArrow {
  from: string;
  to: string;
}

/** A page's marks on the field. */
/** A piece took another one. */
interface NosferatuJump {
  pawn: string;
  from: string;
  cell: string;
}

interface NosferatuLook {
  title?: string;
  /** Names a cell. */
  label?: (cell: string) => string;
  pressable?: string[];
  /** Why a cell must not be pressed. */
  whyNot?: (cell: string) => string | null;
  focus?: string;
  /** Classes of rings, by cell. */
  rings?: Record<string, string>;
  last?: NosferatuMove;
  /** Those of a finished game. */
  jumps?: NosferatuJump[];
  /** The cells that are lit while a piece is entered. */
  safe?: string[] | null;
  arrows?: NosferatuArrow[];
}
