// Hexholm protocol 1. Made from the Python types by python -m tools.generated --write.

/** What a guest says after its greeting: commands, and pings. */
export type Incoming = Act | Say | Begin | SeatBot | Kick | Pause | Resume | Away | Back | Resign | End | Leave | Mute | Silence | Rename | Pace | Deal | TakeBack | PromiseWord | OpenWord | Why | Ping;

/** What the table says. */
export type Outgoing = Hello | Told | Chatted | Changed | Now | Present | Done | Refused | WhyAnswer | Pong;

/** Play an action. `request` is the number of the question it answers; None: whatever is asked now. */
export type Act = {
  type: "act";
  id: string;
  action: string;
  request?: number | null;
};

/** The word that an action of a player begins with (docs/formats/actions.md). */
export type ActionKind = "roll" | "end" | "settlement" | "city" | "road" | "buy" | "knight" | "road-building" | "year-of-plenty" | "monopoly" | "waive" | "robber" | "steal" | "discard" | "supply" | "offer" | "counter" | "accept" | "reject" | "confirm" | "withdraw";

export type AllCardCounts = {
  knight: number;
  "victory-point": number;
  "road-building": number;
  "year-of-plenty": number;
  monopoly: number;
};

export type Award = "longest-road" | "largest-army";

/** An award that went from `loser` to `player`, at a step of a turn; see the event `AwardMoved`. */
export type AwardChange = {
  award: Award;
  loser: Color | null;
  player: Color | null;
  size: number;
  step: number;
  turn: number;
};

/** The "longest-road" or "largest-army" goes from `loser` to `player`. None: nobody had it, or has it now. `size` counts the holder's roads in a row, or knights; 0 if nobody holds it. */
export type AwardMovedEvent = {
  award: Award;
  event: "award_moved";
  loser: Color | null;
  player: Color | null;
  size: number;
};

/** Let a bot play for me until I am back. */
export type Away = {
  type: "away";
  id: string;
};

/** I am here again. */
export type Back = {
  type: "back";
  id: string;
};

/** Begin the game. By the table's creator; all seats must be taken. */
export type Begin = {
  type: "begin";
  id: string;
};

/** A board that a table could have. */
export type BoardAnswer = {
  board: BoardLine;
  colors: Color[];
  toml: string;
  seed: number;
  map?: number | null;
  fairness?: FairLine | null;
};

/** What lies where. Places are named as in docs/formats/places.md. */
export type BoardLine = {
  hexes: HexLine[];
  harbors: HarborLine[];
};

/** A player that can be put on a seat. */
export type BotLine = {
  name: string;
  line?: string;
};

/** A development card is paid for; it is drawn next. */
export type BoughtEvent = {
  event: "bought";
  player: Color;
  price: Cards;
};

/** A "road", "settlement" or "city" stands; `price` is what was paid, nothing in the set-up and for a free road. */
export type BuiltEvent = {
  event: "built";
  piece: PieceKind;
  place: string;
  player: Color;
  price: Cards;
};

export type BuiltPieces = {
  road: number;
  settlement: number;
  city: number;
};

export type CardCounts = {
  knight?: number;
  "victory-point"?: number;
  "road-building"?: number;
  "year-of-plenty"?: number;
  monopoly?: number;
};

export type CardKind = "knight" | "victory-point" | "road-building" | "year-of-plenty" | "monopoly";

export type CardRanges = {
  brick?: [number, number];
  lumber?: [number, number];
  wool?: [number, number];
  grain?: [number, number];
  ore?: [number, number];
};

export type Cards = {
  brick?: number;
  lumber?: number;
  wool?: number;
  grain?: number;
  ore?: number;
};

/** Who rolls and deals, as in `NewTable.chance`, and what goes with it. */
export type ChanceLine = {
  name: "dice" | "host" | "people";
  bots?: boolean;  // default: true
  clock?: boolean;  // default: true
  without?: string[];
};

/** What somebody is asked to tell about the real dice and cards. */
export type ChanceQuestion = {
  kind: "dice" | "drawn" | "stolen";
  player: Color;
  number: number;
  outcomes?: string[];
};

/** Numbered: something about the table changed: seats, pause, wishes, status. */
export type Changed = {
  type: "changed";
  number: number;
  time: number;
  what: TableChange;
  table: TableLine;
  muted?: Speaker[];
  by?: Color | null;
  dice?: DiceLine | null;
};

/** Numbered: somebody said something. The words are other people's words. */
export type Chatted = {
  type: "chatted";
  number: number;
  time: number;
  by: Speaker;
  text: string;
  spectator?: string;
};

/** A player has chosen cards to discard, all or the next one; nobody else is told before all have chosen. */
export type ChoseDiscardEvent = {
  cards: Cards;
  event: "chose_discard";
  player: Color;
};

export type Color = "red" | "blue" | "white" | "orange" | "black" | "green";

export type ConfirmPrompt = {
  active: boolean;
  ask: "confirm";
  number: number;
  players: Color[];
  to: Color | null;
};

export type Costs = {
  road: Cards;
  settlement: Cards;
  city: Cards;
  card: Cards;
};

/** Tell what came out at the real table: `dice 3 4`, `stolen ore`, `drawn knight`. Only where people decide that; `number` is that of the question it answers. Dice before the roll are that roll too. */
export type Deal = {
  type: "deal";
  id: string;
  outcome: string;
  number: number;
};

/** All that is needed to check the dice of a finished game, as docs/formats/dice-proof.md says it. */
export type DiceAnswer = {
  table: string;
  dice: DiceLine | null;
  draws?: DiceDraw[];
};

/** Balanced dice, a house rule: all 36 pairs are in the bag again. */
export type DiceBagFilledEvent = {
  event: "dice_bag_filled";
};

