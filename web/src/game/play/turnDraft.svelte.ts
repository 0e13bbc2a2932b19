// What a person has in hand at the table: the piece they are about to build, the offer they are writing, the cards they
// are about to give back. Whether something is possible is never decided here: it is in the list of what is legal.

import type {
  ActionKind,
  CardKind,
  Cards,
  Color,
  PieceKind,
  Prompt,
  Reason,
  Resource,
  View,
} from "../../generated/protocol";
import type { Action, PlacedKind } from "../actions/action";
import { RESOURCES } from "../../generated/names";
import { addCards, cardsText, countCards, discardText, isPlaced, monopolyText, plentyText } from "../actions/action";
import type { Target } from "../actions/target";
import type { TextKey } from "../../generated/texts";
import type { TableState } from "../live/tableState.svelte";

/** Cards that one plays by naming resources. */
type NamingCard = Extract<CardKind, "year-of-plenty" | "monopoly">;
/** What is being chosen: where a piece goes, or the resources for a card. */
export type DraftMode = PieceKind | NamingCard | null;

/** Whether resources are being named for a card. */
export const isNaming = (mode: DraftMode): mode is NamingCard => mode === "year-of-plenty" || mode === "monopoly";

/** What is asked when a place must be chosen at once, without choosing what to build first. */
const AT_ONCE: ReadonlySet<Prompt["ask"] | ""> = new Set(["settlement", "road", "free_road", "robber", "victim"]);
/** What is asked when a piece costs nothing. */
const FREE: ReadonlySet<Prompt["ask"] | ""> = new Set(["settlement", "road", "free_road"]);

/** As the host would say it. */
const PAUSED: Reason = { rule: "", message: "the game is paused", why: "paused", values: {} };

export class TurnDraft {
  mode = $state<DraftMode>(null);
  trading = $state(false);
  /** The offer that is being written; `answers` is the number of the offer it answers. */
  give = $state.raw<Cards>({});
  want = $state.raw<Cards>({});
  to = $state.raw<readonly Color[]>([]);
  answers = $state<number | null>(null);
  private answered = ""; // numbers are used again: an offer is known by what it says
  /** Cards chosen to be given back on a seven. */
  discard = $state.raw<Cards>({});
  /** Resources chosen for Year of Plenty. */
  plenty = $state.raw<Resource[]>([]);

  private turnOf = "";

  constructor(readonly table: TableState) {}

  get view(): View | null {
    return this.table.view;
  }

  /** What is asked; empty: nothing is known yet. */
  get promptKind(): Prompt["ask"] | "" {
    return this.table.projection?.prompt.ask ?? "";
  }

  /** Real dice are told instead of being rolled here. */
  get tellsDice(): boolean {
    return this.table.projection?.chance?.kind === "dice";
  }

  readonly hand = $derived.by<Cards>(() => this.table.view?.hand ?? {});

  /** How many cards must be given back now. */
  readonly owed = $derived.by(() => {
    const prompt = this.table.projection?.prompt;
    return prompt?.ask === "discard" ? prompt.number : 0;
  });

  /** One thing must be done before all others: giving cards back, choosing whom to rob, free roads. */
  get forced(): boolean {
    return this.owed > 0 || this.table.actionsOf("steal").length > 0 || this.table.can("waive");
  }

  /** The cards that could be given back fit exactly. */
  readonly discardReady = $derived.by(() => this.owed > 0 && this.table.can(discardText(this.discard)));

  readonly targets = $derived.by<Target[]>(() => {
    const color = this.table.ownColor;
    if (!color || !this.table.asked) return [];
    if (AT_ONCE.has(this.promptKind)) return this.table.actions.flatMap((action) => this.aim(action, color));
    return this.building ? this.table.actionsOf(this.building).flatMap((action) => this.aim(action, color)) : [];
  });

  /** The piece that was chosen to be built. */
  get building(): PieceKind | null {
    return isNaming(this.mode) ? null : this.mode;
  }

  /** The kind of action for which a place is being chosen; null: none is. */
  get placing(): PlacedKind | null {
    const { promptKind } = this;
    if (promptKind === "free_road") return "road";
    return promptKind === "settlement" || promptKind === "road" || promptKind === "robber" ? promptKind : this.building;
  }

  private aim(action: Action, color: Color): Target[] {
    if (action.kind === "steal") {
      const place = this.buildingAtRobber(action.color);
      return place ? [{ place, action: action.text, piece: "victim", color: action.color }] : [];
    }
    if (!isPlaced(action)) return [];
    const { place, kind, text } = action;
    if (FREE.has(this.promptKind) && (kind === "road" || kind === "settlement"))
      return [{ place, action: text, piece: kind, color, put: true }];
    return [{ place, action: text, piece: kind, color, put: false }];
  }

