// The connection to a table: greets, resumes, repeats what was not answered, and notices what is missing.
// It knows neither Svelte nor the game; whoever uses it is told of messages in order, each once.

import { PROTOCOL } from "../generated/names";
import type { Done, Greeting, Incoming, Refused, WhyAnswer } from "../generated/protocol";
import { randomHex } from "./randomHex";
import { readMessage, type Received, type ReceivedHello } from "./received";

export type ConnectionState = "connecting" | "open" | "lost" | "closed";
type Command = Exclude<Incoming, { type: "ping" }>;
/** Any command without its id: the connection gives it one. */
export type CommandBody = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;
export type CommandAnswer = Done | WhyAnswer;

/** The table said no. */
export class CommandRefused extends Error {
  constructor(readonly refusal: Refused) {
    super(refusal.message);
  }
}

export interface ConnectionListener {
  /** The first message of a connection; `reconnected`: it was lost and is back; so many messages the host knows no more. */
  hello(message: ReceivedHello, reconnected: boolean, forgotten: number): void;
  /** Everything else but answers. `old`: it happened before this page looked. */
  message(message: Received, old: boolean): void;
  state(state: ConnectionState, refusal?: Refused): void;
  /** The host has more to do than it can; what was sent is sent again by itself. */
  busy(busy: boolean): void;
}

const QUIET = 15_000; // after so long without a word we ask whether the host is there
const PATIENCE = 8_000; // how long it may take to answer that, or to connect
const TOO_FAST_WAIT = 400;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5_000;
const NOT_YOURS = 4403; // the token opens nothing, or no longer
const FROM_THE_BEGINNING = 4205; // something of what was told was removed: all is told once more, without it
const FINAL = new Set([4400, NOT_YOURS, 4404, 1009]); // coming back would not help

interface UnansweredCommand {
  text: string;
  /** A question about this moment: it is not asked again when the line comes back. */
  passing: boolean;
  resolve(answer: CommandAnswer): void;
  reject(error: Error): void;
}

export class Connection {
  state: ConnectionState = "connecting";
  /** The number of the last numbered message seen. */
  number = 0;
  private socket: WebSocket | null = null;
  private greeted = false;
  private everGreeted = false;
  private latest = 0; // as the greeting said: up to here it is old
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private readonly unanswered = new Map<string, UnansweredCommand>();
  private readonly ids = randomHex(6);
  private count = 0;
  private refusal: Refused | undefined;
  private busy = false;

  constructor(
    private readonly url: string,
    private readonly token: string | null,
    private readonly listener: ConnectionListener,
    private readonly newSocket: (url: string) => WebSocket = (to) => new WebSocket(to),
  ) {}

  start(): void {
    this.connect();
    globalThis.addEventListener?.("online", this.hurry);
    globalThis.document?.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    globalThis.removeEventListener?.("online", this.hurry);
    globalThis.document?.removeEventListener("visibilitychange", this.hurry);
    this.become("closed");
    clearTimeout(this.timer);
    clearTimeout(this.pulse);
    hangUp(this.socket);
    this.fail(new Error("closed"));
  }

  /** Send a command and wait for the answer, whatever the connection does meanwhile. Throws CommandRefused. */
  send(body: CommandBody): Promise<CommandAnswer> {
    const id = `${this.ids}-${++this.count}`;
    const text = JSON.stringify({ ...body, id });
    const passing = body.type === "why";
    return new Promise<CommandAnswer>((resolve, reject) => {
      if (this.state === "closed" || (passing && !this.greeted)) {
        reject(new Error(this.state));
        return;
      }
      this.unanswered.set(id, { text, passing, resolve, reject });
      if (this.greeted) this.socket?.send(text);
    });
  }

  // --- the socket ---

  /** Now rather than later: come back, or see whether the host is still there. */
  readonly hurry = (): void => {
    if (this.state === "lost" && globalThis.document?.visibilityState !== "hidden") {
      clearTimeout(this.timer);
      const late = this.socket; // one that hangs
      this.connect();
      hangUp(late);
    } else if (this.state === "open") this.ping();
  };

