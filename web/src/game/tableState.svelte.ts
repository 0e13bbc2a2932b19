// A table as this page knows it: what the host has said, nothing more. Components read it; commands go through it.

import type {
  ActionKind,
  BoardLine,
  DiceLine,
  Hello,
  Now,
  Outgoing,
  Projection,
  Refused,
  TableLine,
  WhyAnswer,
} from "../generated/protocol";
import { noteCommitment } from "../app/storage/diceNotes";
import type { TableEvent } from "./events";
import { parseAction, type Action } from "./play/action";
import {
  Connection,
  CommandRefused,
  type CommandAnswer,
  type ConnectionState,
  type CommandBody,
} from "../net/connection";
import { geometryOf } from "./places/geometry";
import { withoutRepeats, type LogLine } from "./log";

/** Hears what happens in the game, and that the last of it was taken back ("took_back"). */
export type Watcher = (events: TableEvent[], before: Projection | null) => void;

/** A double press must not lose a turn: so long after others have played nothing is sent, and after an own action no end. */
const GUARD = 350;
/** Milliseconds after which messages are taken in a page that nobody sees, which has no frames. */
const HIDDEN = 100;

export class TableState {
  connectionState = $state<ConnectionState>("connecting");
  /** The host has more to do than it can: what was sent waits here, and is sent again. */
  busy = $state(false);
  /** The host has lost moves that were seen here. */
  forgotten = $state(false);
  /** Why the host closed the connection, and will not have it again. */
  closedBecause = $state.raw<Refused | null>(null);
  info = $state.raw<TableLine | null>(null);
  board = $state.raw<BoardLine | null>(null);
  readonly geometry = $derived(this.board && geometryOf(this.board));
  projection = $state.raw<Projection | null>(null);
  /** How the dice can be checked; null: they have no proof. */
  dice = $state.raw<DiceLine | null>(null);
  present = $state.raw<{ seats: string[]; watching: number }>({ seats: [], watching: 0 });
  log = $state.raw<LogLine[]>([]);
  /** How many remarks were not looked at yet. */
  unread = $state(0);
  /** The action that is on its way, until the page shows what became of it. */
  acting = $state<string | null>(null);
  /** Why the last thing was refused; until something else is tried. */
  lastRefusal = $state.raw<Refused | null>(null);
  /** Everything that had happened before this page looked is shown. */
  settled = $state(false);

  /** While the game is paused nothing is asked, and nothing can be done. */
  readonly paused = $derived(this.info?.paused ?? false);
  /** Nobody is there who plays; whoever comes has it go on. */
  readonly standsStill = $derived(!this.paused && (this.info?.waiting ?? false));
  readonly actions = $derived<Action[]>(this.paused ? [] : (this.projection?.legal ?? []).map(parseAction));
  /** The color of this seat; null: one who watches. Known before the game begins. */
  seat = $state<string | null>(null);
  /** Whether what is said is told here: to seats, and to those who watch where the table says so. */
  readonly hears = $derived(this.seat !== null || (this.info?.spectators_speak ?? false));
  muted = $state.raw<string[]>([]);
  /** The host is not at full speed yet. */
  warming = $state(false);
  /** By how many seconds the host's clock goes before the one here, as far as it is known. */
  ahead = $state(0);
  readonly view = $derived(this.projection?.view ?? null);
  readonly asked = $derived(!this.paused && (this.projection?.asked ?? false));

  private readonly connection: Connection;
  private watchers: Watcher[] = [];
  private askedAt = -GUARD;
  private changedAt = -GUARD;
  private request = -1;
  /** What was pressed or written last, when it is done. */
  private latestPlay: Promise<unknown> = Promise.resolve();
  /** The number of messages that the projection includes, and who waits for it to include more. */
  private included = 0;
  private awaiting: { number: number; go: () => void }[] = [];
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
      hello: (message, reconnected, forgotten) => {
        if (forgotten) this.forgotten = true;
        this.greeted(message, reconnected);
      },
      message: (message, old) => this.queue(message, old),
      state: (state, why) => {
        this.connectionState = state;
        if (why) this.closedBecause = why;
      },
      busy: (busy) => (this.busy = busy),
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

  /** The host knows this browser by another name now: come back as that. */
  renew(): void {
    this.connection.renew();
  }

  /** Be told of what happens from now on, with the projection before it; returns how to stop that. */
  watch(watcher: Watcher): () => void {
    this.watchers = [...this.watchers, watcher];
    return () => (this.watchers = this.watchers.filter((one) => one !== watcher));
  }

  /** The actions of a kind that are possible now. */
  actionsOf(kind: ActionKind): Action[] {
    return this.actions.filter((action) => action.kind === kind);
  }

  can(text: string): boolean {
    return !this.paused && (this.projection?.legal.includes(text) ?? false);
  }

  /** Whether a press means what it says: not while another is on its way, nor right after a new question. */
  ready(action: string): boolean {
    const now = performance.now();
    if (this.acting !== null || now - this.askedAt < GUARD) return false;
    // Where Roll stood, End turn stands a moment later: it is not taken so soon after a new question.
    return action !== "end" || now - this.changedAt >= GUARD;
  }

