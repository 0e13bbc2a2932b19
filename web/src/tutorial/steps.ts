// The hints of the first game, as data: each says when it fits and what it points at. They look at what the host says
// (what is asked, what is legal, how the game stands) and at what was done so far; whether something is allowed is
// never decided here. A learner may do anything else: then another hint fits, or none.

import type {
  ActionKind,
  CardKind,
  Cards,
  Color,
  EditionLine,
  PieceKind,
  Prompt,
  Resource,
  View,
} from "../generated/protocol";
import type { TextKey } from "../generated/texts";
import { doerOf, type TableEvent } from "../game/live/events";
import { CARD_KINDS, RESOURCES } from "../generated/names";
import type { PartName } from "../app/pageParts";
import {
  countCards,
  isOfKind,
  missingCards,
  PLAYED_KINDS,
  type Action,
  type ActionOf,
  type PlacedKind,
} from "../game/actions/action";
import { isNaming, type DraftMode } from "../game/play/turnDraft.svelte";

/** Something that the learner has done: a piece that was built, or another event of the game. */
export type ThingMet = PieceKind | TableEvent["event"];

/** What a hint is chosen by. */
export interface Situation {
  ownColor: Color;
  view: View;
  /** What is asked of this seat; empty: nothing. */
  ask: Prompt["ask"] | "";
  actions: readonly Action[];
  /** Trades can be offered now. */
  trades: boolean;
  costs: EditionLine["costs"];
  /** What the learner has done so far, see `thingsMet`. */
  met: ReadonlySet<ThingMet>;
  /** Whether a knight brought the robber, see `knightBroughtRobber`. */
  knight: boolean;
  /** What is being chosen at the table, and the offer that is being written. */
  mode: DraftMode;
  trading: boolean;
  give: Cards;
  want: Cards;
}

/**
 * What a hint points at: a place to choose on the board, a piece that stands there, or the first that can be seen of some
 * buttons or other parts of the page (by their `data-part`).
 */
export interface HintTarget {
  place?: string | undefined;
  piece?: string | undefined;
  names?: readonly PartName[];
}

/** What has a title among the texts is the name of a step. */
type TitleOf<Key> = Key extends `tutorial.${infer Name}_title` ? Name : never;
type ReadingOf<Key> = Key extends `tutorial.read_${infer Entry}` ? Entry : never;
/** An entry of the almanac to read on in. */
type Reading = ReadingOf<TextKey>;

export interface TutorialStep {
  name: TitleOf<TextKey>;
  /** There is something to read, and nothing to do. */
  read?: true;
  fits: (situation: Situation) => boolean;
  point?: (situation: Situation) => HintTarget;
  /** What fills its text. */
  cards?: (situation: Situation) => Record<string, Cards>;
  /** The development card that its text names. */
  card?: (situation: Situation) => CardKind | undefined;
}

/** Good places on the beginners' board for the one who begins; any other will do. */
const GOOD_PLACES: Record<PlacedKind, readonly string[]> = {
  road: ["B2/e", "D1/e"],
  settlement: ["B2se", "C2se"],
  city: ["A1se"],
  robber: ["C5"],
};
/** Turns of the first two rounds: who trades so early has nothing to build with. */
const EARLY = 8;

/** What the learner has done, by the events of the game: "rolled", "road", "supply_traded", "drew" and so on. */
export function thingsMet(events: readonly TableEvent[], ownColor: Color | null): Set<ThingMet> {
  const own = events.filter((event) => doerOf(event) === ownColor && !("price" in event && free(event.price)));
  return new Set(own.map((event) => (event.event === "built" ? event.piece : event.event)));
}

/** Whether what moves the robber now is a knight and not a seven: of the two the one that came last (DEV-15). */
export const knightBroughtRobber = (events: readonly TableEvent[]): boolean =>
  events.findLast(({ event }) => event === "rolled" || event === "played_card")?.event === "played_card";

/** What stands on the board from the start was built for nothing. */
const free = (price: Cards): boolean => !Object.keys(price).length;

const mine = ({ view, ownColor }: Situation): boolean => view.active === ownColor;
const can = ({ actions }: Situation, kind: ActionKind): boolean => actions.some((action) => action.kind === kind);
const acts = (situation: Situation): boolean => mine(situation) && can(situation, "end");

/** A good place to choose, if it can be. */
function place({ actions }: Situation, kind: PlacedKind): HintTarget {
  const open = actions.filter((action) => isOfKind(action, kind)).map((action) => action.place);
  const goal = GOOD_PLACES[kind].find((good) => open.includes(good));
  return goal ? { place: goal } : {};
}

/** The button for a piece, then the place for it. */
const build =
  (kind: PieceKind) =>
  (situation: Situation): HintTarget =>
    situation.mode === kind ? place(situation, kind) : { names: [`build-${kind}`, "open-build"] };

/** The learner's first building of a kind. */
const own =
  (kind: "settlements" | "cities") =>
  ({ view, ownColor }: Situation): HintTarget => ({
    piece: view.players.find(({ color }) => color === ownColor)?.[kind][0],
  });

