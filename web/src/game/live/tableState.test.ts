import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { samplePrompt, sampleView } from "../../testing/samples";
import type { Color, Hello, Projection, TableLine } from "../../generated/protocol";
import { lineText } from "../speech/logText";
import { speechOf } from "../../testing/english";
import { TableState } from "./tableState.svelte";

const speech = speechOf({ editionName: "sixth" });

/** The host's end of the line. */
class FakeSocket {
  static last: FakeSocket;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor() {
    FakeSocket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(): void {
    this.readyState = 3;
  }

  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The actions that were asked for. */
  get acts(): unknown[] {
    return this.sent.filter(({ type }) => type === "act").map(({ action }) => action);
  }
}

const LINE = { id: "x", status: "playing", paused: false, seats: [] } as unknown as TableLine;
const NOTHING = { seats: [], watching: 0 };

function projection(request: number, asked = true, active: Color = "red"): Projection {
  const legal = asked ? ["roll", "end"] : [];
  return { seat: "red", view: sampleView({ active }), request, asked, prompt: samplePrompt(), legal, refusals: {} };
}

let table: TableState;
let host: FakeSocket;

function greet(number: number, shown: Projection | null, more: Partial<Hello> = {}): void {
  host.onopen?.();
  const board = { hexes: [], harbors: [] };
  const time = Date.now() / 1000;
  const hello = { type: "hello", protocol: 1, seat: "red", table: LINE, board, projection: shown, number, time };
  host.says({ ...hello, present: NOTHING, ...more });
}

const told = (number: number, ...events: string[]): void =>
  host.says({ type: "told", number, time: Date.now() / 1000, events: events.map((event) => ({ event })) });
const now = (number: number, shown: Projection): void => host.says({ type: "now", projection: shown, number });

/** The host answers the last command. */
function answer(message: object): void {
  host.says({ id: host.sent.at(-1)?.id, ...message });
}

/** A question that others' actions have led to, and the time in which nothing is believed is over. */
async function comeQuestion(request: number, number: number): Promise<void> {
  told(number, "turn_began");
  now(number, projection(request));
  await vi.advanceTimersByTimeAsync(400);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (call: () => void) => setTimeout(call, 16));
  vi.stubGlobal("cancelAnimationFrame", clearTimeout);
  vi.stubGlobal("WebSocket", FakeSocket);
  table = new TableState("x", "token", "http://host");
  table.start();
  host = FakeSocket.last;
});

