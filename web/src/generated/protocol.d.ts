// Hexholm protocol 1. Made from the Python types by python -m hexholm.host.wire.schema --write.

export const PROTOCOL: 1;

/** What a guest says after its greeting: commands, and pings. */
export type Incoming = Act | Say | Begin | Put | Kick | Pause | Resume | Away | Back | Resign | End | Leave | Mute | Silence | Rename | Pace | Deal | TakeBack | Why | Ping;

/** What the table says. */
export type Outgoing = Hello | Told | Chatted | Changed | Now | Present | Done | Refused | Because | Pong;

/** Play an action. `request` is the number of the question it answers; None: whatever is asked now. */
export interface Act {
  type: "act";
  id: string;
  action: string;
  request?: number | null;
}

/** Let a bot play for me until I am back. */
export interface Away {
  type: "away";
  id: string;
}

/** I am here again. */
export interface Back {
  type: "back";
  id: string;
}

/** The answer to `Why`, from what the seat can see alone; the fields as in `Refused`, empty for what is legal. */
export interface Because {
  type: "because";
  id: string;
  legal: boolean;
  rule?: string | null;
  message?: string;
  why?: string;
  values?: Record<string, unknown>;
}

/** Begin the game. By the table's creator; all seats must be taken. */
export interface Begin {
  type: "begin";
  id: string;
}

/** A board that a table could have. */
export interface BoardAnswer {
  board: BoardLine;
  colors: string[];
  toml: string;
  seed: number;
  map?: number | null;
  fairness?: FairLine | null;
}

/** What lies where. Places are named as in docs/formats/places.md. */
export interface BoardLine {
  hexes: HexLine[];
  harbors: HarborLine[];
}

/** A player that can be put on a seat. */
export interface BotLine {
  name: string;
  line?: string;
}

/** Who rolls and deals, as in `NewTable.chance`, and what goes with it. */
export interface ChanceLine {
  name: "dice" | "host" | "people";
  bots?: boolean;  // default: true
  clock?: boolean;  // default: true
  without?: string[];
}

/** Numbered: something about the table changed: seats, pause, wishes, status. */
export interface Changed {
  type: "changed";
  number: number;
  time: number;
  what: string;
  table: TableLine;
  muted?: string[];
  by?: string | null;
}

/** Numbered: somebody said something. The words are other people's words. */
export interface Chatted {
  type: "chatted";
  number: number;
  time: number;
  by: string;
  text: string;
}

/** Tell what came out at the real table: `dice 3 4`, `stolen ore`, `drawn knight`. Only where people decide that; `number` is that of the question it answers. Dice before the roll are that roll too. */
export interface Deal {
  type: "deal";
  id: string;
  outcome: string;
  number: number;
}

/** A command was carried out. */
export interface Done {
  type: "done";
  id: string;
  number: number;
}

/** An edition one can play, with everything a form for a new table or the rim of a board needs. */
export interface EditionLine {
  name: string;
  title: string;
  players: [number, number];
  colors: string[];
  points: number;
  setup: string;
  words: Record<string, string>;
  setups: string[];
  costs: Record<string, Record<string, number>>;
  worth: Record<string, number>;
  hand_limit: number;
  supply: Record<string, number>;
  deck: Record<string, number>;
  pieces: Record<string, number | null>;
  options: OptionLine[];
  lessons?: string[];
}

/** The editions, who rolls and deals, and who can be put on a seat. */
export interface EditionList {
  editions: EditionLine[];
  bots: BotLine[];
  chances: ChanceLine[];
}

/** Ask to end the game without a winner, or agree to that; the creator's word is enough, also before it began. `on` False: I no longer ask for it. */
export interface End {
  type: "end";
  id: string;
  on?: boolean;  // default: true
}

/** The one shape of an error. */
export interface Failure {
  error: Problem;
}

/** How fair a board is. */
export interface FairLine {
  score: number;
  tried: number;
  parts: FairPart[];
}

/** One of the questions that fairness is made of: seats, resources, corners, regions. */
export interface FairPart {
  name: string;
  points: number;
  why: string;
  values?: Record<string, unknown>;
}

/** The first thing a guest says: the version it speaks, the token of its seat, the last number it has seen. Without a token it watches. `since` 0 asks for everything from the beginning, None for nothing of the past. */
export interface Greeting {
  type: "hello";
  protocol: number;
  token?: string | null;
  since?: number | null;
}

/** One harbor: the two corners that have it, and so many cards of a kind (None: of any one kind) for one. */
export interface HarborLine {
  corners: [string, string];
  kind: string | null;
  rate: number;
}

/** Whether the server is well. */
export interface Health {
  status: string;
  version: string;
}

/** The first message on a connection: the table, the game, and what was missed since `since`. */
export interface Hello {
  type: "hello";
  protocol: number;
  seat: string | null;
  table: TableLine;
  board: BoardLine;
  projection: Projection | null;
  number: number;
  present: Present;
  time: number;
  muted?: string[];
}

