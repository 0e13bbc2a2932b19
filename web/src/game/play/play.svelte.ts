// What a person has in hand at the table: the piece they are about to build, the offer they are writing, the cards they
// are about to give back. Whether something is possible is never decided here: it is in the list of what is legal.

import type { Cards, Move, Resource } from "./action";
import { RESOURCES, cardsText, discardText, plus, total } from "./action";
import type { Target } from "../../board/input/targets";
import { CORNERS } from "../places/geometry";
import { t } from "../../words/i18n.svelte";
import type { TableState } from "../table.svelte";
import type { OfferView, Reason, View } from "../../lib/view";

export type Piece = "road" | "settlement" | "city";
export type Mode = Piece | "plenty" | "monopoly" | null;

/** What is asked when a place must be chosen at once, without choosing what to build first. */
const AT_ONCE = new Set(["settlement", "road", "free_road", "robber", "victim"]);
/** What is asked when a piece costs nothing. */
const FREE = new Set(["settlement", "road", "free_road"]);

export class Play {
  mode = $state<Mode>(null);
  trading = $state(false);
  /** The offer that is being written; `answers` is the number of the offer it answers. */
  give = $state.raw<Cards>({});
  want = $state.raw<Cards>({});
  to = $state.raw<string[]>([]);
  answers = $state<number | null>(null);
  private answered = ""; // numbers are used again: an offer is known by what it says
  /** Cards chosen to be given back on a seven. */
  discard = $state.raw<Cards>({});
  /** Resources chosen for Year of Plenty. */
  plenty = $state.raw<Resource[]>([]);

  private turnOf = "";

  /** To the board, by keys. */
  onboard: () => void = () => undefined;
  /** To where real dice are told, by keys. */
  ondice: () => void = () => undefined;

  constructor(readonly table: TableState) {}

  get view(): View | null {
    return this.table.view as View | null;
  }

  get ask(): string {
    return String(this.table.projection?.prompt.ask ?? "");
  }

  /** Real dice are told instead of being rolled here. */
  get realDice(): boolean {
    return this.table.projection?.chance?.kind === "dice";
  }

  readonly hand = $derived.by<Cards>(() => (this.table.view?.hand as Cards | undefined) ?? {});

  /** How many cards must be given back now. */
  readonly owed = $derived.by(() => (this.ask === "discard" ? Number(this.table.projection?.prompt.number ?? 0) : 0));

  /** One thing must be done before all others: giving cards back, choosing whom to rob, free roads. */
  get forced(): boolean {
    return this.owed > 0 || this.table.of("steal").length > 0 || this.table.can("waive");
  }

  /** The cards that could be given back fit exactly. */
  readonly discardReady = $derived.by(() => this.owed > 0 && this.table.can(discardText(this.discard)));

  readonly targets = $derived.by<Target[]>(() => {
    const color = this.table.seat;
    if (!color || !this.table.asked) return [];
    if (AT_ONCE.has(this.ask)) return this.table.moves.flatMap((move) => this.aim(move, color));
    return this.building ? this.table.of(this.mode ?? "").flatMap((move) => this.aim(move, color)) : [];
  });

  /** A piece was chosen to be built. */
  get building(): boolean {
    return this.mode === "road" || this.mode === "settlement" || this.mode === "city";
  }

  private aim(move: Move, color: string): Target[] {
    if (move.kind === "steal" && move.color) {
      const place = this.buildingAtRobber(move.color);
      return place ? [{ place, action: move.text, piece: "victim", color: move.color }] : [];
    }
    if (!move.place) return [];
    return [{ place: move.place, action: move.text, piece: move.kind as Target["piece"], color, put: FREE.has(this.ask) }];
  }

  private buildingAtRobber(color: string): string | undefined {
    const player = this.view?.players.find((one) => one.color === color);
    const robber = this.view?.robber ?? "";
    return [...(player?.settlements ?? []), ...(player?.cities ?? [])].find((place) =>
      CORNERS.get(place)?.hexes.includes(robber),
    );
  }

  /** The action that names a resource for the card that is played, with those named before. */
  naming(kind: Resource): string {
    if (this.mode === "monopoly") return `monopoly ${kind}`;
    const most = Math.max(...this.plenties.map((one) => one.length));
    return plentyText([...this.plenty, kind, ...Array<Resource>(Math.max(0, most - this.plenty.length - 1)).fill(kind)]);
  }

