import { expect, it } from "vitest";
import type { GameEvent } from "../../generated/protocol";
import { sampleEvent } from "../../testing/samples";
import type { LogLine } from "./logLines";
import { findLastRoll } from "./lastRoll";

const line = (event: GameEvent["event"], more: object = {}): LogLine => ({
  kind: "event",
  number: 1,
  time: 0,
  event: sampleEvent(event, more),
});
const paid = (kind: string): LogLine => line("produced", { gains: { red: { [kind]: 1 } } });
const said: LogLine = { kind: "chat", number: 1, time: 0, by: "red", text: "hm" };

it("knows the number that was rolled last and what it paid", () => {
  const log = [
    line("rolled", { total: 5 }),
    paid("ore"),
    line("rolled", { total: 8 }),
    paid("wool"),
    said,
    line("built"),
  ];
  expect(findLastRoll(log, null)).toEqual({ total: 8, gains: { red: { wool: 1 } } });
});

it("shows nothing of the roll before", () => {
  expect(findLastRoll([line("rolled", { total: 5 }), paid("ore"), line("rolled", { total: 7 })], null)).toEqual({
    total: 7,
    gains: {},
  });
});

it("shows what the first settlements pay before anybody rolls", () => {
  expect(findLastRoll([paid("ore"), paid("brick")], null)).toEqual({ total: null, gains: { red: { brick: 1 } } });
  expect(findLastRoll([], null)).toEqual({ total: null, gains: {} });
});

const back = { kind: "change", number: 1, time: 0, what: "took_back", info: {}, before: null } as LogLine;
const rolled = (player: string, a: number, b: number): LogLine =>
  line("rolled", { player, dice: [a, b], total: a + b });

it("shows no roll that was taken back", () => {
  const log = [rolled("red", 4, 1), paid("ore"), back];
  expect(findLastRoll(log, { dice: null, active: "red" })).toEqual({ total: null, gains: {} });
  const again = [...log, rolled("red", 6, 2), paid("wool")];
  expect(findLastRoll(again, { dice: [6, 2], active: "red" })).toEqual({ total: 8, gains: { red: { wool: 1 } } });
});

it("shows the roll that counts again after the next turn was taken back", () => {
  const log = [rolled("red", 4, 1), paid("ore"), rolled("blue", 6, 2), paid("wool"), back, back];
  expect(findLastRoll(log, { dice: [4, 1], active: "red" })).toEqual({ total: 5, gains: { red: { ore: 1 } } });
});