const handTarget = (): HintTarget => ({ names: ["hand"] });

/** What to ask for on the way to a city, and what to give for it: the most wanted, and the most of what is to spare. */
export function bargain({ view, costs }: Situation): { give: Resource; want: Resource } | null {
  const [hand, price] = [view.hand ?? {}, costs.city];
  const lack = (kind: Resource): number => (price[kind] ?? 0) - (hand[kind] ?? 0);
  const order = RESOURCES.toSorted((a, b) => lack(b) - lack(a));
  const [want, give] = [order[0], order.at(-1)];
  return want && give && lack(want) > 0 && lack(give) < 0 ? { give, want } : null;
}

/** The trade with the supply that brings a city nearest: what is given may be needed too. Undefined: none does. */
function swap({ view, costs, actions }: Situation): ActionOf<"supply"> | undefined {
  const [hand, price] = [view.hand ?? {}, costs.city];
  const lacking = missingCards(price, hand);
  const left = ({ give, take }: ActionOf<"supply">): number => countCards(missingCards(price, added(hand, take, give)));
  const usefulness = ({ take }: ActionOf<"supply">): number =>
    Math.max(0, ...RESOURCES.map((kind) => (take[kind] ? (lacking[kind] ?? 0) : 0)));
  return actions
    .filter((action) => action.kind === "supply")
    .filter((action) => left(action) < countCards(lacking))
    .toSorted((a, b) => left(a) - left(b) || usefulness(b) - usefulness(a))[0];
}

/** A hand after a trade. */
const added = (hand: Cards, take: Cards, give: Cards): Cards =>
  Object.fromEntries(RESOURCES.map((kind) => [kind, (hand[kind] ?? 0) + (take[kind] ?? 0) - (give[kind] ?? 0)]));

const kindIn = (cards: Cards = {}): Resource | undefined => RESOURCES.find((kind) => cards[kind]);

function towardsSupply(situation: Situation): HintTarget {
  const action = swap(situation);
  const [give, take] = [kindIn(action?.give), kindIn(action?.take)];
  return { names: give && take ? [`supply-${give}-${take}`, "trade"] : ["trade"] };
}

function towardsOffer(situation: Situation): HintTarget {
  const deal = bargain(situation);
  if (!situation.trading || !deal) return { names: ["trade"] };
  if (!situation.give[deal.give]) return { names: [`give-${deal.give}`] };
  return { names: [situation.want[deal.want] ? "send-offer" : `want-${deal.want}`] };
}

/** The card that can be played now, of those one holds. */
const playableCard = (situation: Situation): CardKind | undefined => PLAYED_KINDS.find((kind) => can(situation, kind));

const POINT_CARD = "victory-point";

/** A card that was drawn in this turn and can be played in a later one. */
const cardJustDrawn = ({ view }: Situation): CardKind | undefined =>
  CARD_KINDS.find((kind) => kind !== POINT_CARD && view.new?.[kind]);

/** A victory point that was drawn in this turn: it counts at once and is never played (DEV-27). */
const pointJustDrawn = ({ view }: Situation): CardKind | undefined => (view.new?.[POINT_CARD] ? POINT_CARD : undefined);

function towardsCard(situation: Situation): HintTarget {
  const choosing = isNaming(situation.mode);
  if (choosing) return { names: [`name-${bargain(situation)?.want ?? "ore"}`] };
  return towardsHeldCard(playableCard(situation));
}

/** A card that one holds: in a narrow window behind the button that opens them. */
const towardsHeldCard = (card: CardKind | undefined): HintTarget => ({
  names: card ? [`card-${card}`, "open-cards"] : ["open-cards"],
});

const ownOffer = ({ view, ownColor }: Situation) => view.offers.find((offer) => offer.by === ownColor);

