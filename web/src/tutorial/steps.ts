// The hints of the first game, as data: each says when it fits and what it points at. They look at what the host says
// (what is asked, what is legal, how the game stands) and at what was done so far; whether something is allowed is
// never decided here. A learner may do anything else: then another hint fits, or none.

import { RESOURCES, missing, type Cards, type Move, type Resource } from "../game/play/action";
import type { GameEvent } from "../game/table.svelte";
import type { CardKind, View } from "../lib/view";

/** What a hint is chosen by. */
export interface Sight {
  seat: string;
  view: View;
  /** What is asked of this seat; empty: nothing. */
  ask: string;
  moves: readonly Move[];
  /** Trades can be offered now. */
  trades: boolean;
  costs: Record<string, Cards>;
  /** What the learner has done so far, see `metIn`. */
  met: ReadonlySet<string>;
  /** What is being chosen at the table, and the offer that is being written. */
  mode: string | null;
  trading: boolean;
  give: Cards;
  want: Cards;
}

/**
 * What a hint points at: a place to choose on the board, a piece that stands there, or the first that can be seen of some
 * buttons or other parts of the page (by test id).
 */
export interface Point {
  place?: string | undefined;
  piece?: string | undefined;
  parts?: readonly string[];
}

export interface Step {
  name: string;
  /** There is something to read, and nothing to do. */
  read?: true;
  fits: (sight: Sight) => boolean;
  point?: (sight: Sight) => Point;
  /** What fills its text. */
  cards?: (sight: Sight) => Record<string, Cards>;
}

/** Good places on the beginners' board for the one who begins; any other will do. */
const PLACES: Record<string, readonly string[]> = {
  road: ["B2/e", "D1/e"],
  settlement: ["B2se", "C2se"],
  city: ["A1se"],
  robber: ["C5"],
};
/** Turns of the first two rounds: who trades so early has nothing to build with. */
const EARLY = 8;
const CARDS: readonly CardKind[] = ["knight", "road-building", "year-of-plenty", "monopoly"];

/** What the learner has done, by the events of the game: "rolled", "road", "supply_traded", "drew" and so on. */
export function metIn(events: readonly GameEvent[], seat: string): Set<string> {
  const own = events.filter(({ player, price }) => player === seat && !free(price));
  return new Set(own.map(({ event, piece }) => (event === "built" ? String(piece) : event)));
}

/** What stands on the board from the start was built for nothing. */
const free = (price: unknown): boolean => !!price && !Object.keys(price).length;

const mine = ({ view, seat }: Sight): boolean => view.active === seat;
const can = ({ moves }: Sight, kind: string): boolean => moves.some((move) => move.kind === kind);
const acts = (sight: Sight): boolean => mine(sight) && can(sight, "end");

/** A good place to choose, if it can be. */
function place({ moves }: Sight, kind: string): Point {
  const open = moves.filter((move) => move.kind === kind).map((move) => move.place);
  const found = PLACES[kind]?.find((one) => open.includes(one));
  return found ? { place: found } : {};
}

/** The button for a piece, then the place for it. */
const build = (kind: string) => (sight: Sight): Point =>
  sight.mode === kind ? place(sight, kind) : { parts: [`build-${kind}`, "open-build"] };

/** The learner's first building of a kind. */
const own = (kind: "settlements" | "cities") => ({ view, seat }: Sight): Point =>
  ({ piece: view.players.find(({ color }) => color === seat)?.[kind][0] });

const hand = (): Point => ({ parts: ["hand"] });

/** What to ask for on the way to a city, and what to give for it: the most wanted, and the most of what is to spare. */
export function bargain({ view, costs }: Sight): { give: Resource; want: Resource } | null {
  const [hand, price] = [view.hand ?? {}, costs.city ?? {}];
  const lack = (kind: Resource): number => (price[kind] ?? 0) - (hand[kind] ?? 0);
  const order = RESOURCES.toSorted((a, b) => lack(b) - lack(a));
  const [want, give] = [order[0], order.at(-1)];
  return want && give && lack(want) > 0 && lack(give) < 0 ? { give, want } : null;
}

