// Actions as text (docs/formats/actions.md): the only language in which the page and the host speak of them.
// Nothing here knows a rule; it takes texts apart and puts them together.

import type { ActionKind, CardKind, Cards, PieceKind, Resource } from "../../generated/protocol";
import { ACTION_EXAMPLES, CARD_KINDS, RESOURCES } from "../../generated/names";

export function isResource(name: string): name is Resource {
  return RESOURCES.some((one) => one === name);
}

export function isCardKind(name: string): name is CardKind {
  return CARD_KINDS.some((one) => one === name);
}

/** Cards that are played; the others count as they are. */
export type PlayedKind = Exclude<CardKind, "victory-point">;
export const PLAYED_KINDS = CARD_KINDS.filter((kind): kind is PlayedKind => kind !== "victory-point");

export function isActionKind(name: string): name is ActionKind {
  return Object.hasOwn(ACTION_EXAMPLES, name);
}

/** An action taken apart. `text` is what is sent. */
export interface Action {
  text: string;
  /** Null: of a host that is newer than this page. */
  kind: ActionKind | null;
  place?: string;
  color?: string;
  offer?: number;
  give?: Cards;
  take?: Cards;
  resources?: Resource[];
}

type PlacedKind = Extract<ActionKind, PieceKind | "robber">;

/** Whether an action of this kind names a place. */
export function isPlaced(kind: ActionKind | null): kind is PlacedKind {
  return kind === "road" || kind === "settlement" || kind === "city" || kind === "robber";
}

/** A canonical action text taken apart. */
export function parseAction(text: string): Action {
  const [verb = "", ...rest] = text.split(" ");
  const words = rest.join(" ");
  const kind = isActionKind(verb) ? verb : null;
  const action: Action = { text, kind };
  if (isPlaced(kind)) action.place = words;
  else if (kind === "steal") action.color = words;
  else if (kind === "discard") action.give = parseCards(words);
  else if (kind === "supply") Object.assign(action, sides(words));
  else if (kind === "monopoly" || kind === "year-of-plenty") action.resources = rest.filter(isResource);
  else if (rest[0]?.startsWith("#")) {
    action.offer = Number(rest[0].slice(1));
    if (kind === "confirm") action.color = rest[1];
    if (kind === "counter") Object.assign(action, sides(rest.slice(1).join(" ")));
  }
  return action;
}

function sides(words: string): { give: Cards; take: Cards } {
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

export function offerText(give: Cards, want: Cards, to: readonly string[]): string {
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
export const placedText = (kind: string, place: string): string => `${kind} ${place}`;
export const acceptText = (offer: number): string => `accept #${offer}`;
export const rejectText = (offer: number): string => `reject #${offer}`;
export const confirmText = (offer: number, color: string): string => `confirm #${offer} ${color}`;
export const withdrawText = (offer: number): string => `withdraw #${offer}`;
export const monopolyText = (kind: Resource): string => `monopoly ${kind}`;

/** With its resources in the order in which the host names them. */
export function plentyText(chosen: readonly Resource[]): string {
  return `year-of-plenty ${RESOURCES.flatMap((kind) => chosen.filter((one) => one === kind)).join(" ")}`;
}

/** What people tell of real dice. */
export const diceText = (first: number, second: number): string => `dice ${first} ${second}`;

/** What was drawn or stolen, of an outcome such as "card knight"; empty: nothing. */
export const outcomeKind = (outcome: string): string => outcome.split(" ")[1] ?? "";