/** In the order in which they are looked at: the first that fits and was not skipped is shown. */
export const TUTORIAL_STEPS: readonly TutorialStep[] = [
  // What must be done now, whatever was planned.
  { name: "discard", fits: ({ ask }) => ask === "discard", point: handTarget },
  {
    name: "robber",
    fits: ({ ask, knight }) => ask === "robber" && !knight,
    point: (situation) => place(situation, "robber"),
  },
  {
    name: "knight_robber",
    fits: ({ ask, knight }) => ask === "robber" && knight,
    point: (situation) => place(situation, "robber"),
  },
  { name: "steal", fits: (situation) => can(situation, "steal") },
  { name: "free_road", fits: ({ ask }) => ask === "free_road", point: (situation) => place(situation, "road") },
  {
    name: "answer",
    fits: (situation) => !mine(situation) && can(situation, "reject"),
    point: ({ actions }) => ({
      names: actions.filter((action) => action.kind === "reject").map(({ offer }): PartName => `reject-${offer}`),
    }),
  },
  // The end of the lesson.
  { name: "finish", read: true, fits: ({ met }) => met.has("city"), point: own("cities") },
  // The first turn.
  { name: "welcome", read: true, fits: ({ met }) => !met.has("rolled"), point: own("settlements") },
  {
    name: "roll",
    fits: (situation) => can(situation, "roll") && !situation.met.has("rolled"),
    point: () => ({ names: ["roll"] }),
  },
  {
    name: "produced",
    read: true,
    fits: (situation) => acts(situation) && !situation.met.has("turn_ended") && !situation.met.has("road"),
    point: handTarget,
  },
  // One new thing after the other, as soon as it can be done.
  {
    name: "road",
    fits: (situation) => acts(situation) && can(situation, "road") && !situation.met.has("road"),
    point: build("road"),
    cards: ({ costs }) => ({ price: costs.road }),
  },
  {
    name: "settlement",
    fits: (situation) => can(situation, "settlement") && !situation.met.has("settlement"),
    point: build("settlement"),
    cards: ({ costs }) => ({ price: costs.settlement }),
  },
  {
    name: "city",
    fits: (situation) => can(situation, "city") && !situation.met.has("city"),
    point: build("city"),
    cards: ({ costs }) => ({ price: costs.city }),
  },
  {
    name: "supply",
    fits: (situation) => situation.view.turn > EARLY && !situation.met.has("supply_traded") && !!swap(situation),
    point: towardsSupply,
    cards: (situation) => ({ give: swap(situation)?.give ?? {}, take: swap(situation)?.take ?? {} }),
  },
  {
    name: "confirm",
    fits: (situation) => can(situation, "confirm"),
    point: ({ actions }) => ({
      names: actions
        .filter((action) => action.kind === "confirm")
        .map(({ offer, color }): PartName => `confirm-${offer}-${color}`),
    }),
  },
  {
    name: "waiting",
    fits: (situation) => mine(situation) && !!ownOffer(situation),
    point: (situation) => {
      const offer = ownOffer(situation);
      return { names: offer ? [`offer-${offer.number}`] : [] };
    },
  },
  {
    name: "offer",
    fits: (situation) =>
      situation.trades &&
      mine(situation) &&
      situation.view.turn > EARLY &&
      !situation.met.has("offer_made") &&
      !!bargain(situation),
    point: towardsOffer,
    cards: (situation) => {
      const { give = "brick", want = "ore" } = bargain(situation) ?? {};
      return { give: { [give]: 1 }, want: { [want]: 1 } };
    },
  },
  {
    name: "buy",
    fits: (situation) => can(situation, "buy") && !situation.met.has("drew"),
    point: () => ({ names: ["build-card", "open-build"] }),
    cards: ({ costs }) => ({ price: costs.card }),
  },
  {
    name: "bought",
    read: true,
    fits: (situation) => !!cardJustDrawn(situation) && !situation.met.has("played_card"),
    point: (situation) => towardsHeldCard(cardJustDrawn(situation)),
    card: cardJustDrawn,
  },
  {
    name: "bought_point",
    read: true,
    fits: (situation) => !!pointJustDrawn(situation),
    point: () => towardsHeldCard(POINT_CARD),
    card: pointJustDrawn,
  },
  {
    name: "play",
    fits: (situation) => acts(situation) && !!playableCard(situation) && !situation.met.has("played_card"),
    point: towardsCard,
    card: playableCard,
  },
  // Nothing new: what goes on.
  { name: "roll_again", fits: (situation) => can(situation, "roll"), point: () => ({ names: ["roll"] }) },
  {
    name: "end",
    fits: (situation) => acts(situation) && !situation.met.has("turn_ended"),
    point: () => ({ names: ["end-turn"] }),
  },
  {
    name: "save",
    fits: acts,
    point: () => ({ names: ["end-turn"] }),
    cards: ({ costs, view }) => ({ lacking: missingCards(costs.city, view.hand ?? {}) }),
  },
  { name: "others", fits: (situation) => !mine(situation) },
];

/** The hint for this moment; null: none fits, or those that do were skipped. */
export function stepFor(situation: Situation, skipped: ReadonlySet<string>): TutorialStep | null {
  return TUTORIAL_STEPS.find((step) => !skipped.has(step.name) && step.fits(situation)) ?? null;
}

/** What can be met in a first game, with the entry of the almanac that tells of it. */
const TOPICS: readonly { met: ThingMet; entry: Reading }[] = [
  { met: "road", entry: "roads" },
  { met: "settlement", entry: "settlements" },
  { met: "supply_traded", entry: "maritime-trade" },
  { met: "offer_made", entry: "domestic-trade" },
  { met: "robber_moved", entry: "robber" },
  { met: "drew", entry: "development-cards" },
];
/** What is left to know after it. */
const AFTER: readonly Reading[] = ["victory-points", "longest-road", "largest-army", "harbors", "tactics"];

/** The entries to read on in: what was not met, then what a first game has no room for. */
export const furtherReading = (met: ReadonlySet<ThingMet>): Reading[] => [
  ...TOPICS.filter((topic) => !met.has(topic.met)).map(({ entry }) => entry),
  ...AFTER,
];