/** One hex of a board. */
export interface HexLine {
  at: string;
  terrain: string;
  number: number | null;
}

/** Take a person's seat away. By the creator; in a running game a bot goes on. */
export interface Kick {
  type: "kick";
  id: string;
  seat: string;
}

/** Give up my seat before the game begins: it is free again, and my token is void. */
export interface Leave {
  type: "leave";
  id: string;
}

/** The guest who asks: its last name, and its tables, newest first. */
export interface Me {
  name: string;
  tables: MyTable[];
}

/** Tell me no more of what a seat says, or do so again. Nobody else is told. */
export interface Mute {
  type: "mute";
  id: string;
  seat: string;
  on?: boolean;  // default: true
}

/** A table of the guest who asks. */
export interface MyTable {
  table: TableLine;
  seat: string | null;
  creator: boolean;
}

/** A table to set up. Everything may be left out but the name of the one who does it. `seats` puts bots on seats, by colour: `{"blue": "easy"}`. */
export interface NewTable {
  name: string;
  title?: string;
  options?: Record<string, unknown>;
  board_seed?: number | null;
  board?: string | null;
  clock?: number | null;
  ranges?: boolean;  // default: false
  pace?: "fast" | "normal" | "slow";  // default: "normal"
  chance?: "dice" | "host" | "people";  // default: "host"
  lesson?: "" | "first-game";
  seats?: Record<string, string | null>;
  seat?: string | null;
  sit?: boolean;  // default: true
  begin?: boolean;  // default: false
  key?: string | null;
}

/** One more token of the seat one holds. */
export interface NewToken {
  seat: string;
  token: string;
  link: string;
}

/** How the game looks now; replaces the one before. */
export interface Now {
  type: "now";
  projection: Projection;
  number?: number;  // default: 0
}

/** Something one can choose for a table: what the books offer, and house rules. */
export interface OptionLine {
  name: string;
  kind: "bool" | "choice" | "int";
  help: string;
  low?: number | null;
  high?: number | null;
  choices?: string[];
  default?: boolean | number | string | null;
  setup?: string | null;
  house_rule?: boolean;  // default: false
  players?: number | null;
}

/** Let the bots of the table play faster or slower from now on. By the creator, at any time. */
export interface Pace {
  type: "pace";
  id: string;
  pace: "fast" | "normal" | "slow";
}

/** Ask for a pause, or agree to one; the creator's word is enough. `on` False: I no longer ask for it. */
export interface Pause {
  type: "pause";
  id: string;
  on?: boolean;  // default: true
}

/** Are you there? For clients that cannot see the pings of the socket itself. */
export interface Ping {
  type: "ping";
}

/** Yes. */
export interface Pong {
  type: "pong";
}

/** Not numbered: who is there now. Replaces the one before. */
export interface Present {
  type: "present";
  seats: string[];
  watching: number;
}

/** Why not. */
export interface Problem {
  code: string;
  message: string;
  rule?: string | null;
  why?: string;
  values?: Record<string, unknown>;
}

/** The game through one pair of eyes: what is there, what is asked, what may be done and why the rest may not. */
export interface Projection {
  seat: string | null;
  view: Record<string, unknown>;
  request: number;
  asked: boolean;
  prompt: Record<string, unknown>;
  legal: string[];
  refusals: Record<string, Record<string, unknown>>;
  deadline?: number | null;
  chance?: Question | null;
}

/** Put a bot on a seat, or empty the seat. By the creator, before the game. `player`: a bot's name, or None. */
export interface Put {
  type: "put";
  id: string;
  seat: string;
  player?: string | null;
}

/** What somebody is asked to tell about the real dice and cards. */
export interface Question {
  kind: "dice" | "drawn" | "stolen";
  player: string;
  number: number;
  outcomes?: string[];
}

/** A command was not carried out, and nothing changed. */
export interface Refused {
  type: "refused";
  id: string | null;
  code: string;
  message: string;
  rule?: string | null;
  legal?: string[];
  why?: string;
  values?: Record<string, unknown>;
}

/** The table that follows. */
export interface RematchAnswer {
  table: string;
}

/** Be called by another name at this table, at most 40 characters. */
export interface Rename {
  type: "rename";
  id: string;
  name: string;
}

/** A finished game through a pair of eyes, step by step; step 0 is before the first one. */
export interface ReplayAnswer {
  board: BoardLine;
  colors: string[];
  names: Record<string, string>;
  steps: number;
  turns: TurnLine[];
  points: Record<string, number[]>;
  events: Record<string, unknown>[][];
  result: Record<string, unknown>;
}

/** How a finished game looked after some steps in a row. */
export interface ReplayViews {
  views: Record<string, unknown>[];
}

/** Give up: a bot plays my seat to the end. */
export interface Resign {
  type: "resign";
  id: string;
}

/** Go on after a pause. */
export interface Resume {
  type: "resume";
  id: string;
}

/** Editions side by side. */
export interface RuleComparison {
  editions: Record<string, string>;
  rows: RuleRow[];
}