  /** Play an action that was pressed. False: refused (see `lastRefusal`), or not taken (see `ready`). */
  async actIfReady(action: string): Promise<boolean> {
    return this.ready(action) && this.actUnguarded(action);
  }

  /** Play an action that was written out, which nobody does by accident: after what is on its way. False: refused. */
  actUnguarded(action: string): Promise<boolean> {
    this.acting = action;
    const played = this.latestPlay.then(async () => {
      const answer = await this.sendForAnswer({ type: "act", action, request: this.projection?.request ?? null });
      if (answer?.type === "done") await this.showing(answer.number);
      return answer !== null;
    });
    this.latestPlay = played;
    void played.then(() => {
      if (this.latestPlay === played) this.acting = null;
    });
    return played;
  }

  /** Any other command. */
  async send(body: CommandBody): Promise<boolean> {
    return (await this.sendForAnswer(body)) !== null;
  }

  /** A command that the page gives by itself: nobody is told whether it was refused. */
  sendQuietly(body: CommandBody): Promise<boolean> {
    return this.connection.send(body).then(
      () => true,
      () => false,
    );
  }

  /** The host's answer; null: it said no. */
  private async sendForAnswer(body: CommandBody): Promise<CommandAnswer | null> {
    this.lastRefusal = null;
    try {
      return await this.connection.send(body);
    } catch (error) {
      if (error instanceof CommandRefused) this.lastRefusal = error.refused;
      return null;
    }
  }

  /** Whether an action would be possible, and if not why; null if the host cannot say now. */
  async why(action: string): Promise<WhyAnswer | null> {
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
    const happened: TableEvent[] = [];
    let now: Now | undefined;
    const taken = this.waiting;
    this.waiting = [];
    for (const { message, old } of taken) {
      if (message.type === "now") now = message;
      else lines.push(...this.heard(message, old));
      if (message.type === "told" && !old) happened.push(...message.events);
      if (message.type === "changed" && !old && message.what === "took_back") happened.push({ event: "took_back" });
    }
    if (happened.length) for (const watcher of this.watchers) watcher(happened, this.projection);
    if (now) this.show(now.projection, now.number ?? 0);
    if (lines.length) this.log = [...this.log, ...lines];
  }

  /** The number of the latest message that is shown. */
  get number(): number {
    return Math.max(this.included, this.log.at(-1)?.number ?? 0);
  }

  private greeted(message: Hello, reconnected: boolean): void {
    this.drain();
    this.seat = message.seat;
    this.muted = message.muted ?? [];
    this.warming = message.warming ?? false;
    this.info = message.table;
    this.board = message.board;
    this.dice = message.dice ?? null;
    if (this.dice && !this.dice.key) noteCommitment(this.id, this.dice.commitment);
    this.present = message.present;
    this.latest = message.number;
    this.ahead = message.time - Date.now() / 1000;
    if (!reconnected) {
      this.settled = message.number === 0;
      this.log = []; // all is told, perhaps once more
      this.before = null;
    }
    this.show(message.projection, message.number);
  }

  /** Take a message in; returns what it adds to the log. */
  private heard(message: Outgoing, old: boolean): LogLine[] {
    if ("time" in message && !old) this.ahead = message.time - Date.now() / 1000;
    if ("number" in message && (message.number ?? 0) >= this.latest) this.settled = true;
    switch (message.type) {
      case "told": {
        const { number, time, events } = message;
        return withoutRepeats(events).map((event) => ({ kind: "event", number, time, event }));
      }
      case "chatted": {
        const { number, time, by, text, spectator } = message;
        if (!text) return []; // it was removed
        if (!old && by !== this.seat) this.unread += 1;
        return [{ kind: "chat", number, time, by, text, ...(spectator && { spectator }) }];
      }
      case "changed": {
        const { number, time, what, table, by } = message;
        const before = this.before;
        this.before = table;
        if (!old) this.muted = message.muted ?? [];
        if (number >= this.latest) [this.info, this.dice] = [table, message.dice ?? null];
        return [{ kind: "change", number, time, what, table, before, ...(by && { by }) }];
      }
      case "present":
        this.present = message;
        return [];
      default: // answers, and what says how the table stands
        return [];
    }
  }

  private show(projection: Projection | null, number: number): void {
    const before = this.projection;
    if (projection && projection.request !== this.request) {
      this.request = projection.request;
      this.changedAt = performance.now();
      const mine = before?.asked && before.view.active === projection.view.active;
      if (projection.asked && before && !mine) this.askedAt = performance.now();
      this.lastRefusal = null;
    }
    this.projection = projection;
    this.included = number;
    for (const one of this.awaiting) if (one.number <= number) one.go();
    this.awaiting = this.awaiting.filter((one) => one.number > number);
  }

  /** Until the page shows the table after so many messages; not for long, as it may look as it did before. */
  private showing(number: number): Promise<void> {
    this.drain();
    return new Promise((go) => {
      if (this.included >= number) return go();
      this.awaiting.push({ number, go });
      setTimeout(go, GUARD);
    });
  }
}