  private connect(): void {
    const socket = this.newSocket(this.url);
    this.socket = socket;
    this.greeted = false;
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.drop(), PATIENCE); // one that hangs before it is open would hang for minutes
    socket.onopen = () => {
      const since = this.everGreeted ? this.number : 0;
      const greeting = { type: "hello", protocol: PROTOCOL, token: this.token, since } satisfies Greeting;
      socket.send(JSON.stringify(greeting));
      this.beat();
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.beat();
      this.receive(readMessage(String(event.data)));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.socketClosed(event.code, event.reason);
    };
  }

  private socketClosed(code: number, reason: string): void {
    clearTimeout(this.pulse);
    this.socket = null;
    this.greeted = false;
    if (this.state === "closed") return;
    if (FINAL.has(code)) {
      const name = code === NOT_YOURS ? "not_allowed" : "closed";
      const refusal = this.refusal ?? { type: "refused", id: null, code: name, message: reason };
      this.become("closed", refusal);
      this.fail(new CommandRefused(refusal));
      return;
    }
    this.fail(new Error("lost"), ({ passing }) => passing);
    if (code === FROM_THE_BEGINNING) [this.number, this.everGreeted] = [0, false];
    this.become("lost");
    const comeBack = this.refusal?.code === "busy" ? waitOf(this.refusal) : 0;
    this.refusal = undefined;
    this.timer = setTimeout(() => this.connect(), comeBack || this.wait * (0.5 + Math.random() / 2));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private become(state: ConnectionState, refusal?: Refused): void {
    if (state === this.state) return;
    this.state = state;
    this.listener.state(state, refusal);
  }

  /** What is still unanswered, or these of it, will not be answered. */
  private fail(error: Error, which: (command: UnansweredCommand) => boolean = () => true): void {
    for (const [id, command] of this.unanswered) {
      if (!which(command)) continue;
      this.unanswered.delete(id);
      command.reject(error);
    }
  }

  /** Something was heard: ask again after a while of silence. */
  private beat(): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.ping(), QUIET);
  }

  private ping(): void {
    clearTimeout(this.pulse);
    const socket = this.socket;
    if (socket?.readyState === 1) socket.send('{"type":"ping"}');
    this.pulse = setTimeout(() => {
      if (socket === this.socket) this.drop();
    }, PATIENCE);
  }

  /** Come back at once as whoever the cookie says now; what is sent meanwhile goes out then. */
  renew(): void {
    this.drop();
    this.hurry();
  }

  /** Give this socket up and come back. */
  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    hangUp(socket);
    this.socketClosed(1006, "");
  }

  // --- messages ---

  private receive(message: Received): void {
    if (!this.greeted) {
      this.greet(message);
      return;
    }
    switch (message.type) {
      case "told":
      case "chatted":
      case "changed":
        if (message.number <= this.number) return;
        if (message.number > this.number + 1) {
          this.drop(); // one is missing: resume from the last one seen
          return;
        }
        this.number = message.number;
        this.listener.message(message, message.number <= this.latest);
        return;
      case "done":
      case "because":
        this.takeUnanswered(message.id)?.resolve(message);
        return;
      case "refused":
        if (message.id === null) this.refusal = message; // no answer: why the socket is closed next, if it is
        if ((message.why === "too_fast" || message.code === "busy") && message.id !== null) {
          this.becomeBusy(message.code === "busy");
          this.resend(message.id, waitOf(message)); // for the door; what the table has enough of has other names
          return;
        }
        this.takeUnanswered(message.id)?.reject(new CommandRefused(message));
        return;
      case "pong":
        return;
      default:
        this.listener.message(message, false);
    }
  }

  private greet(message: Received): void {
    if (message.type === "refused") {
      this.refusal = message; // the socket is closed next
      this.becomeBusy(message.code === "busy");
      return;
    }
    if (message.type !== "hello") return;
    const forgotten = Math.max(0, this.number - message.number);
    this.number -= forgotten;
    this.greeted = true;
    this.refusal = undefined;
    this.becomeBusy(false);
    this.latest = message.number;
    this.wait = FIRST_WAIT;
    this.become("open");
    this.listener.hello(message, this.everGreeted, forgotten);
    this.everGreeted = true;
    for (const { text } of this.unanswered.values()) this.socket?.send(text);
  }

  private takeUnanswered(id: string | null): UnansweredCommand | undefined {
    const command = id === null ? undefined : this.unanswered.get(id);
    if (id !== null) this.unanswered.delete(id);
    this.becomeBusy(false);
    return command;
  }

  private becomeBusy(busy: boolean): void {
    if (busy === this.busy) return;
    this.busy = busy;
    this.listener.busy(busy);
  }

  /** Too fast, or too much for the host: the same once more, a little later. */
  private resend(id: string, wait: number): void {
    setTimeout(() => {
      const command = this.unanswered.get(id);
      if (this.greeted && command) this.socket?.send(command.text);
    }, wait);
  }
}

/** Milliseconds until one comes back, as the host says it; not all at the same moment. */
function waitOf(refusal: Refused): number {
  return refusal.why === "busy" ? refusal.values.retry_after * 1000 * (0.5 + Math.random()) : TOO_FAST_WAIT;
}

/** Close a socket; one that is not open yet, as soon as it is: browsers complain when it is closed before. */
function hangUp(socket: WebSocket | null): void {
  if (socket?.readyState === 0) socket.onopen = () => socket.close(1000);
  else socket?.close(1000);
}