/** The almanac of an edition: its entries, and what leads to them. */
export interface RuleContents {
  edition: string;
  language: string;
  editions: Record<string, string>;
  groups: RuleGroup[];
  rules: Record<string, string[]>;
  words: Record<string, string>;
}

/** An entry of the almanac, in the words of an edition. */
export interface RuleEntry {
  name: string;
  title: string;
  short: string;
  group: string;
  blocks: (RuleHeading | RuleParagraph | RuleList | RuleTable | RuleExample)[];
  see: string[];
  rules: string[];
  topic?: string | null;
}

/** A worked example: /api/rules/examples/NAME.svg draws it. */
export interface RuleExample {
  kind: "example";
  name: string;
  title: string;
  caption: string;
  position: string;
  marks: Record<string, string>;
}

/** Entries that belong together, in the order in which they are best read. */
export interface RuleGroup {
  title: string;
  entries: RuleTopic[];
}

/** A heading within an entry. */
export interface RuleHeading {
  kind: "heading";
  text: string;
}

/** An entry that was found, with the place in it that fits best. */
export interface RuleHit {
  entry: string;
  title: string;
  excerpt: string;
  block: number;
  rules: string[];
  score: number;
}

/** What a search found, best first. */
export interface RuleHits {
  hits: RuleHit[];
}

/** A list, in steps if `ordered`. */
export interface RuleList {
  kind: "list";
  ordered: boolean;
  items: RuleParagraph[];
}

/** A paragraph. `role` is "" for the rule itself, "hint" for advice, "reading" for a point the book leaves open. */
export interface RuleParagraph {
  kind: "paragraph";
  spans: RuleSpan[];
  role?: string;
  rules?: string[];
}

/** One thing in which editions can differ; `values` are by edition. */
export interface RuleRow {
  key: string;
  label: string;
  values: Record<string, string>;
  rules: string[];
  same: boolean;
  word?: boolean;  // default: false
}

/** A part of a text; `to` is the entry it leads to. */
export interface RuleSpan {
  text: string;
  to?: string | null;
}

/** A table made from the data of the edition. */
export interface RuleTable {
  kind: "table";
  name: string;
  head: string[];
  rows: string[][];
  rules?: string[];
}

/** An entry of the almanac in its list. */
export interface RuleTopic {
  name: string;
  title: string;
  short: string;
}

/** Say something to everybody at the table. */
export interface Say {
  type: "say";
  id: string;
  text: string;
}

/** Who sits on a seat, as everybody may know it. */
export interface SeatLine {
  color: string;
  kind: "bot" | "empty" | "person";
  name?: string;
  player?: string | null;
  away?: boolean;  // default: false
  resigned?: boolean;  // default: false
  silenced?: boolean;  // default: false
  reserved?: string;
}

/** A seat is yours. Keep the token: whoever has it plays your seat. Who set up a table to watch has none. */
export interface SeatTaken {
  table: TableLine;
  seat: string | null;
  token: string | null;
  link: string;
  watch: string;
}

/** Let a seat speak no more, or again. By the creator, for everybody. */
export interface Silence {
  type: "silence";
  id: string;
  seat: string;
  on?: boolean;  // default: true
}

/** How much is going on. */
export interface Statistics {
  version: string;
  protocol: number;
  tables: Record<string, number>;
  sockets: number;
  warming: boolean;
  link: string | null;
}

/** One table: what everybody may know, and the game through the eyes of the one who asks. */
export interface TableAnswer {
  table: TableLine;
  board: string;
  projection: Projection | null;
  number: number;
}

/** What everybody may know of a table beside the game. */
export interface TableLine {
  id: string;
  status: "open" | "over" | "playing";
  title: string;
  edition: string;
  options: Record<string, unknown>;
  seats: SeatLine[];
  created: number;
  creator?: string;
  paused?: boolean;  // default: false
  clock?: number | null;
  pace?: "fast" | "normal" | "slow";  // default: "normal"
  chance?: "dice" | "host" | "people";  // default: "host"
  lesson?: string;
  wishes?: Record<string, string[]>;
  ended?: number | null;
  winner?: string | null;
  scores?: Record<string, number> | null;
  rematch?: string | null;
}

/** Tables, and how many there are. */
export interface TableList {
  tables: TableLine[];
  total: number;
}

/** Take back the last action with what came out. Only where people roll or draw, and not what the host has dealt. `number` is that of the latest message the sender has seen: two who undo the same mistake undo it once. */
export interface TakeBack {
  type: "take_back";
  id: string;
  number: number;
}

/** Sit down. */
export interface TakeSeat {
  name: string;
}

/** Numbered: something happened in the game. */
export interface Told {
  type: "told";
  number: number;
  time: number;
  events: Record<string, unknown>[];
}

/** Where a turn begins in a replay. */
export interface TurnLine {
  turn: number;
  step: number;
  player: string | null;
}

/** Ask whether I may play an action, and if not why not. Nothing is stored and nothing changes. */
export interface Why {
  type: "why";
  id: string;
  action: string;
}
