// Types for the checker alone; browsers never load this file.

/** An element as `h` describes it. */
interface VNode {
  tag: string;
  attrs: Record<string, any>;
  children: (VNode | string)[];
}

/** A child of `h`: empty ones are omitted, lists are flattened. */
type Child = VNode | string | number | boolean | null | undefined | Child[];

type OnLink = ((state: string) => void) | undefined;

/** Opens a connection and returns what closes it; `alive` at each sign of it, `lost` once at its end. */
type Connect = (alive: () => void, lost: (seconds?: number) => void) => () => void;

/** Parameters of a sentence, by name. */
type Params = Record<string, unknown>;

/** A sentence for people: a code of the catalogues with its parameters. */
interface Message {
  code: string;
  params?: Params;
}

/** Codes and their sentences. */
type Words = Record<string, string>;

/** An action of a game's rules; further fields depend on the game. */
interface Action {
  type: string;
  seat?: string;
  pawn?: string;
  to?: string;
  cell?: string;
  card?: string;
  [field: string]: unknown;
}

/** A public event; further fields depend on the event. */
interface GameEvent {
  event: string;
  seat?: string;
  seal?: string;
  number?: number;
  to?: number;
  [field: string]: unknown;
}

/** An event of the public log with its sentence. */
interface LogEntry {
  position: number;
  event: GameEvent;
  message: Message | null;
}

interface Seat {
  seat: string;
  name: string | null;
  taken: boolean;
  /** The level of a bot. */
  bot?: string;
}

interface Outcome {
  winner: string;
  reason: string;
}

/** A game's public view; further fields depend on the game (docs/protocol.md). */
interface View {
  options?: Record<string, unknown>;
  map?: string;
  title?: string;
  turns?: number;
  round?: number;
  placed?: boolean;
  pawns: Record<string, string>;
  tokens: Record<string, string[]>;
  [field: string]: unknown;
}

/** A cell where table and game differ (companion/sensors/diff.py). */
interface Difference {
  cell: string;
  expected: string[];
  seen: string[] | null;
  occupied?: boolean | null;
  token: string | null;
  seen_tokens: string[] | null;
}

/** A difference of a source that reads tokens. */
type ReadDifference = Difference & { seen_tokens: string[] };

/** The sensors' public status (companion/sensors/status.py). */
interface BoardStatus {
  source: string;
  link: string;
  message: Message | null;
  state: string;
  lifted: string[];
  readings: Action[][];
  differences: Difference[];
  owed: { pawn: string; cell: string }[];
  unknown: string[];
  asks: Message[];
  caps: string[];
  port: string | null;
  firmware: string | null;
}

/** A vote of all seats. */
interface Vote {
  what: string;
  by: string;
  seat: string | null;
  agreed: string[];
  needed: string[];
  arrangement: Draft | null;
  meant: Message[];
  disclosed: Message[];
}

interface Undo {
  kind: "none" | "free" | "vote";
  seat: string | null;
}

/** The proposed game; further fields are those of its set-up. */
interface Lobby {
  game: string;
  games: Record<string, number[]>;
  players: number;
  options: Record<string, unknown>;
  warnings: Message[];
  ready: boolean;
  wrong_seat?: Message;
  custom_setup?: string[];
  seed?: string;
  choices?: Record<string, string[]>;
  measured?: Record<string, Record<string, { won: number; played: number }>>;
  contents?: string[];
  [field: string]: unknown;
}

/** The table's own settings. */
interface TableSettings {
  night_floor: number;
  sound: boolean;
  volume: number;
  marks: boolean;
  clues: boolean;
  hints: boolean;
  [name: string]: unknown;
}

/** The path on paper of a finished game. */
interface PaperPath {
  announced: Message[][];
  typed: { pages: string[][]; answers: number; wrong: { page: number; message: Message }[] } | null;
}

/** The public snapshot (companion/table/snapshot.py). */
interface Snapshot {
  position: number;
  head: string;
  phase: "lobby" | "play" | "over";
  game: string;
  view: View | null;
  to_move: string | null;
  secret: boolean;
  legal: Action[];
  outcome: Outcome | null;
  warnings: Message[];
  revealing: boolean;
  seats: Seat[];
  lobby: Lobby;
  sample?: boolean;
  night: { number: number } | null;
  seal: { number: number; seal: string; words: string } | null;
  undo: Undo;
  vote: Vote | null;
  marks: Record<string, string>;
  settings: TableSettings;
  paused: boolean;
  paper?: PaperPath;
  log: LogEntry[];
  answer?: LogEntry | null;
  awaited: number | null;
  board: BoardStatus;
  aim: Action | null;
  questions?: Question[];
  storage: string;
  join_code_version: number;
  programs?: string[];
}