/** The trade with the supply that brings a city nearest: what is given may be needed too. Undefined: none does. */
function swap({ view, costs, moves }: Sight): Move | undefined {
  const [hand, price] = [view.hand ?? {}, costs.city ?? {}];
  const lacking = missing(price, hand);
  const left = ({ give = {}, take = {} }: Move): number => count(missing(price, added(hand, take, give)));
  const wanted = ({ take = {} }: Move): number => Math.max(0, ...RESOURCES.map((kind) => (take[kind] ? (lacking[kind] ?? 0) : 0)));
  return moves
    .filter((move) => move.kind === "supply" && left(move) < count(lacking))
    .toSorted((a, b) => left(a) - left(b) || wanted(b) - wanted(a))[0];
}

const count = (cards: Cards): number => RESOURCES.reduce((sum, kind) => sum + (cards[kind] ?? 0), 0);

/** A hand after a trade. */
const added = (hand: Cards, take: Cards, give: Cards): Cards =>
  Object.fromEntries(RESOURCES.map((kind) => [kind, (hand[kind] ?? 0) + (take[kind] ?? 0) - (give[kind] ?? 0)]));

const kindIn = (cards: Cards = {}): Resource | undefined => RESOURCES.find((kind) => cards[kind]);

function towardsSupply(sight: Sight): Point {
  const move = swap(sight);
  return { parts: [`supply-${kindIn(move?.give)}-${kindIn(move?.take)}`, "trade"] };
}

function towardsOffer(sight: Sight): Point {
  const deal = bargain(sight);
  if (!sight.trading || !deal) return { parts: ["trade"] };
  if (!sight.give[deal.give]) return { parts: [`give-${deal.give}`] };
  return { parts: [sight.want[deal.want] ? "send-offer" : `want-${deal.want}`] };
}

/** The card that can be played now, of those one holds. */
export const playable = (sight: Sight): CardKind | undefined => CARDS.find((kind) => can(sight, kind));

/** The card that was drawn in this turn. */
export const drawn = ({ view }: Sight): string | undefined =>
  Object.entries(view.new ?? {}).find(([, count]) => count)?.[0];

function towardsCard(sight: Sight): Point {
  const choosing = sight.mode === "plenty" || sight.mode === "monopoly";
  if (choosing) return { parts: [`name-${bargain(sight)?.want ?? "ore"}`] };
  return { parts: [`card-${playable(sight)}`, "open-cards"] };
}

const ownOffer = ({ view, seat }: Sight) => view.offers.find((offer) => offer.by === seat);

