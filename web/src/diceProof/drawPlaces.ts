// Where each draw of a game stands and which numbers stand for what came out, as docs/formats/dice-proof.md fixes both:
// worked out from what this page has shown of the game, so that the host cannot choose them to suit an outcome.

import { isResource } from "../game/actions/action";
import { colorEntries } from "../net/colors";
import type { AllCardCounts, Cards, Color, DiceDraw, Resource } from "../generated/protocol";
import { CARD_KINDS, RESOURCES } from "../generated/names";
import type { TableEvent } from "../game/live/events";

/** What is in the box of the edition that is played. */
export interface GameBox {
  deck: AllCardCounts;
  /** What a development card costs. */
  price: Cards;
  balanced: boolean;
}

export type DrawPlace = Pick<DiceDraw, "count" | "chances" | "first" | "last">;

export interface PlacedDraws {
  /** For each draw whether it stands where it must, and for the right numbers. */
  placed: boolean[];
  /** The draws are those that were shown: as many, in the same order, by and for the same. */
  fits: boolean;
  /** The page has shown the game from its beginning. Else the hands are unknown, and with them the numbers of thefts. */
  whole: boolean;
}

const PAIRS = 36;
/** Balanced dice: the bag is filled up when no more than this are left (docs/formats/dice-proof.md). */
const BAG_FLOOR = 12;

interface Shown {
  draw: DiceDraw["stream"];
  player: Color;
  event: TableEvent;
}

/** Work out the places of all draws. `events`: what was shown, through any eyes, with or without the beginning. */
export function placeDraws(draws: readonly DiceDraw[], events: readonly TableEvent[], box: GameBox): PlacedDraws {
  const whole = events.some(({ event }) => event === "game_began");
  const shown = shownDraws(events);
  const before = whole ? 0 : draws.length - shown.length;
  const order = new DrawOrder(box);
  const hands = new Hands(box.price);
  let fits = before >= 0 && shown.length === draws.length - before;
  let next = 0;
  let turn: number | null = whole ? 0 : null;
  const placed = draws.slice(0, Math.max(before, 0)).map((draw) => order.place(draw, null));
  const take = (event: TableEvent): void => {
    const draw = draws[placed.length];
    const shownDraw = shown[next++];
    if (!draw || !shownDraw) return;
    const outcome = outcomeShown(event);
    if (draw.stream !== shownDraw.draw || draw.player !== shownDraw.player || (outcome && outcome !== draw.outcome))
      fits = false;
    const victim = whole && event.event === "stole" ? hands.of(event.victim) : null;
    placed.push(order.place(draw, victim) && (turn === null || draw.turn === turn));
  };
  for (const event of events) {
    if (event.event === "turn_began") turn = event.number;
    const drawn = shown[next]?.event === event;
    const stolen = draws[placed.length]?.outcome.split(" ")[1] ?? "";
    if (drawn) take(event);
    hands.change(event, drawn, isResource(stolen) ? stolen : undefined);
  }
  while (placed.length < draws.length) placed.push(false); // nothing of the kind was shown
  return { placed, fits, whole };
}

/** The outcome as the host writes it, as far as it was shown. */
function outcomeShown(event: TableEvent): string {
  if (event.event === "rolled" || event.event === "start_rolled") return `dice ${event.dice.join(" ")}`;
  if (event.event === "stole" && event.card) return `stolen ${event.card}`;
  return event.event === "drew" && event.card ? `drawn ${event.card}` : "";
}

/** The events that came of a draw. Of a card that is bought there are two, or one of them: the last counts. */
function shownDraws(events: readonly TableEvent[]): Shown[] {
  return events.flatMap((event, i): Shown[] => {
    switch (event.event) {
      case "start_rolled":
        return [{ draw: "start", player: event.player, event }];
      case "rolled":
        return [{ draw: "dice", player: event.player, event }];
      case "stole":
        return [{ draw: "theft", player: event.player, event }];
      case "bought":
        return isDrawn(event.player, events, i + 1) ? [] : [{ draw: "card", player: event.player, event }];
      case "drew":
        return [{ draw: "card", player: event.player, event }];
      default:
        return [];
    }
  });
}

/** Whether the purchase before `from` is followed by its draw; trading may end between them. */
function isDrawn(player: Color, events: readonly TableEvent[], from: number): boolean {
  for (const event of events.slice(from)) {
    if (event.event === "drew") return event.player === player;
    if (event.event === "bought" || event.event === "turn_began") break;
  }
  return false;
}

/** The draws as they must follow one another. */
class DrawOrder {
  private turn = 0;
  /** Starting rolls and thefts. */
  private others = 0;
  private bag = wholeBag();
  private readonly deck: Map<string, number>;

  constructor(private readonly box: GameBox) {
    this.deck = new Map(CARD_KINDS.map((kind) => [kind, box.deck[kind]]));
  }