afterEach(() => {
  table.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("what is pressed", () => {
  it("is sent once, however often it is pressed before the host has answered and the page shows it", async () => {
    greet(0, projection(1));
    const first = table.actIfReady("roll");
    expect(table.acting).toBe("roll");
    expect([await table.actIfReady("roll"), table.ready("end")]).toEqual([false, false]);
    told(1, "rolled");
    answer({ type: "done", number: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(await table.actIfReady("roll")).toBe(false); // the page still shows the question that was answered
    now(1, projection(2));
    await vi.advanceTimersByTimeAsync(20);
    expect([await first, table.acting, host.acts, table.lastRefusal]).toEqual([true, null, ["roll"], null]);
    expect(table.ready("buy")).toBe(true);
  });

  it("can be pressed again where it was refused, and says why", async () => {
    greet(0, projection(1));
    const first = table.actIfReady("roll");
    await vi.advanceTimersByTimeAsync(0);
    answer({ type: "refused", code: "not_possible", message: "no", why: "cannot_pay" });
    expect([await first, table.lastRefusal?.why, table.ready("roll")]).toEqual([false, "cannot_pay", true]);
    void table.actIfReady("roll");
    await vi.advanceTimersByTimeAsync(0);
    expect([host.acts.length, table.lastRefusal]).toEqual([2, null]);
  });

  it("does not wait for ever for a table that looks as it did before", async () => {
    greet(0, projection(1));
    const first = table.actIfReady("roll");
    await vi.advanceTimersByTimeAsync(0);
    answer({ type: "done", number: 3 });
    await vi.advanceTimersByTimeAsync(400);
    expect([await first, table.acting]).toEqual([true, null]);
  });

  it("is sent again over a new line, and stays on its way until then", async () => {
    greet(0, projection(1));
    const first = table.actIfReady("roll");
    await vi.advanceTimersByTimeAsync(0);
    const id = host.sent.at(-1)?.id;
    host.onclose?.({ code: 1006, reason: "" });
    await vi.advanceTimersByTimeAsync(300);
    expect([table.connectionState, table.acting]).toEqual(["lost", "roll"]);
    host = FakeSocket.last;
    greet(1, projection(2));
    expect(host.sent.at(-1)).toMatchObject({ type: "act", id, request: 1 });
    answer({ type: "done", number: 1 });
    expect([await first, table.acting]).toEqual([true, null]);
  });
});

describe("what is taken back", () => {
  it("stays in the log, with who took it back, and those who show what happens hear of it", async () => {
    greet(0, projection(1));
    const heard: string[] = [];
    table.watch((events) => heard.push(...events.map(({ event }) => event)));
    told(1, "rolled");
    host.says({ type: "changed", number: 2, time: 0, what: "took_back", table: LINE, by: "blue" });
    host.says({ type: "changed", number: 3, time: 0, what: "took_back", table: LINE });
    await vi.advanceTimersByTimeAsync(20);
    expect(heard).toEqual(["rolled", "took_back", "took_back"]);
    const [roll, named, nobody] = table.log;
    expect(roll).toMatchObject({ kind: "event", event: { event: "rolled" } });
    expect(named && lineText(named, speech)).toMatch(/^blue takes back/i);
    expect(nobody && lineText(nobody, speech)).toMatch(/was taken back/);
  });
});

describe("the guard", () => {
  it("takes no press in the moment in which others' actions have led to a question", async () => {
    greet(0, projection(1, false, "blue"));
    told(1, "turn_began");
    now(1, projection(2));
    await vi.advanceTimersByTimeAsync(20);
    expect([table.asked, table.ready("roll"), await table.actIfReady("roll"), host.acts]).toEqual([
      true,
      false,
      false,
      [],
    ]);
    await vi.advanceTimersByTimeAsync(350);
    expect(table.ready("roll")).toBe(true);
  });

  it("takes what is written out even then, after what is on its way", async () => {
    greet(0, projection(1, false, "blue"));
    told(1, "turn_began");
    now(1, projection(2));
    await vi.advanceTimersByTimeAsync(20);
    const [roll, end] = [table.actUnguarded("roll"), table.actUnguarded("end")];
    await vi.advanceTimersByTimeAsync(0);
    expect(host.acts).toEqual(["roll"]);
    told(2, "rolled");
    now(2, projection(3));
    answer({ type: "done", number: 2 });
    await vi.advanceTimersByTimeAsync(0);
    expect(host.sent.at(-1)).toMatchObject({ action: "end", request: 3 });
    answer({ type: "refused", code: "not_possible", message: "no" });
    expect([await roll, await end, table.acting]).toEqual([true, false, null]);
  });

  it("holds only the end of the turn back after an own action", async () => {
    greet(0, projection(1));
    told(1, "rolled");
    now(1, projection(2));
    await vi.advanceTimersByTimeAsync(20);
    expect([table.ready("buy"), table.ready("end")]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(350);
    expect(table.ready("end")).toBe(true);
  });

  it("lets a page that has just been loaded act at once", () => {
    greet(0, projection(5));
    expect(table.ready("end")).toBe(false); // where a double press on something else may have led
    expect(table.ready("roll")).toBe(true);
  });
});

describe("what the host says", () => {
  it("is taken together once a frame; those who watch get the game before it", async () => {
    greet(0, projection(1, false));
    const seen: [string[], number | undefined][] = [];
    const stop = table.watch((events, before) => seen.push([events.map(({ event }) => event), before?.request]));
    told(1, "rolled");
    now(1, projection(2, false));
    told(2, "produced", "built");
    now(2, projection(3, false));
    expect([table.log.length, table.projection?.request]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(20);
    expect(seen).toEqual([[["rolled", "produced", "built"], 1]]);
    expect([table.log.length, table.projection?.request]).toEqual([3, 3]);
    stop();
    told(3, "built");
    await vi.advanceTimersByTimeAsync(20);
    expect([seen.length, table.log.length]).toEqual([1, 4]);
  });

  it("is taken in a page without frames, too", async () => {
    vi.stubGlobal("requestAnimationFrame", () => 0);
    greet(0, projection(1, false));
    told(1, "rolled");
    await vi.advanceTimersByTimeAsync(150);
    expect(table.log.length).toBe(1);
  });

  it("is settled when all that happened before is there; nobody watches that, and no old remark is unread", async () => {
    const watched = vi.fn();
    table.watch(watched);
    greet(2, projection(4));
    expect(table.caughtUp).toBe(false);
    told(1, "rolled");
    await vi.advanceTimersByTimeAsync(20);
    expect(table.caughtUp).toBe(false);
    const chat = { type: "chatted", time: 0, by: "blue", text: "hi" };
    host.says({ ...chat, number: 2 });
    await vi.advanceTimersByTimeAsync(20);
    expect([table.caughtUp, table.unread, watched.mock.calls.length]).toEqual([true, 0, 0]);
    host.says({ ...chat, number: 3 });
    host.says({ ...chat, number: 4, by: "red" });
    await vi.advanceTimersByTimeAsync(20);
    expect(table.unread).toBe(1); // one's own words are known
  });

  it("is settled at once at a table where nothing has happened", () => {
    greet(0, null);
    expect(table.caughtUp).toBe(true);
  });

  it("tells by how much its clock goes before the one here, from the first word on", async () => {
    greet(0, projection(1), { time: Date.now() / 1000 + 120 });
    expect(table.ahead).toBeCloseTo(120, 3);
  });

  it("takes the word that came fastest for the host's clock", async () => {
    greet(0, projection(1), { time: Date.now() / 1000 + 119 });
    for (const late of [0, 3])
      host.says({ type: "told", number: late + 1, time: Date.now() / 1000 + 120 - late, events: [] });
    await vi.advanceTimersByTimeAsync(20);
    expect(table.ahead).toBeCloseTo(120, 0);
  });

  it("shows what has happened even if one who watches fails", async () => {
    const reported = vi.fn();
    vi.stubGlobal("reportError", reported);
    greet(0, projection(1));
    const heard = vi.fn();
    table.watch(() => {
      throw new Error("a gesture");
    });
    table.watch(heard);
    host.says({ type: "told", number: 1, time: 0, events: [{ event: "turn_began", player: "blue", turn: 2 }] });
    host.says({ type: "now", number: 1, projection: projection(2, false, "blue") });
    await vi.advanceTimersByTimeAsync(20);
    expect([table.log.length, table.projection?.request, heard.mock.calls.length]).toEqual([1, 2, 1]);
    expect(reported).toHaveBeenCalledOnce();
  });

  it("says what a change was made to", async () => {
    greet(0, projection(1));
    const change = { type: "changed", time: 0, what: "paused" };
    host.says({ ...change, number: 1, table: LINE });
    host.says({ ...change, number: 2, table: { ...LINE, paused: true } });
    await vi.advanceTimersByTimeAsync(20);
    expect(table.log.map((line) => line.kind === "change" && line.before?.paused)).toEqual([undefined, false]);
    expect([table.paused, table.actions, table.can("roll"), table.asked]).toEqual([true, [], false, false]);
  });

  it("ends what was refused when a new question comes", async () => {
    greet(0, projection(1));
    void table.actIfReady("roll");
    await vi.advanceTimersByTimeAsync(0);
    answer({ type: "refused", code: "not_possible", message: "no" });
    await vi.advanceTimersByTimeAsync(0);
    expect(table.lastRefusal?.message).toBe("no");
    await comeQuestion(2, 1);
    expect(table.lastRefusal).toBeNull();
  });
});