/** In the order in which they are looked at: the first that fits and was not skipped is shown. */
export const STEPS: readonly Step[] = [
  // What must be done now, whatever was planned.
  { name: "discard", fits: ({ ask }) => ask === "discard", point: hand },
  { name: "robber", fits: ({ ask }) => ask === "robber", point: (sight) => place(sight, "robber") },
  { name: "steal", fits: (sight) => can(sight, "steal") },
  { name: "free_road", fits: ({ ask }) => ask === "free_road", point: (sight) => place(sight, "road") },
  {
    name: "answer",
    fits: (sight) => !mine(sight) && can(sight, "reject"),
    point: ({ moves }) => ({ parts: moves.filter(({ kind }) => kind === "reject").map(({ offer }) => `reject-${offer}`) }),
  },
  // The end of the lesson.
  { name: "finish", read: true, fits: ({ met }) => met.has("city"), point: own("cities") },
  // The first turn.
  { name: "welcome", read: true, fits: ({ met }) => !met.has("rolled"), point: own("settlements") },
  { name: "roll", fits: (sight) => can(sight, "roll") && !sight.met.has("rolled"), point: () => ({ parts: ["roll"] }) },
  {
    name: "produced",
    read: true,
    fits: (sight) => acts(sight) && !sight.met.has("turn_ended") && !sight.met.has("road"),
    point: hand,
  },
  // One new thing after the other, as soon as it can be done.
  {
    name: "road",
    fits: (sight) => acts(sight) && can(sight, "road") && !sight.met.has("road"),
    point: build("road"),
    cards: ({ costs }) => ({ price: costs.road ?? {} }),
  },
  {
    name: "settlement",
    fits: (sight) => can(sight, "settlement") && !sight.met.has("settlement"),
    point: build("settlement"),
    cards: ({ costs }) => ({ price: costs.settlement ?? {} }),
  },
  {
    name: "city",
    fits: (sight) => can(sight, "city") && !sight.met.has("city"),
    point: build("city"),
    cards: ({ costs }) => ({ price: costs.city ?? {} }),
  },
  {
    name: "supply",
    fits: (sight) => sight.view.turn > EARLY && !sight.met.has("supply_traded") && !!swap(sight),
    point: towardsSupply,
    cards: (sight) => ({ give: swap(sight)?.give ?? {}, take: swap(sight)?.take ?? {} }),
  },
  {
    name: "confirm",
    fits: (sight) => can(sight, "confirm"),
    point: ({ moves }) => ({ parts: moves.filter(({ kind }) => kind === "confirm").map(({ offer, color }) => `confirm-${offer}-${color}`) }),
  },
  {
    name: "waiting",
    fits: (sight) => mine(sight) && !!ownOffer(sight),
    point: (sight) => ({ parts: [`offer-${ownOffer(sight)?.number}`] }),
  },
  {
    name: "offer",
    fits: (sight) => sight.trades && mine(sight) && sight.view.turn > EARLY && !sight.met.has("offer_made") && !!bargain(sight),
    point: towardsOffer,
    cards: (sight) => {
      const { give = "brick", want = "ore" } = bargain(sight) ?? {};
      return { give: { [give]: 1 }, want: { [want]: 1 } };
    },
  },
  {
    name: "buy",
    fits: (sight) => can(sight, "buy") && !sight.met.has("drew"),
    point: () => ({ parts: ["build-card", "open-build"] }),
    cards: ({ costs }) => ({ price: costs.card ?? {} }),
  },
  {
    name: "bought",
    read: true,
    fits: (sight) => !!drawn(sight) && !sight.met.has("played_card"),
    point: (sight) => ({ parts: [`card-${drawn(sight)}`, "open-cards"] }),
  },
  {
    name: "play",
    fits: (sight) => acts(sight) && !!playable(sight) && !sight.met.has("played_card"),
    point: towardsCard,
  },
  // Nothing new: what goes on.
  { name: "roll_again", fits: (sight) => can(sight, "roll"), point: () => ({ parts: ["roll"] }) },
  { name: "end", fits: (sight) => acts(sight) && !sight.met.has("turn_ended"), point: () => ({ parts: ["end-turn"] }) },
  {
    name: "save",
    fits: acts,
    point: () => ({ parts: ["end-turn"] }),
    cards: ({ costs, view }) => ({ lacking: missing(costs.city ?? {}, view.hand ?? {}) }),
  },
  { name: "others", fits: (sight) => !mine(sight) },
];

/** The hint for this moment; null: none fits, or those that do were skipped. */
export function stepFor(sight: Sight, skipped: ReadonlySet<string>): Step | null {
  return STEPS.find((step) => !skipped.has(step.name) && step.fits(sight)) ?? null;
}

/** What can be met in a first game, with the entry of the almanac that tells of it. */
const TOPICS: readonly { met: string; entry: string }[] = [
  { met: "road", entry: "roads" },
  { met: "settlement", entry: "settlements" },
  { met: "supply_traded", entry: "maritime-trade" },
  { met: "offer_made", entry: "domestic-trade" },
  { met: "robber_moved", entry: "robber" },
  { met: "drew", entry: "development-cards" },
];
/** What is left to know after it. */
const AFTER: readonly string[] = ["victory-points", "longest-road", "largest-army", "harbors", "tactics"];

/** The entries to read on in: what was not met, then what a first game has no room for. */
export const toRead = (met: ReadonlySet<string>): string[] => [
  ...TOPICS.filter((topic) => !met.has(topic.met)).map(({ entry }) => entry),
  ...AFTER,
];