/** A roll, theft or card drawn of a finished game, and the numbers that stand for what came out. */
export type DiceDraw = {
  step: number;
  turn: number;
  player: Color;
  outcome: string;
  stream: "card" | "dice" | "start" | "theft";
  count: number;
  chances: number;
  first: number;
  last: number;
};

/** How the dice of a table can be checked (docs/formats/dice-proof.md). */
export type DiceLine = {
  commitment: string;
  promises?: Partial<Record<Color, string>>;
  words?: Partial<Record<Color, string>>;
  opening?: boolean;  // default: false
  key?: string | null;
};

export type DicePrompt = {
  ask: "dice";
  player: Color;
  to: Color | null;
};

/** How often a sum was rolled, how often fair dice roll it on average, and the range 95 times in 100. */
export type DiceSum = {
  expected: number;
  high: number;
  low: number;
  rolled: number;
  total: number;
};

/** The dice of all turns; starting rolls do not count. */
export type DiceSummary = {
  balanced: boolean;
  by_player: Partial<Record<Color, number[]>>;
  rolls: number;
  sums: DiceSum[];
};

export type DiscardPrompt = {
  active?: boolean;
  ask: "discard";
  begun?: boolean;
  number: number;
  to: Color | null;
};

/** All discards of a seven are in and lie open, in the order of the seats (INFO-08). */
export type DiscardedEvent = {
  cards: Cards;
  event: "discarded";
  player: Color;
};

/** A command was carried out. */
export type Done = {
  type: "done";
  id: string;
  number: number;
};

export type DrawPrompt = {
  ask: "draw";
  player: Color;
  to: Color | null;
};

/** The development card that was bought; only the player knows its kind (INFO-03). */
export type DrewEvent = {
  card: CardKind | null;
  event: "drew";
  player: Color;
};

/** An edition one can play, with everything a form for a new table or the rim of a board needs. */
export type EditionLine = {
  name: string;
  title: string;
  players: [number, number];
  colors: Color[];
  points: number;
  setup: string;
  words: Record<string, string>;
  setups: string[];
  costs: Costs;
  worth: Worth;
  hand_limit: number;
  supply: ResourceCounts;
  deck: AllCardCounts;
  pieces: PiecesLeft;
  options: OptionLine[];
  lessons?: string[];
};

/** The editions, who rolls and deals, and who can be put on a seat. */
export type EditionList = {
  editions: EditionLine[];
  bots: BotLine[];
  chances: ChanceLine[];
};

/** Ask to end the game without a winner, or agree to that: all who play must, but for those away for days. Before it began the creator's word is enough. `on` False: I no longer ask for it. */
export type End = {
  type: "end";
  id: string;
  on?: boolean;  // default: true
};

/** The one shape of an error. */
export type Failure = {
  error: Problem;
};

/** How fair a board is. */
export type FairLine = {
  score: number;
  tried: number;
  parts: FairPart[];
};

/** One of the questions that fairness is made of: seats, resources, corners, regions. */
export type FairPart = {
  name: string;
  points: number;
  why: string;
  values?: Record<string, string | number>;
};

/** The victim has no cards (ROBBER-07). */
export type FoundNothingEvent = {
  event: "found_nothing";
  player: Color;
  victim: Color;
};

export type FreeRoadPrompt = {
  active: boolean;
  ask: "free_road";
  number: number;
  optional?: boolean;
  to: Color | null;
};

/** Road Building: so many roads are placed free of charge next. */
export type FreeRoadsEvent = {
  event: "free_roads";
  player: Color;
  roads: number;
};

export type GainedCards = {
  start: ResourceCounts;
  production: ResourceCounts;
  stolen: ResourceCounts;
  players: ResourceCounts;
  supply: ResourceCounts;
  "year-of-plenty": ResourceCounts;
  monopoly: ResourceCounts;
};

/** A game is laid out: players by seat, the robber on its hex. */
export type GameBeganEvent = {
  edition: string;
  event: "game_began";
  players: Color[];
  robber: string;
  setup: string;
};

/** What happened, by its `event` (docs/formats/events.md). */
export type GameEvent = GameBeganEvent | RollForStartEvent | StartRolledEvent | StarterChosenEvent | PlacementTurnEvent | StartCardsEvent | TurnBeganEvent | RolledEvent | DiceBagFilledEvent | ProducedEvent | SupplyShortEvent | TurnEndedEvent | MustDiscardEvent | ChoseDiscardEvent | DiscardedEvent | RobberMovedEvent | VictimChosenEvent | FoundNothingEvent | StoleEvent | BuiltEvent | BoughtEvent | DrewEvent | PlayedCardEvent | FreeRoadsEvent | WaivedEvent | NoPlaceForRoadEvent | TookFromSupplyEvent | MonopolisedEvent | LimitTileEvent | AwardMovedEvent | SupplyTradedEvent | OfferMadeEvent | OfferAnsweredEvent | OfferWithdrawnEvent | TradedEvent | TradingEndedEvent | OfferClosedEvent | WonEvent | StoppedEvent;

/** The first thing a guest says: the version it speaks, the token of its seat, the last number it has seen. Without a token it watches. `since` 0 asks for everything from the beginning, None for nothing of the past. */
export type Greeting = {
  type: "hello";
  protocol: number;
  token?: string | null;
  since?: number | null;
};

/** Nothing is kept of the guest any more. */
export type GuestDeleted = {
  tables: number;
};

/** One harbor: the two corners that have it, and so many cards of a kind (None: of any one kind) for one. */
export type HarborLine = {
  corners: [string, string];
  kind: Resource | null;
  rate: number;
};

/** Whether the server is well. */
export type Health = {
  status: string;
  version: string;
};

