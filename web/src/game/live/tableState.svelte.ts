// A table as this page knows it: what the host has said, nothing more. Components read it; commands go through it.

import type {
  ActionKind,
  BoardLine,
  Color,
  DiceLine,
  Now,
  Projection,
  Refused,
  Speaker,
  WhyAnswer,
} from "../../generated/protocol";
import {
  Connection,
  CommandRefused,
  type CommandAnswer,
  type CommandBody,
  type ConnectionState,
} from "../../net/connection";
import type { Received, ReceivedHello, TableInfo } from "../../net/received";
import type { TableEvent } from "./events";
import { logLines, type LogLine } from "./logLines";
import { MessageQueue, type QueuedMessage } from "./messageQueue";
import { geometryOf } from "../places/geometry";
import { isOfKind, parseAction, type Action, type ActionOf } from "../actions/action";
import { PressGuard } from "./pressGuard";
import { ShownNumber } from "./shownNumber";

/** Hears what happens in the game, and that the last of it was taken back ("took_back"). */
export type Watcher = (events: TableEvent[], before: Projection | null) => void;

export class TableState {
  connectionState = $state<ConnectionState>("connecting");
  /** The host has more to do than it can: what was sent waits here, and is sent again. */
  busy = $state(false);
  /** The host has lost moves that were seen here. */
  forgotten = $state(false);
  /** With what the host closed the connection, and will not have it again. */
  closingRefusal = $state.raw<Refused | null>(null);
  info = $state.raw<TableInfo | null>(null);
  board = $state.raw<BoardLine | null>(null);
  readonly geometry = $derived(this.board && geometryOf(this.board));
  projection = $state.raw<Projection | null>(null);
  /** How the dice can be checked; null: they have no proof. */
  dice = $state.raw<DiceLine | null>(null);
  present = $state.raw<{ seats: readonly Color[]; watching: number }>({ seats: [], watching: 0 });
  log = $state.raw<LogLine[]>([]);
  /** How many remarks were not looked at yet. */
  unread = $state(0);
  /** The action that is on its way, until the page shows what became of it. */
  acting = $state<string | null>(null);
  /** Why the last thing was refused; until something else is tried. */
  lastRefusal = $state.raw<Refused | null>(null);
  /** Everything that had happened before this page looked is shown. */
  caughtUp = $state(false);

  /** While the game is paused nothing is asked, and nothing can be done. */
  readonly paused = $derived(this.info?.paused ?? false);
  /** Nobody is there who plays; whoever comes has it go on. */
  readonly standsStill = $derived(!this.paused && (this.info?.waiting ?? false));
  readonly actions = $derived<Action[]>(this.paused ? [] : (this.projection?.legal ?? []).map(parseAction));
  /** The color of this seat; null: one who watches. Known before the game begins. */
  ownColor = $state<Color | null>(null);
  /** Whether what is said is told here: to seats, and to those who watch where the table says so. */
  readonly hears = $derived(this.ownColor !== null || (this.info?.spectators_speak ?? false));
  muted = $state.raw<readonly Speaker[]>([]);
  /** The host is not at full speed yet. */
  warming = $state(false);
  /** By how many seconds the host's clock goes before the one here, as far as it is known. */
  ahead = $state(0);
  readonly view = $derived(this.projection?.view ?? null);
  readonly asked = $derived(!this.paused && (this.projection?.asked ?? false));

  private readonly connection: Connection;
  private watchers: Watcher[] = [];
  private readonly queue = new MessageQueue((messages) => this.receive(messages));
  private readonly guard = new PressGuard();
  private readonly shownNumber = new ShownNumber();
  private request = -1;
  /** What was pressed or written last, when it is done. */
  private lastPlay: Promise<unknown> = Promise.resolve();
  /** The number of messages there were when the page was greeted. */
  private greetedNumber = 0;
  /** The table as the last change left it. */
  private tableBefore: TableInfo | null = null;

  constructor(
    readonly id: string,
    token: string | null,
    base: string = location.origin,
  ) {
    const url = `${base.replace(/^http/, "ws")}/ws/tables/${encodeURIComponent(id)}`;
    this.connection = new Connection(url, token, {
      hello: (message, reconnected, forgotten) => {
        if (forgotten) this.forgotten = true;
        this.greet(message, reconnected);
      },
      message: (message, old) => this.queue.add(message, old),
      state: (state, refusal) => {
        this.connectionState = state;
        if (refusal) this.closingRefusal = refusal;
      },
      busy: (busy) => (this.busy = busy),
    });
  }

  start(): void {
    this.connection.start();
  }

  stop(): void {
    this.connection.close();
    this.queue.clear();
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
    return () => (this.watchers = this.watchers.filter((other) => other !== watcher));
  }

