import { expect, it } from "vitest";
import type { ReceivedHello } from "./received";
import { refusalIn, readEditions, readMessage } from "./received";

const hello = (table: object): ReceivedHello => {
  const message = readMessage(JSON.stringify({ type: "hello", table }));
  if (message.type !== "hello") throw new Error(message.type);
  return message;
};

it("puts back what the host leaves out of a table and its seats", () => {
  const { table, muted, warming } = hello({ id: "x", seats: [{ color: "red", kind: "bot" }] });
  expect(table).toMatchObject({ id: "x", chance: "host", pace: "normal", absence: 120, watchable: true, scores: null });
  expect(table.seats).toMatchObject([{ color: "red", kind: "bot", name: "", away: false, kick_wishes: [] }]);
  expect([muted, warming]).toEqual([[], false]);
});

it("leaves what the host says as it is", () => {
  const { table } = hello({ pace: "fast", absence: "wait", seats: [{ color: "red", kind: "person", name: "Ann" }] });
  expect(table).toMatchObject({ pace: "fast", absence: "wait", seats: [{ name: "Ann" }] });
  expect(readMessage('{"type": "done", "id": "1", "number": 2}')).toEqual({ type: "done", id: "1", number: 2 });
});

it("puts back what goes with those who roll", () => {
  const { chances } = readEditions({ editions: [], bots: [], chances: [{ name: "people", bots: false }] });
  expect(chances).toEqual([{ name: "people", bots: false, clock: true, without: [] }]);
});

it("knows an error of the host from what a proxy says", () => {
  expect(refusalIn({ error: { code: "busy", message: "later" } })).toEqual({ code: "busy", message: "later" });
  for (const data of [null, "no", 7, [], {}, { error: "down" }, { error: { code: 502 } }])
    expect(refusalIn(data)).toBeNull();
});