/** The first message on a connection: the table, the game, and what was missed since `since`. */
export type Hello = {
  type: "hello";
  protocol: number;
  seat: Color | null;
  table: TableLine;
  board: BoardLine;
  projection: Projection | null;
  number: number;
  present: Present;
  time: number;
  muted?: Speaker[];
  dice?: DiceLine | null;
  warming?: boolean;  // default: false
};

/** One hex of a board. */
export type HexLine = {
  at: string;
  terrain: Terrain;
  number: number | null;
};

/** What a player held at a moment of a finished game, for the eyes of the referee. */
export type Holding = {
  cards: CardCounts;
  chosen: Cards;
  hand: Cards;
  new: CardCounts;
  points: number;
};

/** What a guest wants to be called, as those are asked who only watch and want to say something. */
export type Introduction = {
  name: string;
};

/** Take a person's seat away. Before the game by the creator. In a running game ask for it, or agree: it happens when all who play and are not away want it, and they are at least two, or the person has been away for days. A bot goes on; if the person is away, only until they are back. `on` False: I no longer ask for it. */
export type Kick = {
  type: "kick";
  id: string;
  seat: Color;
  on?: boolean;  // default: true
};

/** Give up my seat before the game begins: it is free again, and my token is void. */
export type Leave = {
  type: "leave";
  id: string;
};

/** Zip!: the limit tile for all settlements or all cities is `received`, or else given back (ZIP-06, ZIP-07). */
export type LimitTileEvent = {
  event: "limit_tile";
  piece: PieceKind;
  player: Color;
  received: boolean;
};

export type LostCards = {
  spent: ResourceCounts;
  discarded: ResourceCounts;
  stolen: ResourceCounts;
  monopoly: ResourceCounts;
  players: ResourceCounts;
  supply: ResourceCounts;
};

/** Production compared with the average, by the buildings and the robber's hex at each roll. A supply that cannot pay is bad luck, too. `spread` is the standard deviation: in two games of three the difference is smaller than that, in 95 of 100 smaller than twice that. */
export type LuckSummary = {
  expected: number;
  received: number;
  spread: number;
};

export type MainPrompt = {
  active: boolean;
  ask: "main";
  parts: ("build" | "buy" | "end" | "play" | "trade")[];
  to: Color | null;
};

/** The guest who asks: its last name, and its tables, newest first. */
export type Me = {
  name: string;
  tables: MyTable[];
};

/** Monopoly: so many cards of the kind came from whom; those who had none are left out. */
export type MonopolisedEvent = {
  event: "monopolised";
  player: Color;
  resource: Resource;
  taken: Partial<Record<Color, number>>;
};

/** A seven: these players must discard so many cards (SEVEN-02). */
export type MustDiscardEvent = {
  event: "must_discard";
  owing: Partial<Record<Color, number>>;
};

/** Tell me no more of what a seat says (""; those who watch), or do so again. Nobody else is told. */
export type Mute = {
  type: "mute";
  id: string;
  seat: Speaker;
  on?: boolean;  // default: true
};

/** The rating of the guest who asks, and the games it came from, newest first. */
export type MyRatings = {
  rating: number | null;
  games: number;
  history: RatedGameLine[];
  least_games: number;
};

/** A table of the guest who asks. */
export type MyTable = {
  table: TableLine;
  seat: Color | null;
  creator: boolean;
  asked_since?: number | null;
};

