import { expect, it } from "vitest";
import type { LogLine } from "../lib/table.svelte";
import { lastRoll } from "./lastroll";

const line = (event: string, more: object = {}): LogLine => ({ kind: "event", number: 1, time: 0, event: { event, ...more } });
const paid = (kind: string): LogLine => line("produced", { gains: { red: { [kind]: 1 } } });
const said: LogLine = { kind: "chat", number: 1, time: 0, by: "red", text: "hm" };

it("knows the number that was rolled last and what it paid", () => {
  const log = [line("rolled", { total: 5 }), paid("ore"), line("rolled", { total: 8 }), paid("wool"), said, line("built")];
  expect(lastRoll(log)).toEqual({ total: 8, gains: { red: { wool: 1 } } });
});

it("shows nothing of the roll before", () => {
  expect(lastRoll([line("rolled", { total: 5 }), paid("ore"), line("rolled", { total: 7 })])).toEqual({ total: 7, gains: {} });
});

it("shows what the first settlements pay before anybody rolls", () => {
  expect(lastRoll([paid("ore"), paid("brick")])).toEqual({ total: null, gains: { red: { brick: 1 } } });
  expect(lastRoll([])).toEqual({ total: null, gains: {} });
});