/** A question that the displays answer aloud (companion/table/journal.py). */
interface Question {
  number: number;
  what: "cell" | "pawn" | "turn" | "answer";
  name: string;
  state: "asked" | "waits" | "read";
}

/** A message of the public stream. */
interface Update {
  snapshot: Snapshot;
  events: LogEntry[];
}

/** A seat's private snapshot. */
interface Secret {
  own: unknown;
  legal: Action[];
  notes: { number: number; events: GameEvent[] }[];
  submitted: boolean;
}

/** The table's reply to a request; further fields depend on the request. */
interface Reply {
  ok: boolean;
  message?: Message;
  private?: Secret;
  [field: string]: any;
}

/** Sends a request of the page; null without a reply. */
type SendRequest = (what: string, args?: Record<string, unknown>) => Promise<any>;

/** What a button does: an action, or an action with its argument. */
type ActionName = string | [string, unknown];

/** A press on an element with an action, or on a place; "" and null if it has none. */
interface Press {
  action: string;
  argument: string;
  cell: string | null;
}
type OnPress = (press: Press) => unknown;

/**
 * What a press in a game means: an action to `submit`, a `request` as [what, args], and choices of
 * this screen; `isLast`: a phone is covered after it.
 */
type Intent = Record<string, any>;

/** The presses of a game's display or phone by action. */
type GameActions<Page = any, Result = Intent | null> = Record<
  string,
  (page: Page, argument: string) => Result
>;
/** Those that may have to load something first. */
type LoadingActions<Page> = GameActions<Page, Intent | null | Promise<Intent | null>>;

/** What a game brings to `handPhone`. */
interface HandGame {
  choices: object;
  keep?(choices: any): Record<string, unknown>;
  intentOf(phone: any, press: Press): Intent | null | undefined;
  actions?(phone: any, send: SendRequest): ActionTable;
  page(phone: any): VNode;
  isReady?(snapshot: any): boolean;
  ready?(snapshot: any): Promise<void> | null;
  toggle?: string;
}

/** Handlers of presses by action. */
type ActionTable = Record<string, (argument: string) => unknown>;

/** A position typed by people: pawns by cell; by cell the token, null for none. */
interface Draft {
  pawns: Record<string, string>;
  tokens: Record<string, string | null>;
}

/**
 * What the page of a seat gives to the phone of its game, whose `openPhone` returns {update, pressed,
 * linked, draw}: `request` sends, `show` draws.
 */
interface SeatPage {
  seat: string;
  request: SendRequest;
  show: (trees: Child[]) => void;
}

/** What a phone shows; further fields are its game's. */
interface Phone {
  seat: string;
  snapshot: any;
  secret: any;
  look: string | null;
  isLost: boolean;
  notice: Message | null;
  /** A refusal of what was pressed under the hold. */
  refusal: Message | null;
  truth: (() => Child) | null;
  [field: string]: any;
}

/** The choices of the display's screen; a game adds its own. */
interface TableChoices {
  /** Before a game: which screen is shown. */
  screen: string;
  pawn: any;
  aim: any;
  /** The position that people type, while they do. */
  byHand: Draft | null;
  info: boolean;
  list: (() => Child) | null;
  sound: boolean;
  /** How much is read aloud: one of `LEVELS` in screens/table/spoken.js. */
  voice: string;
  far: boolean;
  isSure: boolean;
  isReturn: boolean;
  isNext: boolean;
  botSeat: string;
  chooser: string;
  what: string;
  way: any;
  /** A game with suggestions. */
  suggestion?: any;
  /** A game with lists of choices. */
  mode?: any;
  [choice: string]: any;
}

/** What a display shows alone for `ms` milliseconds, under the sky of an `hour`, else of the game's. */
interface Act {
  name: string;
  ms: number;
  hour?: string;
}

/** What the table display shows. `join`: how one joins; `pending`: the event whose answer is awaited. */
interface TableState {
  snapshot: Snapshot;
  ui: TableChoices;
  canControl: boolean;
  looksOn: Message | null;
  mayGoDark: boolean;
  pending?: GameEvent | null;
  notice: Message | null;
  isSlow: boolean;
  isFresh: boolean;
  act: Act | null;
  join: any;
  truth: any;
  /** The differences of a game on paper. */
  aside?: any;
  /** What is computed for the display, where hints are on. */
  hints?: any;
  /** Words and buttons of a round that is only watched. */
  guide?: Child;
}

