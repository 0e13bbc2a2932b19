// What a hint of the first game is chosen by, and what it points at: read from what the host says, and from what was done.

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

/** Good places on the beginners' board for the one who begins; any other will do. */
const GOOD_PLACES: Record<PlacedKind, readonly string[]> = {
  road: ["B2/e", "D1/e"],
  settlement: ["B2se", "C2se"],
  city: ["A1se"],
  robber: ["C5"],
};
/** Turns of the first two rounds: who trades so early has nothing to build with. */
export const EARLY = 8;

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

export const isOwnTurn = ({ view, ownColor }: Situation): boolean => view.active === ownColor;
export const canDo = ({ actions }: Situation, kind: ActionKind): boolean =>
  actions.some((action) => action.kind === kind);
export const isActing = (situation: Situation): boolean => isOwnTurn(situation) && canDo(situation, "end");

/** A good place to choose, if it can be. */
export function towardsPlace({ actions }: Situation, kind: PlacedKind): HintTarget {
  const open = actions.filter((action) => isOfKind(action, kind)).map((action) => action.place);
  const goal = GOOD_PLACES[kind].find((good) => open.includes(good));
  return goal ? { place: goal } : {};
}

/** The button for a piece, then the place for it. */
export const towardsBuilding =
  (kind: PieceKind) =>
  (situation: Situation): HintTarget =>
    situation.mode === kind ? towardsPlace(situation, kind) : { names: [`build-${kind}`, "open-build"] };

/** The learner's first building of a kind. */
export const towardsOwn =
  (kind: "settlements" | "cities") =>
  ({ view, ownColor }: Situation): HintTarget => ({
    piece: view.players.find(({ color }) => color === ownColor)?.[kind][0],
  });

export const towardsHand = (): HintTarget => ({ names: ["hand"] });

/** What to ask for on the way to a city, and what to give for it: the most wanted, and the most of what is to spare. */
export function bargain({ view, costs }: Situation): { give: Resource; want: Resource } | null {
  const [hand, price] = [view.hand ?? {}, costs.city];
  const lack = (kind: Resource): number => (price[kind] ?? 0) - (hand[kind] ?? 0);
  const order = RESOURCES.toSorted((a, b) => lack(b) - lack(a));
  const [want, give] = [order[0], order.at(-1)];
  return want && give && lack(want) > 0 && lack(give) < 0 ? { give, want } : null;
}

/** The trade with the supply that brings a city nearest: what is given may be needed too. Undefined: none does. */
export function supplyDeal({ view, costs, actions }: Situation): ActionOf<"supply"> | undefined {
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

export function towardsSupply(situation: Situation): HintTarget {
  const action = supplyDeal(situation);
  const [give, take] = [kindIn(action?.give), kindIn(action?.take)];
  return { names: give && take ? [`supply-${give}-${take}`, "trade"] : ["trade"] };
}

export function towardsOffer(situation: Situation): HintTarget {
  const deal = bargain(situation);
  if (!situation.trading || !deal) return { names: ["trade"] };
  if (!situation.give[deal.give]) return { names: [`give-${deal.give}`] };
  return { names: [situation.want[deal.want] ? "send-offer" : `want-${deal.want}`] };
}

/** The card that can be played now, of those one holds. */
export const playableCard = (situation: Situation): CardKind | undefined =>
  PLAYED_KINDS.find((kind) => canDo(situation, kind));

export const POINT_CARD = "victory-point";

/** A card that was drawn in this turn and can be played in a later one. */
export const cardJustDrawn = ({ view }: Situation): CardKind | undefined =>
  CARD_KINDS.find((kind) => kind !== POINT_CARD && view.new?.[kind]);

/** A victory point that was drawn in this turn: it counts at once and is never played (DEV-27). */
export const pointJustDrawn = ({ view }: Situation): CardKind | undefined =>
  view.new?.[POINT_CARD] ? POINT_CARD : undefined;

export function towardsCard(situation: Situation): HintTarget {
  const choosing = isNaming(situation.mode);
  if (choosing) return { names: [`name-${bargain(situation)?.want ?? "ore"}`] };
  return towardsHeldCard(playableCard(situation));
}

/** A card that one holds: in a narrow window behind the button that opens them. */
export const towardsHeldCard = (card: CardKind | undefined): HintTarget => ({
  names: card ? [`card-${card}`, "open-cards"] : ["open-cards"],
});

export const ownOffer = ({ view, ownColor }: Situation) => view.offers.find((offer) => offer.by === ownColor);