  private buildingAtRobber(color: Color): string | undefined {
    const player = this.view?.players.find((candidate) => candidate.color === color);
    const robber = this.view?.robber ?? "";
    return [...(player?.settlements ?? []), ...(player?.cities ?? [])].find((place) =>
      this.table.geometry?.corners.get(place)?.hexes.includes(robber),
    );
  }

  /** The action that names a resource for the card that is played, with those named before. */
  namedAction(kind: Resource): string {
    if (this.mode === "monopoly") return monopolyText(kind);
    const most = Math.max(...this.plenties.map((choice) => choice.length));
    return plentyText([
      ...this.plenty,
      kind,
      ...Array<Resource>(Math.max(0, most - this.plenty.length - 1)).fill(kind),
    ]);
  }

  /** Whether a resource can be named now: something legal has all that was named, and this. */
  nameable(kind: Resource): boolean {
    if (this.mode === "monopoly") return this.table.can(monopolyText(kind));
    return this.plenties.some((choice) => within([...this.plenty, kind], choice));
  }

  /** Name a resource; true: the card is played with it. */
  async nameResource(kind: Resource): Promise<boolean> {
    const chosen = [...this.plenty, kind];
    if (
      this.mode === "year-of-plenty" &&
      this.plenties.some((choice) => choice.length > chosen.length && within(chosen, choice))
    ) {
      this.plenty = chosen;
      return false;
    }
    const action = this.mode === "year-of-plenty" ? plentyText(chosen) : this.namedAction(kind);
    if (!this.table.ready(action)) return false; // it was not taken: what was named before stays named
    const played = await this.table.actIfReady(action);
    if (played) this.cancel();
    else this.plenty = [];
    return played;
  }

  private get plenties(): Resource[][] {
    return this.table.actionsOf("year-of-plenty").map((action) => action.resources);
  }

  /** What is being chosen, as a text that asks for it; empty: nothing is. */
  get choosing(): TextKey | "" {
    if (this.mode === null) return "";
    if (this.mode === "year-of-plenty") return "development.take";
    if (this.mode === "monopoly") return "development.name";
    return `build.where_${this.mode}`;
  }

  /** What the host says no with to a kind of action now; null: it is possible. */
  refusalOf(kind: ActionKind): Reason | null {
    if (this.table.paused) return PAUSED;
    return this.table.projection?.refusals[kind] ?? null;
  }

  /** A question was answered or has changed: what no longer fits is put down. */
  dropStale(): void {
    if (this.mode && !this.table.actionsOf(this.mode).length) this.mode = null;
    if (!this.owed && countCards(this.discard)) this.discard = {};
    if (this.trading && this.refusalOf("offer")) this.closeTrade();
    if (this.view && this.view.active !== this.turnOf) {
      this.turnOf = this.view.active;
      this.to = this.view.partners ?? [];
    }
    // What one answers is gone: an answer to it must not become an offer to all under the finger.
    if (this.answers !== null && this.offerDigest(this.answers) !== this.answered) this.closeTrade();
    for (const kind of RESOURCES) {
      const held = this.hand[kind] ?? 0;
      if ((this.give[kind] ?? 0) > held) this.give = { ...this.give, [kind]: held };
      if ((this.discard[kind] ?? 0) > held)
        this.discard = addCards(this.discard, kind, held - (this.discard[kind] ?? 0));
    }
  }

  choose(mode: DraftMode): void {
    this.mode = this.mode === mode ? null : mode;
    this.plenty = [];
  }

  cancel(): void {
    this.mode = null;
    this.plenty = [];
  }

  /** Do what was chosen on the board; false: it is not taken now. */
  pick({ action }: Target): boolean {
    if (!this.table.ready(action)) return false;
    void this.table.actUnguarded(action).then((done) => {
      if (done) this.mode = null;
    });
    return true;
  }

  /** What an open offer says; empty: there is none of that number. */
  private offerDigest(number: number): string {
    const offer = this.view?.offers.find((candidate) => candidate.number === number);
    return offer ? `${offer.by} ${cardsText(offer.give)} : ${cardsText(offer.take)}` : "";
  }

  /** Begin an offer, or a counter-offer to one. */
  openTrade(answers: number | null = null, give: Cards = {}, want: Cards = {}): void {
    this.trading = true;
    this.answers = answers;
    this.answered = answers === null ? "" : this.offerDigest(answers);
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

/** Whether all of `some` are among `all`, each as often. */
function within(some: readonly Resource[], all: readonly Resource[]): boolean {
  const count = (kinds: readonly Resource[], kind: Resource): number =>
    kinds.filter((candidate) => candidate === kind).length;
  return some.every((kind) => count(some, kind) <= count(all, kind));
}