  /** Place the next draw; returns whether it stands in its place. `hand`: of the victim of a theft; null: unknown. */
  place(draw: DiceDraw, hand: ReadonlyMap<string, number> | null): boolean {
    const { stream, outcome } = draw;
    if (stream === "start") return this.turn === 0 && draw.turn === 0 && isAt(draw, this.others++, pairPlace(outcome));
    if (stream === "dice") {
      this.turn += 1;
      return draw.turn === this.turn && isAt(draw, this.turn, this.takeDice(outcome));
    }
    // Before the roll the turn has begun, and its dice have not fallen.
    const timely = draw.turn === this.turn || draw.turn === this.turn + 1;
    if (stream === "card") {
      const place = cardPlace(outcome, "drawn", this.deck);
      const kind = outcome.split(" ")[1] ?? "";
      this.deck.set(kind, (this.deck.get(kind) ?? 0) - 1);
      return timely && isAt(draw, place?.chances ?? -1, place);
    }
    const count = this.others++;
    const place = hand ? cardPlace(outcome, "stolen", hand) : draw;
    return timely && outcome.startsWith("stolen ") && isAt(draw, count, place);
  }

  private takeDice(outcome: string): Omit<DrawPlace, "count"> | null {
    const pair = pairPlace(outcome);
    if (!this.box.balanced || !pair) return pair;
    const at = this.bag.indexOf(pair.first);
    const chances = this.bag.length;
    this.bag = this.bag.filter((pairLeft) => pairLeft !== pair.first);
    if (this.bag.length <= BAG_FLOOR) this.bag = wholeBag();
    return at < 0 ? null : { chances, first: at, last: at };
  }
}

const wholeBag = (): number[] => Array.from({ length: PAIRS }, (_, i) => i);

function isAt(draw: DiceDraw, count: number, place: Omit<DrawPlace, "count"> | null): boolean {
  const { chances, first, last } = draw;
  return !!place && draw.count === count && chances === place.chances && first === place.first && last === place.last;
}

/** The pairs of dice from 1 1 to 6 6. */
function pairPlace(outcome: string): Omit<DrawPlace, "count"> | null {
  const [, a, b] = /^dice ([1-6]) ([1-6])$/.exec(outcome) ?? [];
  const first = 6 * (Number(a) - 1) + Number(b) - 1;
  return a && b ? { chances: PAIRS, first, last: first } : null;
}

/** The cards lie kind by kind. */
function cardPlace(outcome: string, word: string, cards: ReadonlyMap<string, number>): Omit<DrawPlace, "count"> | null {
  let first = 0;
  let range: { first: number; last: number } | null = null;
  for (const [kind, n] of cards) {
    if (n > 0 && outcome === `${word} ${kind}`) range = { first, last: first + n - 1 };
    first += n;
  }
  return range && { chances: first, ...range };
}

/** What all hold, by the events. */
class Hands {
  private readonly hands = new Map<Color, Map<Resource, number>>();

  constructor(private readonly price: Cards) {}

  of(player: Color): Map<Resource, number> {
    let hand = this.hands.get(player);
    if (!hand) this.hands.set(player, (hand = new Map(RESOURCES.map((kind) => [kind, 0]))));
    return hand;
  }

  /** `drawn`: it came of a draw; `stolen`: what was stolen, if it is a theft. */
  change(event: TableEvent, drawn: boolean, stolen: Resource | undefined): void {
    switch (event.event) {
      case "start_cards":
      case "took_from_supply":
        return this.move(event.player, event.cards, 1);
      case "produced":
        for (const [player, cards] of colorEntries(event.gains)) this.move(player, cards, 1);
        return;
      case "discarded":
        return this.move(event.player, event.cards, -1);
      case "built":
        return this.move(event.player, event.price, -1);
      case "bought":
      case "drew":
        if (drawn) this.move(event.player, this.price, -1);
        return;
      case "monopolised":
        for (const [player, n] of colorEntries(event.taken))
          this.exchange(event.player, player, {}, { [event.resource]: n });
        return;
      case "supply_traded":
        this.move(event.player, event.give, -1);
        return this.move(event.player, event.take, 1);
      case "traded":
        return this.exchange(event.player, event.partner, event.give, event.take);
      case "stole":
        if (stolen) this.exchange(event.player, event.victim, {}, { [stolen]: 1 });
        return;
      default: // no cards of the hand
    }
  }

  private exchange(player: Color, other: Color, give: Cards, take: Cards): void {
    this.move(player, give, -1);
    this.move(player, take, 1);
    this.move(other, give, 1);
    this.move(other, take, -1);
  }

  private move(player: Color, cards: Cards, sign: 1 | -1): void {
    const hand = this.of(player);
    for (const kind of RESOURCES) hand.set(kind, (hand.get(kind) ?? 0) + sign * (cards[kind] ?? 0));
  }
}
