// Actions as text (docs/formats/actions.md): the only language in which the page and the host speak of them.
// Nothing here knows a rule; it takes texts apart and puts them together.

import type { ActionKind, CardKind, Cards, Color, PieceKind, Resource } from "../../generated/protocol";
import { isColor } from "../../net/colors";
import { ACTION_EXAMPLES, CARD_KINDS, RESOURCES } from "../../generated/names";

export function isResource(name: string): name is Resource {
  return RESOURCES.some((known) => known === name);
}

export function isCardKind(name: string): name is CardKind {
  return CARD_KINDS.some((known) => known === name);
}

/** Cards that are played; the others count as they are. */
export type PlayedKind = Exclude<CardKind, "victory-point">;
export const PLAYED_KINDS = CARD_KINDS.filter((kind): kind is PlayedKind => kind !== "victory-point");

export function isActionKind(name: string): name is ActionKind {
  return Object.hasOwn(ACTION_EXAMPLES, name);
}

/** What an action names, by its kind. */
interface ActionParts {
  road: Placement;
  settlement: Placement;
  city: Placement;
  robber: Placement;
  steal: { color: Color };
  discard: { give: Cards };
  supply: Exchange;
  monopoly: Naming;
  "year-of-plenty": Naming;
  accept: Answer;
  reject: Answer;
  withdraw: Answer;
  confirm: Answer & { color: Color };
  counter: Answer & Exchange;
  offer: unknown;
  roll: unknown;
  end: unknown;
  buy: unknown;
  knight: unknown;
  "road-building": unknown;
  waive: unknown;
}
interface Placement {
  place: string;
}
interface Exchange {
  give: Cards;
  take: Cards;
}
interface Naming {
  resources: Resource[];
}
interface Answer {
  /** The number of the offer. */
  offer: number;
}

/** An action of one kind, or of several, taken apart. `text` is what is sent. */
export type ActionOf<Kind extends ActionKind> = { [K in Kind]: { text: string; kind: K } & ActionParts[K] }[Kind];
/** Any action; of no kind: of a host that is newer than this page. */
export type Action = ActionOf<ActionKind> | { text: string; kind: null };

export function isOfKind<Kind extends ActionKind>(action: Action, kind: Kind): action is Action & ActionOf<Kind> {
  return action.kind === kind;
}

/** The kinds of actions that name a place. */
export type PlacedKind = Extract<ActionKind, PieceKind | "robber">;

export function isPlaced(action: Action): action is ActionOf<PlacedKind> {
  const { kind } = action;
  return kind === "road" || kind === "settlement" || kind === "city" || kind === "robber";
}

/** A canonical action text taken apart. */
export function parseAction(text: string): Action {
  const [kind = "", ...rest] = text.split(" ");
  const [first = "", second = ""] = rest;
  const words = rest.join(" ");
  const unknown = { text, kind: null };
  if (!isActionKind(kind)) return unknown;
  switch (kind) {
    case "road":
    case "settlement":
    case "city":
    case "robber":
      return { text, kind, place: words };
    case "steal":
      return isColor(words) ? { text, kind, color: words } : unknown;
    case "discard":
      return { text, kind, give: parseCards(words) };
    case "supply":
      return { text, kind, ...sides(words) };
    case "monopoly":
    case "year-of-plenty":
      return { text, kind, resources: rest.filter(isResource) };
    case "accept":
    case "reject":
    case "withdraw":
      return { text, kind, offer: offerNumber(first) };
    case "confirm":
      return isColor(second) ? { text, kind, offer: offerNumber(first), color: second } : unknown;
    case "counter":
      return { text, kind, offer: offerNumber(first), ...sides(rest.slice(1).join(" ")) };
    case "offer":
    case "roll":
    case "end":
    case "buy":
    case "knight":
    case "road-building":
    case "waive":
      return { text, kind };
  }
}

/** "#2" as a number. */
const offerNumber = (word: string): number => Number(word.slice(1));

function sides(words: string): Exchange {
  const [give = "", take = ""] = words.split(" : ");
  return { give: parseCards(give), take: parseCards(take) };
}

/** "2 wool 1 ore" as cards. */
export function parseCards(words: string): Cards {
  const cards: Cards = {};
  const parts = words.split(" ").filter(Boolean);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const kind = parts[i + 1] ?? "";
    if (isResource(kind)) cards[kind] = Number(parts[i]);
  }
  return cards;
}

/** Cards as text: "2 wool 1 ore", or "nothing". */
export function cardsText(cards: Cards): string {
  const parts = RESOURCES.filter((kind) => (cards[kind] ?? 0) > 0).map((kind) => `${cards[kind]} ${kind}`);
  return parts.join(" ") || "nothing";
}

export function countCards(cards: Cards): number {
  return RESOURCES.reduce((sum, kind) => sum + (cards[kind] ?? 0), 0);
}

/** Cards with `by` more (or fewer) of a kind; kinds of which there are none are left out. */
export function addCards(cards: Cards, kind: Resource, by = 1): Cards {
  const count = Math.max(0, (cards[kind] ?? 0) + by);
  const { [kind]: _before, ...others } = cards;
  return count ? { ...others, [kind]: count } : others;
}

/** What is missing of `price` in `hand`. */
export function missingCards(price: Cards, hand: Cards): Cards {
  const lacking: Cards = {};
  for (const kind of RESOURCES) {
    const short = (price[kind] ?? 0) - (hand[kind] ?? 0);
    if (short > 0) lacking[kind] = short;
  }
  return lacking;
}

export function offerText(give: Cards, want: Cards, to: readonly Color[]): string {
  return `offer ${cardsText(give)} : ${cardsText(want)} to ${to.join(" ")}`;
}

export function counterText(offer: number, give: Cards, want: Cards): string {
  return `counter #${offer} ${cardsText(give)} : ${cardsText(want)}`;
}

export function discardText(cards: Cards): string {
  return `discard ${cardsText(cards)}`;
}

export function supplyText(give: Cards, take: Cards): string {
  return `supply ${cardsText(give)} : ${cardsText(take)}`;
}

/** "road C3/ne": what the host is asked about a place. */
export const placedText = (kind: PlacedKind, place: string): string => `${kind} ${place}`;
export const acceptText = (offer: number): string => `accept #${offer}`;
export const rejectText = (offer: number): string => `reject #${offer}`;
export const confirmText = (offer: number, color: Color): string => `confirm #${offer} ${color}`;
export const withdrawText = (offer: number): string => `withdraw #${offer}`;
export const monopolyText = (kind: Resource): string => `monopoly ${kind}`;

/** With its resources in the order in which the host names them. */
export function plentyText(chosen: readonly Resource[]): string {
  return `year-of-plenty ${RESOURCES.flatMap((kind) => chosen.filter((choice) => choice === kind)).join(" ")}`;
}

/** What people tell of real dice. */
export const diceText = (first: number, second: number): string => `dice ${first} ${second}`;

/** What was drawn or stolen, of an outcome such as "card knight"; empty: nothing. */
export const outcomeKind = (outcome: string): string => outcome.split(" ")[1] ?? "";
