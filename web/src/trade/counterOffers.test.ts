import { expect, it } from "vitest";
import { sampleEvent } from "../testing/samples";
import type { Color, GameEvent } from "../generated/protocol";
import type { LogLine } from "../game/live/logLines";
import { negotiations } from "./counterOffers";

const line = (event: GameEvent, number: number): LogLine => ({ kind: "event", number, time: 0, event });
const log = (...events: GameEvent[]): LogLine[] => events.map(line);
const made = (number: number, player: Color, answers: number | null = null): GameEvent =>
  sampleEvent("offer_made", { number, player, answers });
const closed = (number: number): GameEvent => ({ event: "offer_closed", number, why: "declined" });
const said = (number: number, player: Color, accepts: boolean): GameEvent => ({
  event: "offer_answered",
  number,
  player,
  accepts,
});

it("knows who has answered an offer with another, and which", () => {
  const found = negotiations(log(made(1, "red"), made(2, "blue", 1), made(3, "white", 1)));
  expect(found.get(1)).toEqual({ answers: null, counters: ["blue", "white"] });
  expect(found.get(2)).toEqual({ answers: 1, counters: [] });
});

it("takes a later answer for the one that counts", () => {
  expect(negotiations(log(made(1, "red"), made(2, "blue", 1), said(1, "blue", true))).get(1)?.counters).toEqual([]);
  expect(negotiations(log(made(1, "red"), made(2, "blue", 1), said(1, "white", false))).get(1)?.counters).toEqual([
    "blue",
  ]);
});

it("forgets what has ended: numbers are used again", () => {
  const found = negotiations(log(made(1, "red"), made(2, "blue", 1), closed(1), made(1, "red")));
  expect(found.get(1)).toEqual({ answers: null, counters: [] });
  expect(found.get(2)?.answers).toBeNull();
  expect(negotiations(log(made(1, "red"), sampleEvent("traded", { number: 1 }))).size).toBe(0);
});

it("looks at this turn alone", () => {
  expect(negotiations(log(made(1, "red"), { event: "turn_began", player: "blue", number: 2 })).size).toBe(0);
});
