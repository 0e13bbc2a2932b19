// A table as this page knows it: what the host has said, nothing more. Components read it; commands go through it.

import type {
  Because,
  BoardLine,
  Hello,
  Outgoing,
  Present,
  Projection,
  Refused,
  TableLine,
} from "../generated/protocol";
import { parse, type Move } from "./action";
import { Connection, Refusal, type Line, type Wish } from "./connection";

/** What happened, as data (docs/formats/events.md). */
export interface GameEvent {
  event: string;
  [field: string]: unknown;
}

export type LogLine =
  | { kind: "event"; number: number; time: number; event: GameEvent }
  | { kind: "chat"; number: number; time: number; by: string; text: string }
  | { kind: "change"; number: number; time: number; what: string; table: TableLine; before: TableLine | null };

export type Watcher = (events: GameEvent[], before: Projection | null) => void;

/** A double press must not lose a turn: so long after others have played nothing is sent, and after an own action no end. */
const GUARD = 350;
/** Milliseconds after which messages are taken in a page that nobody sees, which has no frames. */
const HIDDEN = 100;

export class TableState {
  line = $state<Line>("connecting");
  refused = $state.raw<Refused | null>(null);
  table = $state.raw<TableLine | null>(null);
  board = $state.raw<BoardLine | null>(null);
  projection = $state.raw<Projection | null>(null);
  present = $state.raw<{ seats: string[]; watching: number }>({ seats: [], watching: 0 });
  log = $state.raw<LogLine[]>([]);
  /** How many remarks were not looked at yet. */
  unread = $state(0);
  /** A command is on its way. */
  busy = $state(0);
  /** Why the last thing was refused; until something else is tried. */
  trouble = $state.raw<Refused | null>(null);
  /** The number of messages until which everything had happened before this page looked. */
  settled = $state(false);

  /** While the game is paused nothing is asked, and nothing can be done. */
  readonly paused = $derived(this.table?.paused ?? false);
  readonly moves = $derived<Move[]>(this.paused ? [] : (this.projection?.legal ?? []).map(parse));
  /** The colour of this seat; null: one who watches. Known before the game begins. */
  seat = $state<string | null>(null);
  muted = $state.raw<string[]>([]);
  /** By how many seconds the host's clock goes before the one here, as far as it is known. */
  ahead = $state(0);
  readonly view = $derived(this.projection?.view ?? null);
  readonly asked = $derived(!this.paused && (this.projection?.asked ?? false));

  private readonly connection: Connection;
  private watchers: Watcher[] = [];
  private askedAt = -GUARD;
  private changedAt = -GUARD;
  private request = -1;
  private waiting: { message: Outgoing; old: boolean }[] = [];
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private latest = 0;
  private before: TableLine | null = null; // the table as the last change left it

  constructor(
    readonly id: string,
    token: string | null,
    base: string = location.origin,
  ) {
    const url = `${base.replace(/^http/, "ws")}/ws/tables/${encodeURIComponent(id)}`;
    this.connection = new Connection(url, token, {
      hello: (message, again) => this.greeted(message, again),
      message: (message, old) => this.queue(message, old),
      line: (state, why) => {
        this.line = state;
        if (why) this.refused = why;
      },
    });
  }

  start(): void {
    this.connection.start();
  }

  stop(): void {
    this.connection.close();
    this.waiting = [];
  }

  /** The line is lost: do not wait for the next try. */
  retry(): void {
    this.connection.hurry();
  }

  /** Be told of what happens from now on, with the projection before it; returns how to stop that. */
  watch(watcher: Watcher): () => void {
    this.watchers = [...this.watchers, watcher];
    return () => (this.watchers = this.watchers.filter((one) => one !== watcher));
  }

  /** The moves of a kind that are possible now. */
  of(kind: string): Move[] {
    return this.moves.filter((move) => move.kind === kind);
  }

  can(text: string): boolean {
    return !this.paused && (this.projection?.legal.includes(text) ?? false);
  }

  /** Play an action. False: refused (see `trouble`), or too soon after a new question. */
  async act(action: string): Promise<boolean> {
    const now = performance.now();
    // Where Roll stood, End turn stands a moment later: it is not taken so soon after a new question.
    if (now - this.askedAt < GUARD || (action === "end" && now - this.changedAt < GUARD)) return false;
    return this.send({ type: "act", action, request: this.projection?.request ?? null });
  }

  /** Any other command. */
  async send(wish: Wish): Promise<boolean> {
    this.busy += 1;
    this.trouble = null;
    try {
      await this.connection.send(wish);
      return true;
    } catch (error) {
      if (error instanceof Refusal) this.trouble = error.refused;
      return false;
    } finally {
      this.busy -= 1;
    }
  }

  /** Whether an action would be possible, and if not why; null if the host cannot say now. */
  async why(action: string): Promise<Because | null> {
    try {
      const answer = await this.connection.send({ type: "why", action });
      return answer.type === "because" ? answer : null;
    } catch {
      return null;
    }
  }

  // --- what the host says ---

  /** What comes within a frame is taken together: a table of quick bots says more than a screen can show. */
  private queue(message: Outgoing, old: boolean): void {
    if (this.waiting.push({ message, old }) > 1) return;
    this.frame = requestAnimationFrame(() => this.drain());
    this.timer = setTimeout(() => this.drain(), HIDDEN);
  }

  private drain(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    const lines: LogLine[] = [];
    const happened: GameEvent[] = [];
    let projection: Projection | null | undefined;
    const taken = this.waiting;
    this.waiting = [];
    for (const { message, old } of taken) {
      if (message.type === "now") projection = message.projection;
      else lines.push(...this.heard(message, old));
      if (message.type === "told" && !old) happened.push(...(message.events as unknown as GameEvent[]));
    }
    if (happened.length) for (const watcher of this.watchers) watcher(happened, this.projection);
    if (projection !== undefined) this.show(projection);
    if (lines.length) this.log = [...this.log, ...lines];
  }

  private greeted(message: Hello, again: boolean): void {
    this.drain();
    this.seat = message.seat;
    this.muted = message.muted ?? [];
    this.table = message.table;
    this.board = message.board;
    this.present = message.present;
    this.latest = message.number;
    if (!again) this.settled = message.number === 0;
    this.show(message.projection);
  }

  /** Take a message in; returns what it adds to the log. */
  private heard(message: Outgoing, old: boolean): LogLine[] {
    if ("time" in message && !old) this.ahead = message.time - Date.now() / 1000;
    if ("number" in message && (message.number ?? 0) >= this.latest) this.settled = true;
    switch (message.type) {
      case "told": {
        const { number, time } = message;
        return (message.events as unknown as GameEvent[]).map((event) => ({ kind: "event", number, time, event }));
      }
      case "chatted": {
        const { number, time, by, text } = message;
        if (!old && by !== this.seat) this.unread += 1;
        return [{ kind: "chat", number, time, by, text }];
      }
      case "changed": {
        const { number, time, what, table } = message;
        const before = this.before;
        this.before = table;
        if (!old) this.muted = message.muted ?? [];
        if (number >= this.latest) this.table = table;
        return [{ kind: "change", number, time, what, table, before }];
      }
      case "present":
        this.present = message as Present;
    }
    return [];
  }

  private show(projection: Projection | null): void {
    const before = this.projection;
    if (projection && projection.request !== this.request) {
      this.request = projection.request;
      this.changedAt = performance.now();
      const mine = before?.asked && before.view.active === projection.view.active;
      if (projection.asked && before && !mine) this.askedAt = performance.now();
      this.trouble = null;
    }
    this.projection = projection;
  }
}