  /** Whether a resource can be named now: something legal has all that was named, and this. */
  nameable(kind: Resource): boolean {
    if (this.mode === "monopoly") return this.table.can(`monopoly ${kind}`);
    return this.plenties.some((one) => within([...this.plenty, kind], one));
  }

  /** Name a resource; true: the card is played with it. */
  async name(kind: Resource): Promise<boolean> {
    const chosen = [...this.plenty, kind];
    if (this.mode === "plenty" && this.plenties.some((one) => one.length > chosen.length && within(chosen, one))) {
      this.plenty = chosen;
      return false;
    }
    const action = this.mode === "plenty" ? plentyText(chosen) : this.naming(kind);
    if (!this.table.ready(action)) return false; // it was not taken: what was named before stays named
    const played = await this.table.act(action);
    if (played) this.cancel();
    else this.plenty = [];
    return played;
  }

  private get plenties(): Resource[][] {
    return this.table.of("year-of-plenty").map((move) => move.resources ?? []);
  }

  /** What is being chosen, as a sentence; empty: nothing is. */
  get choosing(): string {
    if (this.mode === null) return "";
    if (this.mode === "plenty") return t("development.take");
    if (this.mode === "monopoly") return t("development.name");
    return t(`build.where_${this.mode}`);
  }

  /** Why a kind of action is not possible now; null: it is. */
  reason(kind: string): Reason | null {
    if (this.table.paused) return { rule: "", message: t("table.paused"), why: "", values: {} };
    return (this.table.projection?.refusals[kind] as Reason | undefined) ?? null;
  }

  /** A question was answered or has changed: what no longer fits is put down. */
  settle(): void {
    if (this.mode && this.mode !== "plenty" && this.mode !== "monopoly" && !this.table.of(this.mode).length) {
      this.mode = null;
    }
    if (this.mode === "plenty" && !this.table.of("year-of-plenty").length) this.mode = null;
    if (this.mode === "monopoly" && !this.table.of("monopoly").length) this.mode = null;
    if (!this.owed && total(this.discard)) this.discard = {};
    if (this.trading && this.reason("offer")) this.closeTrade();
    if (this.view && this.view.active !== this.turnOf) {
      this.turnOf = this.view.active;
      this.to = this.view.partners ?? [];
    }
    // What one answers is gone: an answer to it must not become an offer to all under the finger.
    if (this.answers !== null && this.words(this.answers) !== this.answered) this.closeTrade();
    for (const kind of RESOURCES) {
      const held = this.hand[kind] ?? 0;
      if ((this.give[kind] ?? 0) > held) this.give = { ...this.give, [kind]: held };
      if ((this.discard[kind] ?? 0) > held) this.discard = plus(this.discard, kind, held - (this.discard[kind] ?? 0));
    }
  }

  choose(mode: Mode): void {
    this.mode = this.mode === mode ? null : mode;
    this.plenty = [];
  }

  cancel(): void {
    this.mode = null;
    this.plenty = [];
  }

  async pick(target: Target): Promise<void> {
    if (await this.table.act(target.action)) this.mode = null;
  }

  /** What an open offer says; empty: there is none of that number. */
  private words(number: number): string {
    const offer = this.view?.offers.find((one: OfferView) => one.number === number);
    return offer ? `${offer.by} ${cardsText(offer.give)} : ${cardsText(offer.take)}` : "";
  }

  /** Begin an offer, or a counter-offer to one. */
  openTrade(answers: number | null = null, give: Cards = {}, want: Cards = {}): void {
    this.trading = true;
    this.answers = answers;
    this.answered = answers === null ? "" : this.words(answers);
    this.give = give;
    this.want = want;
    this.to = this.view?.partners ?? [];
  }

  closeTrade(): void {
    this.trading = false;
    this.answers = null;
    this.give = {};
    this.want = {};
  }
}

function plentyText(chosen: readonly Resource[]): string {
  return `year-of-plenty ${RESOURCES.flatMap((kind) => chosen.filter((one) => one === kind)).join(" ")}`;
}

/** Whether all of `some` are among `all`, each as often. */
function within(some: readonly Resource[], all: readonly Resource[]): boolean {
  const count = (kinds: readonly Resource[], kind: Resource): number => kinds.filter((one) => one === kind).length;
  return some.every((kind) => count(some, kind) <= count(all, kind));
}