/** What the display of a game on a board shows, with the choices of that game. */
type BoardTable = Pick<TableState, "snapshot" | "canControl" | "pending" | "aside"> & {
  ui: Record<string, any>;
};

/** What a page that follows a role shows. */
interface RolePage {
  snapshot?: Snapshot;
  channel: import("./core/channel.js").Channel | null;
  role?: string;
  canControl: boolean;
  notice: Message | null;
}

/** What the page of settings shows. `isSure`: the press that waits for its second one. */
interface HostState extends RolePage {
  snapshot: Snapshot;
  isSure: string | null;
  /** The address of the code that makes another screen a display. */
  screen: string | null;
  camera: { url: string; image: string } | null;
  botSeat: string;
  broker: Message | null;
  rules: GameRules;
  sheetTable?(sheet: any): Child;
}

/** What the page of joining shows. `seat`: the chosen one; `pin`: its digits or words. */
interface JoinState {
  snapshot: Snapshot;
  channel: import("./core/channel.js").Channel | null;
  code: string;
  name: string;
  isIn: boolean;
  isWrong: boolean;
  seat: string | null;
  isBack: boolean;
  pin: string;
  /** The digits or words that this page drew, for whichever seat is taken. */
  drawnPin: string | null;
  isLooking: boolean;
  hasLooked: boolean;
  notice: Message | null;
  isSitting: boolean;
}

/** What a game brings to lobbies, overlays and dashboards (`games/NAME/index.js`, web/README.md). */
interface GameFacts {
  minutes?: number;
  bots?: string[];
  takesPrograms?: boolean;
  needed?(snapshot: Snapshot): string[];
  missing?(): string;
  secretSeat?: string;
  hasSecret?(seat: string): boolean;
  paper?: {
    isOn(snapshot: any): boolean;
    chosen(isOn: boolean): Record<string, unknown>;
    loadTyping(): Promise<{ typing: PaperTyping }>;
  };
  turnText?: (turn: TurnInWords) => Child;
  hasRealCards?(snapshot: Snapshot): boolean;
  hasKit?: boolean;
  vampireSeat?: string;
  cards?: { name: string; real: string; ours: string };
  hasWords?: boolean;
  winners?: Record<string, string>;
  unannounced?: string[];
  showsMover?: boolean;
  /** Sentences by the addresses of pages beside the game. */
  pages?: Record<string, string>;
  editor?(snapshot: Snapshot): string | null;
  isNumbered?(snapshot: Snapshot): boolean;
  nameThings?(view: any): void;
  table?(snapshot: Snapshot): string;
  loadSetup?(): Promise<any>;
  loadSheet?(): Promise<any>;
  loadHandover?(): Promise<any>;
  loadCommands?(): Promise<CommandGame>;
  loadDrawing?(): Promise<DrawView>;
  hasWallStyle?: boolean;
}

/** Draws a public view for a wall. */
type DrawView = (view: any, look: any) => Child;

/** How a game draws and names the pages of a path on paper (`paper/typing.js`). */
interface PaperTyping {
  most(snapshot: Snapshot, page: number): number;
  [name: string]: any;
}

/**
 * A game's sounds and recorded sentences (`sounds.js`). `answers` and `turns`: the messages of these
 * levels of the voice; `onCell`: what is read of a cell beside its pawns.
 */
interface GameSounds {
  events?: Record<string, string | ((event: GameEvent) => string | null)>;
  before?: Record<string, string>;
  spoken?: Record<string, Recording>;
  seats?: Record<string, string>;
  pieces?: Record<string, string>;
  answers?: string[];
  turns?: string[];
  onCell?: (view: any, cell: string) => Message[];
  isLeftToPlayer?: (settings: TableSettings, name: string) => boolean;
}

/** The recorded names of a seat, of a cell and of a pawn. */
interface Names {
  call(seat: string): string | null;
  cell(cell: string): string[];
  pawn(pawn: string): (string | null)[];
}

/** The recordings of a sentence: a name, or a function of the parameters that returns several. */
type Recording = string | ((params: any, names: Names) => (string | null | undefined)[]);

/** A game's options with their values, its settings and the chapters of its rules (`rules.js`). */
interface GameRules {
  options: Record<string, unknown[]>;
  settings?: Record<string, unknown[]>;
  help?: Record<string, Record<string, unknown>>;
  chapters: [name: string, sentences: number, sign: string, ...steps: string[]][];
}