  /** The actions of a kind that are possible now. */
  actionsOf<Kind extends ActionKind>(kind: Kind): ActionOf<Kind>[] {
    return this.actions.filter((action) => isOfKind(action, kind));
  }

  can(text: string): boolean {
    return !this.paused && (this.projection?.legal.includes(text) ?? false);
  }

  /** Whether a press means what it says: not while another is on its way, nor right after a new question. */
  ready(action: string): boolean {
    return this.acting === null && this.guard.allows(action);
  }

  /** Play an action that was pressed. False: refused (see `lastRefusal`), or not taken (see `ready`). */
  async actIfReady(action: string): Promise<boolean> {
    return this.ready(action) && this.actUnguarded(action);
  }

  /** Play an action that was written out, which nobody does by accident: after what is on its way. False: refused. */
  actUnguarded(action: string): Promise<boolean> {
    this.acting = action;
    const played = this.lastPlay.then(async () => {
      const answer = await this.sendForAnswer({ type: "act", action, request: this.projection?.request ?? null });
      if (answer?.type === "done") {
        this.queue.flush();
        await this.shownNumber.reach(answer.number);
      }
      return answer !== null;
    });
    this.lastPlay = played;
    void played.then(() => {
      if (this.lastPlay === played) this.acting = null;
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
      if (error instanceof CommandRefused) this.lastRefusal = error.refusal;
      return null;
    }
  }

  /** Whether an action would be possible, and if not why; null if the host cannot say now. */
  async askWhy(action: string): Promise<WhyAnswer | null> {
    try {
      const answer = await this.connection.send({ type: "why", action });
      return answer.type === "because" ? answer : null;
    } catch {
      return null;
    }
  }

  // --- what the host says ---

  private receive(messages: readonly QueuedMessage[]): void {
    const lines: LogLine[] = [];
    const happened: TableEvent[] = [];
    let now: Now | undefined;
    for (const { message, old } of messages) {
      if (message.type === "now") now = message;
      else lines.push(...this.hear(message, old));
      if (message.type === "told" && !old) happened.push(...message.events);
      if (message.type === "changed" && !old && message.what === "took_back") happened.push({ event: "took_back" });
    }
    const before = this.projection;
    if (now) this.project(now.projection, now.number ?? 0);
    if (lines.length) this.log = [...this.log, ...lines];
    if (happened.length) for (const watcher of this.watchers) tryWatcher(watcher, happened, before);
  }

  /** The number of the latest message that is shown. */
  get number(): number {
    return Math.max(this.shownNumber.current, this.log.at(-1)?.number ?? 0);
  }

  private greet(message: ReceivedHello, reconnected: boolean): void {
    this.queue.flush();
    this.ownColor = message.seat;
    this.muted = message.muted;
    this.warming = message.warming;
    this.info = message.table;
    this.board = message.board;
    this.dice = message.dice;
    this.present = message.present;
    this.greetedNumber = message.number;
    this.ahead = aheadBy(message.time);
    if (!reconnected) {
      this.caughtUp = message.number === 0;
      this.log = []; // all is told, perhaps once more
      this.tableBefore = null;
    }
    this.project(message.projection, message.number);
  }

  /** Take a message in; returns what it adds to the log. */
  private hear(message: Received, old: boolean): LogLine[] {
    if ("time" in message && !old) this.ahead = Math.max(this.ahead, aheadBy(message.time)); // the least delayed is right
    if ("number" in message && (message.number ?? 0) >= this.greetedNumber) this.caughtUp = true;
    const lines = logLines(message, this.tableBefore);
    if (message.type === "present") this.present = message;
    else if (message.type === "chatted") {
      if (lines.length && !old && message.by !== this.ownColor) this.unread += 1;
    } else if (message.type === "changed") {
      this.tableBefore = message.table;
      if (!old) this.muted = message.muted;
      if (message.number >= this.greetedNumber) [this.info, this.dice] = [message.table, message.dice];
    }
    return lines;
  }

  /** The game looks like this now. */
  private project(projection: Projection | null, number: number): void {
    const before = this.projection;
    if (projection && projection.request !== this.request) {
      this.request = projection.request;
      const mine = before?.asked && before.view.active === projection.view.active;
      this.guard.change(projection.asked && before !== null && !mine);
      this.lastRefusal = null;
    }
    this.projection = projection;
    this.shownNumber.set(number);
  }
}

/** By how many seconds the host's clock seems to go before the one here: less by the time the message took. */
const aheadBy = (time: number): number => time - Date.now() / 1000;

/** A gesture that fails takes nothing else with it; the browser is told of the fault. */
function tryWatcher(watcher: Watcher, events: TableEvent[], before: Projection | null): void {
  try {
    watcher(events, before);
  } catch (fault) {
    reportError(fault);
  }
}