/** A reason by its name, of the rules or of the host, with what its sentence is made with. Empty: it has none. */
export type NamedReason = {
  why?: "" | "legal" | "unknown" | "game_over" | "chance_pending" | "no_such_chance" | "chance_decides" | "settlement_first" | "road_at_settlement" | "road_at_second" | "discards_first" | "name_victim" | "roll_first" | "rolled_already" | "before_roll" | "supply_before_roll" | "no_robber_move" | "no_steal" | "nothing_to_waive" | "no_discard" | "path_taken" | "path_unconnected" | "path_blocked" | "corner_taken" | "too_close" | "no_road_there" | "not_your_settlement" | "deck_empty" | "card_played_already" | "card_not_held" | "card_too_new" | "no_free_road" | "same_hex" | "spared_hex" | "no_victim" | "trading_closed" | "like_for_like" | "nothing_taken" | "rate_supply" | "rate_generic" | "rate_special" | "supply_short" | "trade_before_roll" | "wrong_partner" | "gift" | "like_on_both_sides" | "wants_too_much" | "offers_what_is_not_there" | "too_many_offers" | "game_stopped" | "watching" | "not_begun" | "over" | "paused" | "resigned" | "bot_plays" | "host_deals" | "nothing_to_tell" | "told_already" | "went_on" | "nothing_to_take_back" | "host_has_dealt" | "no_bots_here" | "watchers_are_silent" | "spectator_without_name" | "nothing_said" | "silenced" | "mute_needs_seat" | "not_yourself" | "creator_only" | "begun_already" | "kick_instead" | "nobody_to_kick" | "one_seat_each" | "kicked" | "bot_was_put" | "begun_without_you" | "seats_stay" | "no_seat_of_yours" | "seat_lost" | "leave_too_late" | "no_game" | "paused_already" | "not_paused" | "only_seated" | "only_seated_resume" | "asked_already" | "not_asked" | "not_away" | "away_already" | "not_over" | "never_begun" | "rematch_needs_seat" | "not_watchable" | "not_shown" | "not_yours_to_show" | "no_dice_proof" | "words_closed" | "words_opening" | "words_not_asked" | "word_not_promised" | "rated_needs_host_dice" | "rated_needs_plain_board" | "rated_needs_book_rules" | "rated_needs_stand_in" | "rated_needs_clock" | "rated_stays" | "spectators_need_open_table" | "no_seat_left" | "house_full" | "too_much_written" | "enough_said" | "log_full" | "too_fast" | "message_too_large" | "table_busy" | "wrong_token" | "no_cookie" | "connecting_too_often" | "too_many_connections" | "address_connections" | "closing" | "not_stored" | "no_such_address" | "no_such_method" | "not_json" | "bad_bearer" | "board_needs_seed" | "nothing_written" | "too_much_at_once" | "recovery_unknown" | "another_guest_here" | "deletion_not_confirmed" | "nothing_to_report" | "reported_too_often" | "stopping" | "cannot_read" | "cannot_write" | "accident";
  values?: Record<string, never>;
} | {
  why: "not_your_turn" | "not_your_supply_trade";
  values: {
    seat: Color;
  };
} | {
  why: "only_placement" | "pending" | "cannot_end";
  values: {
    phase: Phase;
  };
} | {
  why: "wrong_discard" | "no_roads_left" | "no_settlements_left" | "no_cities_left";
  values: {
    number: number;
  };
} | {
  why: "cannot_pay";
  values: {
    price: Cards;
  };
} | {
  why: "plenty_not_there";
  values: {
    supply: Cards;
  };
} | {
  why: "no_such_offer" | "not_addressed" | "answered_already" | "accepter_lacks" | "maker_lacks" | "partner_lacks" | "not_your_offer" | "no_yes" | "nothing_to_confirm";
  values: {
    offer: number;
  };
} | {
  why: "question_closed";
  values: {
    asked: number;
    now: number;
  };
} | {
  why: "unreadable_action" | "two_meanings" | "cannot_be_played" | "cannot_be_set_up" | "unreadable" | "say_hello" | "bad_call";
  values: {
    detail: string;
  };
} | {
  why: "not_your_seat";
  values: {
    other: string;
  };
} | {
  why: "others_tell";
  values: {
    seat: string;
  };
} | {
  why: "cannot_come_out";
  values: {
    outcome: string;
  };
} | {
  why: "spectators_said_enough" | "said_too_much" | "offered_enough" | "bad_id" | "body_too_large" | "query_too_long" | "recovery_misspelled";
  values: {
    most: number;
  };
} | {
  why: "said_too_often" | "offered_too_often" | "asked_too_often";
  values: {
    most: number;
    seconds: number;
  };
} | {
  why: "seats_free" | "begin_needs_bots";
  values: {
    seats: Color[];
  };
} | {
  why: "no_such_seat" | "no_seat_here";
  values: {
    seat: string;
    seats: Color[];
  };
} | {
  why: "no_such_player";
  values: {
    player: string;
    players: string[];
  };
} | {
  why: "kick_first" | "bot_plays_there" | "too_few_to_kick" | "seat_taken" | "name_taken" | "seat_reserved";
  values: {
    name: string;
  };
} | {
  why: "rated_needs_people";
  values: {
    least: number;
  };
} | {
  why: "too_many_tables" | "too_many_from_address" | "too_many_playing_on";
  values: {
    tables: number;
  };
} | {
  why: "busy";
  values: {
    retry_after: number;
  };
} | {
  why: "other_protocol";
  values: {
    ours: number;
    yours: number;
  };
} | {
  why: "no_such_table" | "log_broken";
  values: {
    table: string;
  };
} | {
  why: "unknown_host";
  values: {
    host: string;
  };
} | {
  why: "unknown_origin";
  values: {
    origin: string;
  };
} | {
  why: "bad_choice";
  values: {
    choices: string[];
    name: string;
    said: string;
  };
} | {
  why: "bad_number";
  values: {
    least: number;
    most: number;
    name: string;
    said: string;
  };
} | {
  why: "bad_time";
  values: {
    name: string;
    said: string;
  };
} | {
  why: "no_such_pieces";
  values: {
    color: string;
    colors: Color[];
  };
} | {
  why: "no_such_entry";
  values: {
    entry: string;
    near: string[];
  };
} | {
  why: "too_many_views";
  values: {
    first: number;
    last: number;
    most: number;
  };
} | {
  why: "banned" | "muted";
  values: {
    until: string;
    why: string;
  };
};

/** Who has this is you, on any device. It is told this one time. */
export type NewRecovery = {
  text: string;
  link: string;
  picture: string;
  expires?: number | null;
};

/** A complaint about words at a table: somebody's name, a remark, the title of the table. */
export type NewReport = {
  what: "chat" | "name" | "title";
  seat?: Color | null;
  number?: number | null;
  why?: string;
};

/** A table to set up. Everything may be left out but the name of the one who does it. `seats` puts bots on seats, by color: `{"blue": "easy"}`. */
export type NewTable = {
  name: string;
  title?: string;
  options?: TableOptions;
  board_seed?: number | null;
  board?: string | null;
  clock?: number | null;
  absence?: number | "wait" | null;
  plays_on?: boolean;  // default: false
  ranges?: boolean;  // default: false
  pace?: "fast" | "normal" | "slow";  // default: "normal"
  chance?: "dice" | "host" | "people";  // default: "host"
  rated?: boolean;  // default: false
  lesson?: "" | "first-game";
  visibility?: "open" | "unlisted";  // default: "unlisted"
  watchable?: boolean;  // default: true
  spectators_speak?: boolean;  // default: false
  seats?: Partial<Record<Color, string | null>>;
  seat?: Color | null;
  sit?: boolean;  // default: true
  begin?: boolean;  // default: false
  key?: string | null;
};

/** One more token of the seat one holds. */
export type NewToken = {
  seat: Color;
  token: string;
  link: string;
};

/** There is no place for the free roads that are left (DEV-18). */
export type NoPlaceForRoadEvent = {
  event: "no_place_for_road";
  player: Color;
  roads: number;
};

/** How the game looks now; replaces the one before. */
export type Now = {
  type: "now";
  projection: Projection;
  number?: number;  // default: 0
};

/** A yes that waits for the choice of the maker, or a no. A later answer takes the place of an earlier one. */
export type OfferAnsweredEvent = {
  accepts: boolean;
  event: "offer_answered";
  number: number;
  player: Color;
};