/** A record's check of one game (`games/NAME/proof.js`). */
interface GameProof {
  Rules: new (start: any) => any;
  counts: string[];
  isDealt?: boolean;
  isShuffled?: boolean;
  seats?: string[];
  /** Checks the typed pages of a path on paper; only of a game with one. */
  [name: string]: any;
}

/** The result of `prove`. */
interface ProofResult {
  game: string;
  isDealt: boolean;
  isShuffled: boolean;
  deal: { line: string; seal: string } | null;
  seed: Seed | null;
  nights: ProvedNight[];
  paper: ProvedPaper | null;
  count: Record<string, number>;
  answers: number;
  head: string | null;
  kept: number;
  wrong: string | null;
  at: number;
}

interface Seed {
  line: string;
  seal: string;
  shares: Record<string, string>;
  customSetup: string[];
}

/** A secret turn whose seal was opened. */
interface ProvedNight {
  number: number;
  seat: string;
  path: string[];
  when?: { round: number; night?: number } | null;
  seal: string;
  line: string;
  nonce: string;
  actions: Action[];
}

/** A secret turn that is told in words. */
interface TurnInWords {
  number: number;
  path: string[];
  when?: any;
  isSealed?: boolean;
}

interface ProvedPaper {
  from: number;
  pages: string[][] | null;
  when?: any[] | null;
}

/** A line of a record, as JSON (companion/table/fairness/export.py). */
type RecordLine = Record<string, any>;

type SecretPath = import("./proof/secret_path.js").SecretPath;

/** The line of a record with a seat's actions. */
type RecordedTurn = RecordLine & { actions: any[] };

/** Hashes that somebody kept during a game. */
interface Kept {
  heads?: Record<string, string>;
  seals?: Record<string, string>;
  share?: { seal: string; share: string } | null;
  start?: { position: number; key: string } | null;
}

/** A moment of a finished game in full (`unfold`). */
interface Moment {
  message: Message;
  event: string;
  seat: string | null;
  view: any;
  truth: string | null;
  odds: Record<string, number> | null;
  hands: any;
  piles: any;
  sum: number | null;
  city: any;
  alive: [number, number] | null;
  tiles: number;
  share: number | null;
  isSecret: boolean;
}

/** The replay of a finished game (companion/replay/build.py). */
interface ReplayData {
  game: string;
  seats: Seat[];
  outcome: Outcome;
  rewound: number;
  reference: any;
  figures: Message[];
  moments: any[];
}

/** A mark of the timeline: draws itself around an x. */
type Mark = (x: number, moment: any, format?: ReplayFormat) => Child;

/** A game's additions to the replay (`games/NAME/replay.js`). */
interface ReplayFormat {
  land(replay: ReplayState, now: Moment): any;
  marks: Record<string, Mark | undefined>;
  /** The number of places of a game with a secret one. */
  most?: any;
  /** The two numbers of people of a game in which they die. */
  mostAlive?: any;
  needed?: number;
  sum?: any;
  nested?: string[];
  isDark?(moment: Moment): boolean;
  [name: string]: any;
}

/** What the replay shows. */
interface ReplayState {
  data: ReplayData;
  format: ReplayFormat;
  moments: Moment[];
  index: number;
  isPlaying: boolean;
  speed: number;
  isTrue: boolean;
  cell: string | null;
  page: number;
  size: { width: number; height: number };
  back: string | null;
  isFile?: boolean;
  isLight?: boolean;
  [field: string]: any;
}

/** A table's state on the dashboard (companion/mqtt/status.py); "lost" has no phase. */
interface Card {
  name: string;
  game: string;
  phase: string;
  lost?: boolean;
  outcome: Outcome | null;
  paused: boolean;
  players: Seat[];
  view: View | null;
  to_move: string | null;
  mover: string;
  round: number | null;
  turn: number | null;
  night: boolean;
  sample: boolean;
  announcements: (Message & { translations?: Record<string, Words> })[];
  [field: string]: any;
}

/** The diagnostics of the sensors (/board.json). */
interface SensorPage {
  status: BoardStatus;
  has_seen: boolean;
  cells: Record<string, SeenCell>;
  source: any;
  maintenance: Maintenance;
  [field: string]: any;
}

interface SeenCell {
  pawns: string[] | null;
  tokens: string[] | null;
  expected: string[];
  occupied: boolean | null;
  partly: boolean;
  unknown: boolean;
  age: number | null;
  [field: string]: any;
}

