// A table that is about to be set up: what was chosen so far, and what can be chosen. What goes together is the host's
// word; what no longer can be chosen is let go.

import { getApp } from "../app/appContext";
import type { EditionLine, NewTable, OptionLine, TableOptions } from "../generated/protocol";
import { isPlayedWithRealDice, type ChanceInfo, type EditionsInfo, type TableInfo } from "../net/received";
import type { ApiError } from "../net/request";
import { DEFAULT_EDITION } from "../generated/names";
import { BoardPreview } from "./boardPreview.svelte";

type Value = boolean | number | string | null;

export class TableDraft {
  private readonly settings = getApp().settings;
  /** What the house has; null: that is not known yet. */
  editionList = $state.raw<EditionsInfo | null>(null);
  name = $state(this.settings.name);
  title = $state("");
  /** The name of the edition. */
  editionName = $state(DEFAULT_EDITION);
  players = $state(4);
  setup = $state("variable");
  /** Options by name, as far as something was chosen. */
  chosenOptions = $state<Record<string, Value>>({});
  /** Which seat is one's own, counted from 0; null: one watches. Editions differ in colors, so seats are counted. */
  ownSeatIndex = $state<number | null>(0);
  /** Who else plays, seat by seat: a player of the house, or "" for a person. */
  seats = $state<string[]>([]);
  clock = $state<number | null>(null);
  /** Seconds after which a bot stands in for who is gone, or that all are waited for. */
  absence = $state<TableInfo["absence"]>(120);
  /** The game goes on when nobody is there. */
  playsOn = $state(false);
  ranges = $state(false);
  private counting = $state(false);
  pace = $state(this.settings.pace);
  /** Who finds the table: whoever has its link, or everybody. */
  visibility = $state<TableInfo["visibility"]>("unlisted");
  watchable = $state(true);
  /** Whether those who watch may speak, where that can be chosen. */
  private speaking = $state(false);
  /** Who rolls and deals: the host, or people with a real board before them. */
  chance = $state<TableInfo["chance"]>("host");
  /** Whether the fairest of many boards is wanted. */
  fair = $state(false);
  /** The board that this table will have. */
  readonly preview: BoardPreview;

  /** To be made with a component; `onerror` is told why there is no board, and null when there is one. */
  constructor(onerror: (failure: ApiError | null) => void) {
    $effect(() => this.dropUnavailable());
    this.preview = new BoardPreview(
      () => this.edition && { options: this.options, fair: this.fair && this.several },
      onerror,
    );
  }

  readonly chanceInfo: ChanceInfo | null = $derived.by(
    () => this.editionList?.chances.find((chance) => chance.name === this.chance) ?? null,
  );
  readonly letsSpectatorsSpeak = $derived.by(() => this.visibility === "open" && this.watchable);
  readonly realDice = $derived.by(() => isPlayedWithRealDice(this));
  /** Several people are to play. */
  readonly together = $derived.by(
    () => this.colors.filter((_, i) => i === this.ownSeatIndex || !this.seats[i]).length > 1,
  );
  readonly edition: EditionLine | null = $derived.by(
    () => this.editionList?.editions.find((candidate) => candidate.name === this.editionName) ?? null,
  );

  /** How many can play. */
  readonly counts = $derived.by(() => {
    if (!this.edition) return [];
    const { players, options } = this.edition;
    const least = Math.min(players[0], ...options.map((option) => option.players ?? Infinity));
    return Array.from({ length: players[1] - least + 1 }, (_, i) => least + i);
  });

  readonly colors = $derived.by(() => {
    const all = this.edition?.colors ?? [];
    // not every set-up seats the first ones
    const seated = this.preview.board?.colors.filter((color) => all.includes(color)) ?? [];
    return seated.length === this.players ? seated : all.slice(0, this.players);
  });

  /** The options of the edition that can be chosen with this set-up. */
  readonly shown = $derived.by(() =>
    (this.edition?.options ?? []).filter((option) => !option.players && (!option.setup || option.setup === this.setup)),
  );

