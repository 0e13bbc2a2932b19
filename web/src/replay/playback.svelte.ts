// A finished game that is being looked at: which moment, through whose eyes, and whether it plays.

import type { ByColor } from "../net/colors";
import type { CardCounts, Cards, Color, GameEvent, ReplayAnswer, ReplayView, View } from "../generated/protocol";
import { apiErrorOrThrow } from "../net/request";
import { fetchReplay, fetchReplayViews } from "../net/rest/finishedGames";
import type { Speech } from "../game/speech/speech.svelte";
import { ViewBlocks } from "./recording/viewBlocks";
import { eventsAt, nextStop, nextTurn } from "./recording/recording";

export const PUBLIC_EYES = "public";
export const REFEREE_EYES = "referee";
/** Whose eyes a game is looked at through. */
export type Eyes = Color | typeof PUBLIC_EYES | typeof REFEREE_EYES;
export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type PlaybackSpeed = (typeof SPEEDS)[number];

/** A game through a pair of eyes, as far as it was fetched. */
interface EyesCopy {
  answer: ReplayAnswer;
  views: ViewBlocks<ReplayView>;
}

const SECOND = 1000;
/** Between blocks that nobody waits for, so that the host is not stormed. */
const PAUSE = 600;

export class Playback {
  step = $state(0);
  eyes = $state<Eyes>(REFEREE_EYES);
  playing = $state(false);
  speed = $state<PlaybackSpeed>(1);
  answer = $state.raw<ReplayAnswer | null>(null);
  /** The game at this moment; for an instant one seen before, while this one is fetched. */
  view = $state.raw<View | null>(null);
  /** All that the players hold whose cards are open to these eyes, by color. */
  held = $state.raw<ByColor<{ hand: Cards; cards: CardCounts }>>({});
  error = $state("");

  /** Called when the next stop was reached, with what happened on the way. */
  onstep: (events: GameEvent[]) => void = () => undefined;

  private readonly copies: Partial<Record<Eyes, EyesCopy>> = {};
  private timer: ReturnType<typeof setTimeout> | undefined;
  private fetcher: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    readonly id: string,
    readonly colors: readonly Color[],
    private readonly speech: Pick<Speech, "refusalText">,
  ) {}

  /** The seat whose eyes these are; null: nobody's. */
  get ownColor(): Color | null {
    return this.colors.find((color) => color === this.eyes) ?? null;
  }

  /** Look through other eyes, at a moment; without one at that where one is when they open. */
  async lookThrough(eyes: Eyes, step: number | null = null): Promise<void> {
    this.eyes = eyes;
    this.error = "";
    try {
      let copy = this.copies[eyes];
      if (!copy) {
        const answer = await fetchReplay(this.id, eyes);
        const load = async (from: number, to: number): Promise<ReplayView[]> =>
          (await fetchReplayViews(this.id, eyes, from, to)).views;
        copy = { answer, views: new ViewBlocks(answer.steps, load, () => this.show()) };
        this.copies[eyes] = copy;
      }
      if (this.eyes !== eyes || this.closed) return;
      this.answer = copy.answer;
      this.go(step ?? this.step);
    } catch (failure) {
      this.fail(failure);
    }
  }

  close(): void {
    this.closed = true;
    this.playing = false;
    clearTimeout(this.timer);
    clearTimeout(this.fetcher);
  }

  /** Go to a moment. */
  go(step: number): void {
    this.step = Math.min(this.answer?.steps ?? 0, Math.max(0, step));
    this.show();
    const copy = this.copies[this.eyes];
    if (!copy) return;
    copy.views.fetch(this.step).then(
      () => this.fetchRest(),
      (failure: unknown) => this.fail(failure),
    );
  }

  /** One step on or back, to where something happened. */
  walk(way: 1 | -1): void {
    if (!this.answer) return;
    const to = nextStop(this.answer, this.step, way);
    const events = way > 0 ? eventsAt(this.answer, to) : [];
    const on = to !== this.step;
    this.go(to);
    if (on && events.length) this.onstep(events);
  }

  /** To the next turn, or back to the beginning of this or the last one. */
  turn(way: 1 | -1): void {
    if (this.answer) this.go(nextTurn(this.answer, this.step, way));
  }

  /** Play on by itself, or stop that. At the end it begins anew. */
  play(on = !this.playing): void {
    clearTimeout(this.timer);
    this.playing = on;
    if (!on || !this.answer) return;
    if (this.step >= this.answer.steps) this.go(0);
    this.timer = setTimeout(() => this.beat(), SECOND / this.speed);
  }

  private beat(): void {
    if (!this.answer) return;
    if (this.copies[this.eyes]?.views.at(this.step)) this.walk(1); // else it is still being fetched
    if (this.step >= this.answer.steps) this.playing = false;
    else this.timer = setTimeout(() => this.beat(), SECOND / this.speed);
  }

  private show(): void {
    const reached = this.copies[this.eyes]?.views.at(this.step);
    if (!reached) return;
    const { truth, ...view } = reached;
    const players = view.players.map((player) => ({
      ...player,
      points: truth?.players[player.color]?.points ?? player.points,
    }));
    this.view = { ...view, players };
    this.error = "";
    if (truth) this.held = truth.players;
    else if (view.hand) this.held = { [this.eyes]: { hand: view.hand, cards: view.development ?? {} } };
    else this.held = {};
  }

  /** Block by block, while nobody waits for anything. */
  private fetchRest(): void {
    clearTimeout(this.fetcher);
    const views = this.copies[this.eyes]?.views;
    const next = views?.missing(this.step) ?? null;
    if (!views || next === null || this.closed) return;
    // The neighbors at once, as they are likely to be looked at.
    const near = Math.abs(next - this.step) <= 150;
    this.fetcher = setTimeout(
      () =>
        void views.fetch(next).then(
          () => this.fetchRest(),
          () => undefined, // it will be asked for again when it is looked at
        ),
      near ? 0 : PAUSE,
    );
  }

  private fail(failure: unknown): void {
    const { status, refusal } = apiErrorOrThrow(failure);
    if (status === 429) setTimeout(() => !this.closed && void this.lookThrough(this.eyes), 2 * SECOND);
    else this.error = this.speech.refusalText(refusal);
  }
}