interface Maintenance {
  things: Thing[];
  strangers: Stranger[];
}

/** A piece of the box with its registered tags. */
interface Thing {
  name: string;
  known: number;
  of: number;
}

/** A tag on the board that is not registered. */
interface Stranger {
  uid: string;
  cell: string;
}

/** The display of a game on a phone or a table (`table.js`). */
interface GameDisplay {
  tapped?: (picture: any, cell: string, ui: any) => any;
  ACTIONS: Record<string, (...args: any[]) => any>;
  edit?: any;
  [name: string]: any;
}

/** The parts of `openBoardPhone` that a game brings. */
interface BoardGame {
  name: string;
  display: {
    tapped: (picture: any, cell: string, ui: any) => any;
    ACTIONS: Record<string, (...args: any[]) => any>;
    finale: (outcome: any) => Child;
    task: (snapshot: any, ui: any) => Child;
    [name: string]: any;
  };
  ui?: Record<string, unknown>;
  resetOnMove?: Record<string, unknown>;
  body: (phone: any, isMine: boolean) => Child;
  foot: (phone: any, isMine: boolean) => Child;
  waits: (snapshot: any) => Child;
  isReady?: (snapshot: any) => boolean;
  ready?: ((snapshot: any) => Promise<void> | null) | null;
}

/** The parts of a phone that draw it. */
interface PhoneParts {
  phone: Phone;
  isReady: (snapshot: any) => boolean;
  ready: any;
  page: (phone: any) => any;
  show: (trees: any[]) => void;
}

/** The parts of a phone that cover it. */
interface LookParts {
  phone: Phone;
  ms: number;
  resetOnCover: () => object;
  draw: () => unknown;
  show: (trees: any[]) => void;
}

/** Constant public data of a game (`/reference`). */
interface Reference {
  cards?: Record<string, any>;
  choices?: Record<string, any[]>;
  map?: any;
  translations?: Record<string, Words>;
}

/** What a browser keeps values in. */
type Place = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The parts of a history keeper. */
interface KeeperParts {
  table: string;
  history: (after: number) => Promise<LogEntry[]>;
  differs: (other: { position: number; head: string }) => Promise<any>;
  give?: (share: { seal: string; share: string }) => Promise<any>;
  place?: Place;
}

/** The surroundings of a shown replay. */
interface ReplayParts {
  format: ReplayFormat;
  back: string | null;
  isLight?: boolean;
  isFile?: boolean;
  isAuto?: boolean;
  record?: string;
  chooseLanguage: () => unknown;
  chooseLight: () => unknown;
}

/** A control that a page has now. */
interface PageControl {
  element: any;
  action: string;
  /** The place of a board that a press means. */
  place: string | null;
  /** The accessible name. */
  name: string;
  /** The names that a line may use, each as its words. */
  names: string[][];
  /** Whether it must not be pressed now, and the sentence that says why. */
  isOff: boolean;
  whyNot: string | null;
  /** The piece that stands there, where the last of the names is the piece's. */
  pawn?: string;
}

/** A line that the field offers, and the whole name of the control that it presses. */
interface CommandOffer {
  line: string;
  name: string;
}

/** What a bare name asks about. */
interface CommandSubject {
  names: string[][];
  /** Whether it is called as a person wants. */
  isPerson?: boolean;
  words: () => string[];
}

/** What a question is answered from; `phone` and `secretWords` only while a secret is looked at. */
interface Known {
  snapshot: any;
  seat: string | null;
  phone: any;
  secretWords: string[];
  task: string[];
  offers: string[];
  questions: string[];
  verbs: string[];
}

/** What a page gives to the field of commands. */
interface CommandContext {
  snapshot: () => Snapshot | null;
  /** Of a seat's page. */
  seat?: string;
  phone?: () => any;
  /** Sends a request of a seat's phone. */
  request?: SendRequest;
  chosen?: () => string | null;
  endAct?: () => Promise<void>;
  isDisplay?: boolean;
}

/** What a game adds: verbs, the one for a press of a place, questions, and names. */
interface CommandGame {
  name?: string;
  verbs?: string[];
  placeVerb?: string;
  questions?: Record<string, (known: Known, words: string[]) => string[]>;
  subjects?: (snapshot: any, seat: string | null) => CommandSubject[];
  pieces?: (snapshot: any) => { name: string; pawn: string; cell: string }[];
}
