// The hints of the first game, as data: each says when it fits and what it points at. They look at what the host says
// (what is asked, what is legal, how the game stands) and at what was done so far; whether something is allowed is
// never decided here. A learner may do anything else: then another hint fits, or none.

import type { CardKind, Cards } from "../generated/protocol";
import type { TextKey } from "../generated/texts";
import type { PartName } from "../app/pageParts";
import { missingCards } from "../game/actions/action";
import {
  EARLY,
  POINT_CARD,
  bargain,
  canDo,
  cardJustDrawn,
  isActing,
  isOwnTurn,
  ownOffer,
  playableCard,
  pointJustDrawn,
  supplyDeal,
  towardsBuilding,
  towardsCard,
  towardsHand,
  towardsHeldCard,
  towardsOffer,
  towardsOwn,
  towardsPlace,
  towardsSupply,
  type HintTarget,
  type Situation,
  type ThingMet,
} from "./situation";

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

/** In the order in which they are looked at: the first that fits and was not skipped is shown. */
export const TUTORIAL_STEPS: readonly TutorialStep[] = [
  // What must be done now, whatever was planned.
  { name: "discard", fits: ({ ask }) => ask === "discard", point: towardsHand },
  {
    name: "robber",
    fits: ({ ask, knight }) => ask === "robber" && !knight,
    point: (situation) => towardsPlace(situation, "robber"),
  },
  {
    name: "knight_robber",
    fits: ({ ask, knight }) => ask === "robber" && knight,
    point: (situation) => towardsPlace(situation, "robber"),
  },
  { name: "steal", fits: (situation) => canDo(situation, "steal") },
  { name: "free_road", fits: ({ ask }) => ask === "free_road", point: (situation) => towardsPlace(situation, "road") },
  {
    name: "answer",
    fits: (situation) => !isOwnTurn(situation) && canDo(situation, "reject"),
    point: ({ actions }) => ({
      names: actions.filter((action) => action.kind === "reject").map(({ offer }): PartName => `reject-${offer}`),
    }),
  },
  // The end of the lesson.
  { name: "finish", read: true, fits: ({ met }) => met.has("city"), point: towardsOwn("cities") },
  // The first turn.
  { name: "welcome", read: true, fits: ({ met }) => !met.has("rolled"), point: towardsOwn("settlements") },
  {
    name: "roll",
    fits: (situation) => canDo(situation, "roll") && !situation.met.has("rolled"),
    point: () => ({ names: ["roll"] }),
  },
  {
    name: "produced",
    read: true,
    fits: (situation) => isActing(situation) && !situation.met.has("turn_ended") && !situation.met.has("road"),
    point: towardsHand,
  },
  // One new thing after the other, as soon as it can be done.
  {
    name: "road",
    fits: (situation) => isActing(situation) && canDo(situation, "road") && !situation.met.has("road"),
    point: towardsBuilding("road"),
    cards: ({ costs }) => ({ price: costs.road }),
  },
  {
    name: "settlement",
    fits: (situation) => canDo(situation, "settlement") && !situation.met.has("settlement"),
    point: towardsBuilding("settlement"),
    cards: ({ costs }) => ({ price: costs.settlement }),
  },
  {
    name: "city",
    fits: (situation) => canDo(situation, "city") && !situation.met.has("city"),
    point: towardsBuilding("city"),
    cards: ({ costs }) => ({ price: costs.city }),
  },
  {
    name: "supply",
    fits: (situation) => situation.view.turn > EARLY && !situation.met.has("supply_traded") && !!supplyDeal(situation),
    point: towardsSupply,
    cards: (situation) => ({ give: supplyDeal(situation)?.give ?? {}, take: supplyDeal(situation)?.take ?? {} }),
  },
  {
    name: "confirm",
    fits: (situation) => canDo(situation, "confirm"),
    point: ({ actions }) => ({
      names: actions
        .filter((action) => action.kind === "confirm")
        .map(({ offer, color }): PartName => `confirm-${offer}-${color}`),
    }),
  },
  {
    name: "waiting",
    fits: (situation) => isOwnTurn(situation) && !!ownOffer(situation),
    point: (situation) => {
      const offer = ownOffer(situation);
      return { names: offer ? [`offer-${offer.number}`] : [] };
    },
  },
  {
    name: "offer",
    fits: (situation) =>
      situation.trades &&
      isOwnTurn(situation) &&
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
    fits: (situation) => canDo(situation, "buy") && !situation.met.has("drew"),
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
    fits: (situation) => isActing(situation) && !!playableCard(situation) && !situation.met.has("played_card"),
    point: towardsCard,
    card: playableCard,
  },
  // Nothing new: what goes on.
  { name: "roll_again", fits: (situation) => canDo(situation, "roll"), point: () => ({ names: ["roll"] }) },
  {
    name: "end",
    fits: (situation) => isActing(situation) && !situation.met.has("turn_ended"),
    point: () => ({ names: ["end-turn"] }),
  },
  {
    name: "save",
    fits: isActing,
    point: () => ({ names: ["end-turn"] }),
    cards: ({ costs, view }) => ({ lacking: missingCards(costs.city, view.hand ?? {}) }),
  },
  { name: "others", fits: (situation) => !isOwnTurn(situation) },
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
