import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Outgoing } from "../generated/protocol";
import { Connection, CommandRefused, type ConnectionState } from "./connection";

/** A socket that does what the test says. */
class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  closed: number | null = null;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code: number): void {
    this.closed = code;
  }

  up(number = 0): void {
    this.readyState = 1;
    this.onopen?.();
    this.says({ type: "hello", protocol: 1, number, table: { seats: [] } });
  }

  says(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  down(code = 1006, reason = ""): void {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
}

function connected(token: string | null = null) {
  const heard: Outgoing[] = [];
  const old: boolean[] = [];
  const states: ConnectionState[] = [];
  const hellos: boolean[] = [];
  const busy: boolean[] = [];
  const forgotten: number[] = [];
  const connection = new Connection(
    "ws://host/ws/tables/x",
    token,
    {
      hello: (_message, reconnected, lost) => {
        hellos.push(reconnected);
        forgotten.push(lost);
      },
      message: (message, before) => {
        heard.push(message);
        old.push(before);
      },
      state: (state) => states.push(state),
      busy: (is) => busy.push(is),
    },
    (url) => new FakeSocket(url) as unknown as WebSocket,
  );
  connection.start();
  return { connection, heard, old, states, hellos, busy, forgotten };
}

const told = (number: number): unknown => ({ type: "told", number, time: 0, events: [] });
const last = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket;

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a connection", () => {
  it("greets with its token and asks for everything the first time", () => {
    connected("secret");
    last().up();
    expect(last().sent[0]).toEqual({ type: "hello", protocol: 1, token: "secret", since: 0 });
  });

  it("gives each numbered message once, and says which are old", () => {
    const { heard, old } = connected();
    last().up(1);
    last().says(told(1));
    last().says(told(1));
    last().says(told(2));
    expect(heard.map((message) => ("number" in message ? message.number : null))).toEqual([1, 2]);
    expect(old).toEqual([true, false]);
  });

  it("comes back when it is lost and resumes from the last message", () => {
    const { states, hellos } = connected();
    last().up();
    last().says(told(1));
    last().down();
    expect(states).toEqual(["open", "lost"]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
    last().up(1);
    expect(last().sent[0]).toMatchObject({ since: 1 });
    expect(hellos).toEqual([false, true]);
  });

  it("asks for everything again when something of it was removed", () => {
    const { heard, hellos } = connected();
    last().up(1);
    last().says(told(1));
    last().down(4205, "something was removed");
    vi.advanceTimersByTime(1000);
    last().up(1);
    expect(last().sent[0]).toMatchObject({ since: 0 });
    last().says(told(1));
    expect(heard).toHaveLength(2);
    expect(hellos).toEqual([false, false]);
  });

  it("is closed before it was open without a complaint of the browser: as soon as it is open", () => {
    const { connection, states } = connected("secret");
    connection.close();
    expect(last().closed).toBeNull();
    last().readyState = 1;
    last().onopen?.();
    expect(last().closed).toBe(1000);
    expect(last().sent).toEqual([]);
    last().down(1000);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(states).toEqual(["closed"]);
  });

  it("gives up a connection that hangs before it is open, and tries again", () => {
    const { states } = connected();
    const hanging = last();
    vi.advanceTimersByTime(8_000);
    expect(states).toEqual(["lost"]);
    vi.advanceTimersByTime(300);
    last().up();
    expect([FakeSocket.all.length, states]).toEqual([2, ["lost", "open"]]);
    hanging.up(); // at last: too late
    expect([hanging.closed, states]).toEqual([1000, ["lost", "open"]]);
  });

  it("asks no question about a moment that has passed", async () => {
    const { connection } = connected();
    const early = connection.send({ type: "why", action: "roll" });
    await expect(early).rejects.toThrow();
    last().up();
    expect(last().sent.map(({ type }) => type)).toEqual(["hello"]);
    const asked = connection.send({ type: "why", action: "end" });
    const said = connection.send({ type: "say", text: "hi" });
    const lost = expect(asked).rejects.toThrow("lost");
    last().down();
    await lost;
    vi.advanceTimersByTime(300);
    last().up();
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "say"]);
    last().says({ type: "done", id: last().sent[1]?.id, number: 1 });
    await said;
  });

  it("drops a connection on which a message is missing, and asks for it", () => {
    const { heard } = connected();
    const first = last();
    first.up();
    first.says(told(2));
    expect(first.closed).toBe(1000);
    first.says(told(3)); // too late: this socket was given up
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1000);
    last().up(3);
    expect(last().sent[0]).toMatchObject({ since: 0 });
  });

  it("repeats a command that was not answered, with the same id", async () => {
    const { connection } = connected();
    last().up();
    const answer = connection.send({ type: "act", action: "roll", request: 3 });
    const sent = last().sent[1];
    expect(sent).toMatchObject({ type: "act", action: "roll", request: 3 });
    last().down();
    vi.advanceTimersByTime(1000);
    last().up();
    expect(last().sent[1]).toEqual(sent);
    last().says({ type: "done", id: sent?.id, number: 4 });
    await expect(answer).resolves.toMatchObject({ number: 4 });
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("sends what was wanted before it was up as soon as it is", () => {
    const { connection } = connected();
    void connection.send({ type: "begin" });
    expect(last().sent).toEqual([]);
    last().up();
    expect(last().sent.map((message) => message.type)).toEqual(["hello", "begin"]);
  });

  it("tells the sender why a command was refused", async () => {
    const { connection } = connected();
    last().up();
    const answer = connection.send({ type: "act", action: "end" });
    last().says({
      type: "refused",
      id: last().sent[1]?.id,
      code: "not_legal",
      message: "roll first",
      rule: "PHASE-03",
    });
    await expect(answer).rejects.toBeInstanceOf(CommandRefused);
    await expect(answer).rejects.toMatchObject({ refusal: { rule: "PHASE-03" } });
  });

  it("sends a command once more when it was too fast, but not what the table has enough of", async () => {
    const { connection } = connected();
    last().up();
    void connection.send({ type: "act", action: "end" });
    const remark = connection.send({ type: "say", text: "hello" });
    const [, act, say] = last().sent;
    last().says({ type: "refused", id: act?.id, code: "too_much", message: "", why: "too_fast" });
    last().says({ type: "refused", id: say?.id, code: "too_much", message: "", why: "said_too_often" });
    await expect(remark).rejects.toBeInstanceOf(CommandRefused);
    vi.advanceTimersByTime(500);
    expect(last().sent[3]).toEqual(act);
    expect(last().sent).toHaveLength(4);
  });

  it("sends a command again when the host was busy, after the time that it says", async () => {
    const { connection, busy } = connected();
    last().up();
    const done = connection.send({ type: "begin" });
    const [, begin] = last().sent;
    last().says({ type: "refused", id: begin?.id, code: "busy", message: "", why: "busy", values: { retry_after: 2 } });
    expect(busy).toEqual([true]);
    vi.advanceTimersByTime(900);
    expect(last().sent).toHaveLength(2);
    vi.advanceTimersByTime(2100);
    expect(last().sent[2]).toEqual(begin);
    last().says({ type: "done", id: begin?.id, number: 1 });
    await expect(done).resolves.toMatchObject({ type: "done" });
    expect(busy).toEqual([true, false]);
  });

  it("comes back to a busy host when that says so, not sooner", () => {
    const { states, busy } = connected();
    vi.spyOn(Math, "random").mockReturnValueOnce(0); // as soon as may be: half of what it says
    last().readyState = 1;
    last().onopen?.();
    last().says({ type: "refused", id: null, code: "busy", message: "", why: "busy", values: { retry_after: 10 } });
    last().down(4503, "busy");
    expect([states, busy]).toEqual([["lost"], [true]]);
    vi.advanceTimersByTime(4900);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(FakeSocket.all).toHaveLength(2);
    last().up();
    expect([states, busy]).toEqual([
      ["lost", "open"],
      [true, false],
    ]);
  });

  it("says how many messages the host knows no more", () => {
    const { forgotten } = connected();
    last().up();
    for (let number = 1; number <= 12; number++) last().says(told(number));
    last().down(1012, "");
    vi.advanceTimersByTime(1000);
    last().up(4);
    expect(forgotten).toEqual([0, 8]);
  });

  it("gives up for good when the host does not want it, and says why", async () => {
    const { connection, states } = connected("forged");
    const waiting = connection.send({ type: "begin" });
    last().readyState = 1;
    last().onopen?.();
    last().says({ type: "refused", id: null, code: "not_allowed", message: "this token does not open a seat here" });
    last().down(4403, "no");
    expect(states).toEqual(["closed"]);
    await expect(waiting).rejects.toMatchObject({ refusal: { code: "not_allowed" } });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("asks after a silence whether the host is there, and comes back if nobody answers", () => {
    const { states } = connected();
    last().up();
    vi.advanceTimersByTime(15_500);
    expect(last().sent.at(-1)).toEqual({ type: "ping" });
    last().says({ type: "pong" });
    vi.advanceTimersByTime(15_500);
    vi.advanceTimersByTime(8_500);
    expect(states).toEqual(["open", "lost"]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("tries less and less often, but never stops", () => {
    connected();
    for (let i = 0; i < 12; i++) {
      last().down();
      vi.advanceTimersByTime(5_000);
    }
    expect(FakeSocket.all.length).toBe(13);
  });
});
