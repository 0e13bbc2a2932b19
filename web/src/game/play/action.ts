// Actions as text (docs/formats/actions.md): the only language in which the page and the host speak of moves.
// Nothing here knows a rule; it takes texts apart and puts them together.

export const RESOURCES = ["brick", "lumber", "wool", "grain", "ore"] as const;
export type Resource = (typeof RESOURCES)[number];
export type Cards = Partial<Record<Resource, number>>;

/** An action taken apart. `text` is what is sent. */
export interface Move {
  text: string;
  kind: string;
  place?: string;
  color?: string;
  offer?: number;
  give?: Cards;
  take?: Cards;
  resources?: Resource[];
}

const PLACES = new Set(["road", "settlement", "city", "robber"]);

/** A canonical action text taken apart. */
export function parse(text: string): Move {
  const [kind = "", ...rest] = text.split(" ");
  const words = rest.join(" ");
  const move: Move = { text, kind };
  if (PLACES.has(kind)) move.place = words;
  else if (kind === "steal") move.color = words;
  else if (kind === "discard") move.give = readCards(words);
  else if (kind === "supply") Object.assign(move, sides(words));
  else if (kind === "monopoly" || kind === "year-of-plenty") move.resources = rest as Resource[];
  else if (rest[0]?.startsWith("#")) {
    move.offer = Number(rest[0].slice(1));
    if (kind === "confirm") move.color = rest[1];
    if (kind === "counter") Object.assign(move, sides(rest.slice(1).join(" ")));
  }
  return move;
}

function sides(words: string): { give: Cards; take: Cards } {
  const [give = "", take = ""] = words.split(" : ");
  return { give: readCards(give), take: readCards(take) };
}

/** "2 wool 1 ore" as cards. */
export function readCards(words: string): Cards {
  const cards: Cards = {};
  const parts = words.split(" ").filter(Boolean);
  for (let i = 0; i + 1 < parts.length; i += 2) cards[parts[i + 1] as Resource] = Number(parts[i]);
  return cards;
}

/** Cards as text: "2 wool 1 ore", or "nothing". */
export function cardsText(cards: Cards): string {
  const parts = RESOURCES.filter((kind) => (cards[kind] ?? 0) > 0).map((kind) => `${cards[kind]} ${kind}`);
  return parts.join(" ") || "nothing";
}

export function total(cards: Cards): number {
  return RESOURCES.reduce((sum, kind) => sum + (cards[kind] ?? 0), 0);
}

/** Cards with `by` more (or fewer) of a kind; kinds of which there are none are left out. */
export function plus(cards: Cards, kind: Resource, by = 1): Cards {
  const count = Math.max(0, (cards[kind] ?? 0) + by);
  const { [kind]: _before, ...others } = cards;
  return count ? { ...others, [kind]: count } : others;
}

/** What is missing of `price` in `hand`. */
export function missing(price: Cards, hand: Cards): Cards {
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