/** An offer is off: "declined" by all, or the "turn", the "trading" or the "game" is over (TRADE-03). */
export type OfferClosedEvent = {
  event: "offer_closed";
  number: number;
  why: "declined" | "game" | "trading" | "turn";
};

/** An open offer: what its maker gives and wants, to whom. `answers`: it is a counter-offer to the offer of that number, which its maker declines with it. */
export type OfferMadeEvent = {
  answers: number | null;
  event: "offer_made";
  give: Cards;
  number: number;
  player: Color;
  to: Color[];
  want: Cards;
};

export type OfferPrompt = {
  able?: boolean;
  active?: boolean;
  ask: "offer";
  give: Cards;
  number: number;
  player: Color;
  to: Color | null;
  want: Cards;
};

/** An open offer. */
export type OfferView = {
  by: Color;
  give: Cards;
  no: Color[];
  number: number;
  take: Cards;
  to: Color[];
  yes: Color[];
};

/** The maker takes an offer back. */
export type OfferWithdrawnEvent = {
  event: "offer_withdrawn";
  number: number;
  player: Color;
};

export type OffersPrompt = {
  active?: boolean;
  ask: "offers";
  number: number;
  to: Color | null;
};

/** Open the word that I promised, when the game is about to begin (`opening` in `DiceLine`). */
export type OpenWord = {
  type: "open_word";
  id: string;
  word: string;
};

/** Something one can choose for a table: what the books offer, and house rules. */
export type OptionLine = {
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
};

export type OverPrompt = {
  ask: "over";
  player: Color;
  to: Color | null;
};

/** Let the bots of the table play faster or slower from now on. By the creator, at any time. */
export type Pace = {
  type: "pace";
  id: string;
  pace: "fast" | "normal" | "slow";
};

/** Ask for a pause, or agree to one: all who play and are not away must. `on` False: I no longer ask for it. */
export type Pause = {
  type: "pause";
  id: string;
  on?: boolean;  // default: true
};

export type Phase = "start roll" | "settlement" | "road" | "roll" | "dice" | "discard" | "robber" | "victim" | "theft" | "main" | "free road" | "draw" | "over";

export type PieceKind = "road" | "settlement" | "city";

/** Pieces in hand; null: as many as one wants. */
export type PiecesLeft = {
  road: number | null;
  settlement: number | null;
  city: number | null;
};

/** Are you there? For clients that cannot see the pings of the socket itself. */
export type Ping = {
  type: "ping";
};

/** A player is next to place a settlement and a road, in round 1 or 2 (SETUP-11, SETUP-12). */
export type PlacementTurnEvent = {
  event: "placement_turn";
  player: Color;
  round: number;
};

/** A development card lies open; what it does follows. */
export type PlayedCardEvent = {
  card: CardKind;
  event: "played_card";
  player: Color;
};

/** The figures of one player. */
export type PlayerSummary = {
  blocked: ResourceCounts;
  bought: number;
  built: BuiltPieces;
  gained: GainedCards;
  hand: ResourceCounts;
  lost: LostCards;
  luck: LuckSummary;
  name: string;
  played: AllCardCounts;
  points: number;
  supply_trades: number;
  trades: Partial<Record<Color, number>>;
  turns: number;
  unpaid: ResourceCounts;
  unplayed: AllCardCounts;
  visible: number;
};

/** What is seen of one player. */
export type PlayerView = {
  cards: number;
  cities: string[];
  color: Color;
  hand: number;
  left: PiecesLeft;
  owes?: number;
  played: CardCounts;
  points: number;
  ranges?: CardRanges;
  road_length: number;
  roads: string[];
  settlements: string[];
};

/** The answer to a ping. */
export type Pong = {
  type: "pong";
};

/** Not numbered: who is there now. Replaces the one before. */
export type Present = {
  type: "present";
  seats: Color[];
  watching: number;
};

/** Why a request was refused. */
export type Problem = {
  code: RefusalCode;
  message: string;
  rule?: string | null;
} & NamedReason;

/** What a roll pays to whom; those who get nothing are left out. `hexes`: the same, hex by hex. */
export type ProducedEvent = {
  event: "produced";
  gains: Partial<Record<Color, Cards>>;
  hexes: Record<string, Partial<Record<Color, Cards>>>;
};

/** The game through one pair of eyes: what is there, what is asked, what may be done and why the rest may not. */
export type Projection = {
  seat: Color | null;
  view: View;
  request: number;
  asked: boolean;
  prompt: Prompt;
  legal: string[];
  refusals: Refusals;
  deadline?: number | null;
  chance?: ChanceQuestion | null;
};

/** Promise a word for the dice before the game begins: the SHA-256 of `hexholm-dice-1 word TABLE COLOR WORD`. A later promise takes the place of an earlier one. */
export type PromiseWord = {
  type: "promise_word";
  id: string;
  promise: string;
};

/** What is asked of a seat, or whom it waits for. By its `ask`. */
export type Prompt = SettlementPrompt | RoadPrompt | RollPrompt | DiscardPrompt | RobberPrompt | VictimPrompt | FreeRoadPrompt | MainPrompt | OfferPrompt | OffersPrompt | ConfirmPrompt | WaitPrompt | StartRollPrompt | DicePrompt | TheftPrompt | DrawPrompt | OverPrompt | StoppedPrompt;

/** A game that counted for somebody's rating. */
export type RatedGameLine = {
  table: string;
  number: number;
  time: number;
  place: number;
  players: number;
  rating: number;
  change: number;
};

/** Somebody in the list of ratings. */
export type RatingLine = {
  rank: number;
  name: string;
  rating: number;
  games: number;
  you?: boolean;  // default: false
};