  /** As the host reads them. */
  readonly options = $derived.by(() => {
    const chosen: TableOptions = { edition: this.editionName, players: this.players, setup: this.setup };
    const rule = this.allowing(this.players);
    if (rule) chosen[rule.name] = true;
    for (const option of this.shown) {
      const value = this.chosenOptions[option.name];
      if (value !== undefined && value !== null && value !== option.default) chosen[option.name] = value;
    }
    return chosen;
  });

  /** Whether there is more than one board to choose from. */
  readonly several = $derived.by(() => this.setup !== "fixed" && this.options.map === undefined);

  /** The house rule by which so many may play; it is chosen by their number. */
  allowing(count: number): OptionLine | undefined {
    return this.edition?.options.find((option) => option.players === count);
  }

  /** What does not go together with it is let be; beside it stands why. */
  playWith(chance: ChanceInfo): void {
    this.chance = chance.name;
    if (!chance.clock) this.clock = null;
    if (!chance.bots) this.seats = [];
    for (const name of chance.without) this.chosenOptions[name] = null;
  }

  get rated(): boolean {
    return this.counting;
  }

  /** In a rated game nobody is waited for without end, whether gone or there. */
  set rated(on: boolean) {
    this.counting = on;
    if (on && this.absence === "wait") this.absence = 86_400;
    if (on && !this.realDice) this.clock ??= 120;
  }

  get spectatorsSpeak(): boolean {
    return this.speaking && this.letsSpectatorsSpeak;
  }

  set spectatorsSpeak(on: boolean) {
    this.speaking = on;
  }

  /** Give a seat to somebody: "me", a player of the house, or "" for a person. */
  put(seatIndex: number, who: string): void {
    if (who === "me") this.ownSeatIndex = seatIndex;
    else {
      if (this.ownSeatIndex === seatIndex) this.ownSeatIndex = null;
      this.seats[seatIndex] = who;
    }
  }

  /** The table as the host is asked for it. */
  newTable(guest: string): NewTable {
    const { colors, ownSeatIndex, seats } = this;
    return {
      name: this.name.trim() || guest,
      title: this.title.trim(),
      options: this.options,
      board_seed: this.preview.board?.seed ?? null,
      clock: this.clock,
      absence: this.realDice ? null : this.absence,
      plays_on: !this.realDice && this.playsOn,
      ranges: this.ranges,
      rated: this.rated,
      pace: this.pace,
      chance: this.chance,
      visibility: this.visibility,
      watchable: this.watchable,
      spectators_speak: this.spectatorsSpeak,
      seats: Object.fromEntries(
        colors.flatMap((color, i) => (i !== ownSeatIndex && seats[i] ? [[color, seats[i]]] : [])),
      ),
      seat: ownSeatIndex === null ? null : (colors[ownSeatIndex] ?? null),
      sit: ownSeatIndex !== null,
    };
  }

  private dropUnavailable(): void {
    const { edition, counts } = this;
    if (edition && !edition.setups.includes(this.setup)) this.setup = edition.setup;
    if (counts.length && !counts.includes(this.players)) this.players = counts.at(-1) ?? 4;
    if (this.ownSeatIndex !== null && counts.length && this.ownSeatIndex >= this.players) this.ownSeatIndex = 0;
    for (const option of edition?.options ?? [])
      if (!this.offers(option, this.chosenOptions[option.name])) this.chosenOptions[option.name] = null;
  }

  /** Whether something that was chosen can still be chosen: editions differ in what they offer. */
  private offers(option: OptionLine, value: Value | undefined): boolean {
    if (typeof value === "string") return option.choices?.includes(value) ?? false;
    if (typeof value !== "number") return true;
    const most = option.name === "first" ? this.colors.length - 1 : (option.high ?? value);
    return value >= (option.low ?? value) && value <= most;
  }
}