/** People by their ratings, the best first. */
export type RatingList = {
  people: RatingLine[];
  total: number;
  least_games: number;
};

/** Why a kind of action is not possible: a name and values for the catalogue, and the English sentence. */
export type Reason = {
  message: string;
  rule: string;
} & NamedReason;

/** The wish to be, on this device, the guest that a text recovers. */
export type Recover = {
  text: string;
  replace?: boolean;  // default: false
};

/** Whom this device is from now on. */
export type Recovered = {
  name: string;
  tables: number;
};

/** All that recovers the guest who asks, the newest first. */
export type Recoveries = {
  recoveries: RecoveryLine[];
};

/** Something that recovers the guest who asks; nobody knows its text any more. */
export type RecoveryLine = {
  created: number;
  expires?: number | null;
};

/** What is to be made: something to keep, or something to use at once, on the phone in one's hand. */
export type RecoveryWish = {
  kind?: "lasting" | "once";  // default: "lasting"
};

export type RefusalCode = "not_readable" | "two_meanings" | "not_allowed" | "not_found" | "not_legal" | "closed" | "stopped" | "too_large" | "too_much" | "busy" | "failed" | "not_ready";

/** Why not, by kind of action. */
export type Refusals = {
  roll?: Reason;
  end?: Reason;
  settlement?: Reason;
  city?: Reason;
  road?: Reason;
  buy?: Reason;
  knight?: Reason;
  "road-building"?: Reason;
  "year-of-plenty"?: Reason;
  monopoly?: Reason;
  waive?: Reason;
  robber?: Reason;
  steal?: Reason;
  discard?: Reason;
  supply?: Reason;
  offer?: Reason;
  counter?: Reason;
  accept?: Reason;
  reject?: Reason;
  confirm?: Reason;
  withdraw?: Reason;
  take_back?: Reason;
};

/** A command was not carried out, and nothing changed. */
export type Refused = {
  type: "refused";
  id: string | null;
  code: RefusalCode;
  message: string;
  rule?: string | null;
  legal?: string[];
} & NamedReason;

/** The table that follows. */
export type RematchAnswer = {
  table: string;
};

/** Be called by another name at this table, at most 40 characters. */
export type Rename = {
  type: "rename";
  id: string;
  name: string;
};

/** A finished game through a pair of eyes, step by step; step 0 is before the first one. */
export type ReplayAnswer = {
  board: BoardLine;
  colors: Color[];
  names: Partial<Record<Color, string>>;
  steps: number;
  turns: TurnLine[];
  points: Partial<Record<Color, number[]>>;
  events: GameEvent[][];
  result: ReplayResult;
};

/** How a finished game ended; empty where nothing is known of it. */
export type ReplayResult = {
  how?: "abandoned" | "agreed" | "capped" | "won";
  note?: string;
  points?: Partial<Record<Color, number>>;
  winner?: Color | null;
};

/** A moment of a finished game; `truth` is there for the eyes of the referee. */
export type ReplayView = {
  active: Color;
  deck: number;
  development?: CardCounts;
  dice: [number, number] | null;
  hand?: Cards;
  largest_army: Color | null;
  longest_road: Color | null;
  new?: CardCounts;
  offers: OfferView[];
  over: boolean;
  partners?: Color[];
  phase: Phase;
  players: PlayerView[];
  rates?: ResourceCounts;
  robber: string;
  supply: Cards;
  truth?: Truth;
  turn: number;
  winner: Color | null;
};

/** How a finished game looked after some steps in a row. */
export type ReplayViews = {
  views: ReplayView[];
};

/** The operator of the house will see it. */
export type ReportTaken = {
  taken: boolean;
};

/** Give up: a bot plays my seat to the end. */
export type Resign = {
  type: "resign";
  id: string;
};

export type Resource = "brick" | "lumber" | "wool" | "grain" | "ore";

export type ResourceCounts = {
  brick: number;
  lumber: number;
  wool: number;
  grain: number;
  ore: number;
};

/** Go on after a pause. */
export type Resume = {
  type: "resume";
  id: string;
};

export type RoadPrompt = {
  active: boolean;
  ask: "road";
  to: Color | null;
};

/** The robber stands on `hex` and has left `left`. `victims` have a building there: of several the player chooses one, a single one is robbed at once (ROBBER-12). */
export type RobberMovedEvent = {
  event: "robber_moved";
  hex: string;
  left: string;
  player: Color;
  victims: Color[];
};

export type RobberPrompt = {
  active: boolean;
  ask: "robber";
  to: Color | null;
};

/** These players roll for the right to begin; `again`: they tied (SETUP-06, SETUP-07). */
export type RollForStartEvent = {
  again: boolean;
  event: "roll_for_start";
  players: Color[];
};

export type RollPrompt = {
  active: boolean;
  ask: "roll";
  cards?: CardKind[];
  to: Color | null;
};

/** The dice of a turn. */
export type RolledEvent = {
  dice: [number, number];
  event: "rolled";
  player: Color;
  total: number;
};

/** Editions side by side. */
export type RuleComparison = {
  editions: Record<string, string>;
  rows: RuleRow[];
};

/** The almanac of an edition: its entries, and what leads to them. */
export type RuleContents = {
  edition: string;
  language: string;
  editions: Record<string, string>;
  groups: RuleGroup[];
  rules: Record<string, string[]>;
  words: Record<string, string>;
};

/** An entry of the almanac, in the words of an edition. */
export type RuleEntry = {
  name: string;
  title: string;
  short: string;
  group: string;
  blocks: (RuleHeading | RuleParagraph | RuleList | RuleTable | RuleExample)[];
  see: string[];
  rules: string[];
  topic?: string | null;
};

/** A worked example: /api/rules/examples/NAME.svg draws it. */
export type RuleExample = {
  kind: "example";
  name: string;
  title: string;
  caption: string;
  position: string;
  marks: Record<string, string>;
};

/** Entries that belong together, in the order in which they are best read. */
export type RuleGroup = {
  title: string;
  entries: RuleTopic[];
};

/** A heading within an entry. */
export type RuleHeading = {
  kind: "heading";
  text: string;
};

/** An entry that was found, with the place in it that fits best. */
export type RuleHit = {
  entry: string;
  title: string;
  excerpt: string;
  block: number;
  rules: string[];
  score: number;
};

/** What a search found, best first. */
export type RuleHits = {
  hits: RuleHit[];
};

/** A list, in steps if `ordered`. */
export type RuleList = {
  kind: "list";
  ordered: boolean;
  items: RuleParagraph[];
};

/** A paragraph. `role` is "" for the rule itself, "hint" for advice, "reading" for a point the book leaves open. */
export type RuleParagraph = {
  kind: "paragraph";
  spans: RuleSpan[];
  role?: "" | "hint" | "reading";
  rules?: string[];
};

/** One thing in which editions can differ; `values` are by edition. */
export type RuleRow = {
  key: string;
  label: string;
  values: Record<string, string>;
  rules: string[];
  same: boolean;
  word?: boolean;  // default: false
};

/** A part of a text; `to` is the entry it leads to. */
export type RuleSpan = {
  text: string;
  to?: string | null;
};

/** A table made from the data of the edition. */
export type RuleTable = {
  kind: "table";
  name: string;
  head: string[];
  rows: string[][];
  rules?: string[];
};

/** An entry of the almanac in its list. */
export type RuleTopic = {
  name: string;
  title: string;
  short: string;
};

/** Say something to everybody at the table. One who watches may where `spectators_speak`, by its name here. */
export type Say = {
  type: "say";
  id: string;
  text: string;
};

/** Put a bot on a seat, or empty the seat. By the creator, before the game. `player`: a bot's name, or None. */
export type SeatBot = {
  type: "put";
  id: string;
  seat: Color;
  player?: string | null;
};

/** Who sits on a seat, as everybody may know it. */
export type SeatLine = {
  color: Color;
  kind: "bot" | "empty" | "person";
  name?: string;
  player?: string | null;
  away?: boolean;  // default: false
  resigned?: boolean;  // default: false
  silenced?: boolean;  // default: false
  reserved?: string;
  long_gone?: boolean;  // default: false
  kick_wishes?: Color[];
  kick_missing?: Color[];
};

/** A seat is yours. Keep the token: whoever has it plays your seat. Who set up a table to watch has none. */
export type SeatTaken = {
  table: TableLine;
  seat: Color | null;
  token: string | null;
  link: string;
  watch: string;
};

export type SettlementPrompt = {
  active: boolean;
  ask: "settlement";
  number: number;
  to: Color | null;
};

/** Whether you show a finished game to others. */
export type ShareAnswer = {
  shown: boolean;
  public?: boolean;  // default: false
  link?: string | null;
};

/** Let a seat ("": those who watch) speak no more, or again. By the creator, for everybody. */
export type Silence = {
  type: "silence";
  id: string;
  seat: Speaker;
  on?: boolean;  // default: true
};

/** The color of whoever says something. Empty: those who watch. */
export type Speaker = Color | "";

/** The start resources of a player (SETUP-16). */
export type StartCardsEvent = {
  cards: Cards;
  event: "start_cards";
  player: Color;
};

export type StartRollPrompt = {
  ask: "start_roll";
  player: Color;
  to: Color | null;
};

/** One roll for the right to begin. */
export type StartRolledEvent = {
  dice: [number, number];
  event: "start_rolled";
  player: Color;
  total: number;
};

/** Who begins; `why`: "roll" (the highest), "named", "oldest", or "seat" (no ages are known: seat 0). */
export type StarterChosenEvent = {
  event: "starter_chosen";
  player: Color;
  why: "named" | "oldest" | "roll" | "seat";
};

/** How much is going on. */
export type Statistics = {
  version: string;
  protocol: number;
  tables: Record<string, number>;
  sockets: number;
  warming: boolean;
  link: string | null;
  compiled?: number;  // default: 1.0
};

/** A card went from the victim to the player; only these two know its kind (INFO-07). */
export type StoleEvent = {
  card: Resource | null;
  event: "stole";
  player: Color;
  victim: Color;
};

/** The game ended before anybody won: `how` is agreed, abandoned or capped, `note` what was said about it, or "". */
export type StoppedEvent = {
  event: "stopped";
  how: "abandoned" | "agreed" | "capped";
  note: string;
};

export type StoppedPrompt = {
  ask: "stopped";
  to: Color | null;
};

/** A game in numbers. */
export type Summary = {
  awards: AwardChange[];
  decisions: number;
  dice: DiceSummary;
  edition: string;
  how: "abandoned" | "agreed" | "capped" | "won" | null;
  length: number;
  players: Partial<Record<Color, PlayerSummary>>;
  points: Partial<Record<Color, number[]>>;
  steps: number;
  turns: TurnSummary[];
  visible: Partial<Record<Color, number[]>>;
  winner: Color | null;
};

/** The supply had fewer cards of a kind than were due. A single taker, `player`, gets the rest (PROD-09); of several nobody gets any, and `player` is None (PROD-08). */
export type SupplyShortEvent = {
  due: number;
  event: "supply_short";
  paid: number;
  player: Color | null;
  resource: Resource;
};

/** A trade with the supply, `rate` cards for one. */
export type SupplyTradedEvent = {
  event: "supply_traded";
  give: Cards;
  player: Color;
  rate: number;
  take: Cards;
};

/** One table: what everybody may know, and the game through the eyes of the one who asks. */
export type TableAnswer = {
  table: TableLine;
  board: string;
  projection: Projection | null;
  number: number;
};

export type TableChange = "seated" | "began" | "wished" | "paused" | "left" | "ended" | "over" | "restarted" | "silenced" | "muted" | "freed" | "rematch" | "renamed" | "paced" | "took_back" | "mistold" | "promised" | "words_asked" | "word_opened" | "waited" | "long_gone" | "kick_wished";

/** What everybody may know of a table beside the game. */
export type TableLine = {
  id: string;
  status: "open" | "over" | "playing";
  title: string;
  edition: string;
  options: TableOptions;
  seats: SeatLine[];
  created: number;
  creator?: Color;
  paused?: boolean;  // default: false
  clock?: number | null;
  pace?: "fast" | "normal" | "slow";  // default: "normal"
  chance?: "dice" | "host" | "people";  // default: "host"
  lesson?: "" | "first-game";
  visibility?: "open" | "unlisted";  // default: "unlisted"
  watchable?: boolean;  // default: true
  spectators_speak?: boolean;  // default: false
  spectators_silenced?: boolean;  // default: false
  wishes?: Wishes;
  missing?: Wishes;
  absence?: number | "wait";  // default: 120.0
  plays_on?: boolean;  // default: false
  waiting?: boolean;  // default: false
  ended?: number | null;
  winner?: Color | null;
  scores?: Partial<Record<Color, number>> | null;
  rematch?: string | null;
  rated?: boolean;  // default: false
  unrated?: "" | "few_people" | "no_winner" | "weak_bots";
};

/** Tables, and how many there are. */
export type TableList = {
  tables: TableLine[];
  total: number;
};

/** What is played, by the name of the option. */
export type TableOptions = Record<string, string | number | boolean | null | (string | number)[]>;

/** Take back the last action with what came out. Only where people roll or draw, and not what the host has dealt. `number` is that of the latest message the sender has seen: two who undo the same mistake undo it once. */
export type TakeBack = {
  type: "take_back";
  id: string;
  number: number;
};

/** Who wants to sit down, and where. */
export type TakeSeat = {
  name: string;
};

export type Terrain = "hills" | "forest" | "pasture" | "fields" | "mountains" | "desert";

export type TheftPrompt = {
  ask: "theft";
  player: Color;
  players: Color[];
  to: Color | null;
};

/** Numbered: something happened in the game. */
export type Told = {
  type: "told";
  number: number;
  time: number;
  events: GameEvent[];
};

/** Year of Plenty: the cards taken. */
export type TookFromSupplyEvent = {
  cards: Cards;
  event: "took_from_supply";
  player: Color;
};

/** An exchange; with it the offer is closed. `player`, who made the offer, gives `give` and gets `take`. */
export type TradedEvent = {
  event: "traded";
  give: Cards;
  number: number;
  partner: Color;
  player: Color;
  take: Cards;
};

/** Separate phases: the player has built or bought, so there is no more trade this turn (PHASE-05). */
export type TradingEndedEvent = {
  event: "trading_ended";
  player: Color;
};

/** All cards at a moment of a finished game. */
export type Truth = {
  deck: CardCounts;
  players: Partial<Record<Color, Holding>>;
  supply: Cards;
};

/** The turn of a player, before the roll; turns are counted from 1. */
export type TurnBeganEvent = {
  event: "turn_began";
  number: number;
  player: Color;
};

/** The active player passes the dice on. */
export type TurnEndedEvent = {
  event: "turn_ended";
  player: Color;
};

/** Where a turn begins in a replay. */
export type TurnLine = {
  turn: number;
  step: number;
  player: Color | null;
};

/** A turn: the moment at which it begins (:mod:`.timeline`), whose it is, and what was rolled. The set-up is turn 0 and nobody's; nothing is rolled on a turn that was won, or stopped, before the roll. */
export type TurnSummary = {
  player: Color | null;
  roll: number | null;
  step: number;
  turn: number;
};

/** Of several victims the player robs this one. */
export type VictimChosenEvent = {
  event: "victim_chosen";
  player: Color;
  victim: Color;
};

export type VictimPrompt = {
  active: boolean;
  ask: "victim";
  players: Color[];
  to: Color | null;
};

/** The game through one pair of eyes. The last five are there for a seat, of its own cards. */
export type View = {
  active: Color;
  deck: number;
  development?: CardCounts;
  dice: [number, number] | null;
  hand?: Cards;
  largest_army: Color | null;
  longest_road: Color | null;
  new?: CardCounts;
  offers: OfferView[];
  over: boolean;
  partners?: Color[];
  phase: Phase;
  players: PlayerView[];
  rates?: ResourceCounts;
  robber: string;
  supply: Cards;
  turn: number;
  winner: Color | null;
};

export type WaitPrompt = {
  ask: "wait";
  players?: Color[];
  to: Color | null;
};

/** The player does without the free roads that are left (DEV-18). */
export type WaivedEvent = {
  event: "waived";
  player: Color;
  roads: number;
};

/** Ask whether I may play an action, and if not why not. Nothing is stored and nothing changes. */
export type Why = {
  type: "why";
  id: string;
  action: string;
};

/** The answer to `Why`, from what the seat can see alone; the fields as in `Refused`, empty for what is legal. */
export type WhyAnswer = {
  type: "because";
  id: string;
  legal: boolean;
  rule?: string | null;
  message?: string;
} & NamedReason;

/** Who asks for what. */
export type Wishes = {
  pause?: Color[];
  end?: Color[];
};

/** The game is over. `scores` are the final points of all, `revealed` their victory point cards (WIN-05, WIN-07). */
export type WonEvent = {
  event: "won";
  player: Color;
  points: number;
  revealed: Partial<Record<Color, number>>;
  scores: Partial<Record<Color, number>>;
};

export type Worth = {
  settlement: number;
  city: number;
  "longest-road": number;
  "largest-army": number;
};
