import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TableEvent } from "../game/live/events";
import { sampleEvent } from "../testing/samples";
import type { Color, GameEvent, OfferView, View } from "../generated/protocol";
import type { TableState, Watcher } from "../game/live/tableState.svelte";
import { speechOf } from "../testing/english";
import { EndedOffers } from "./endedOffers.svelte";

let ended: EndedOffers;
let tell: Watcher;
let stopped: boolean;
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  ended = new EndedOffers(speechOf({ editionName: "sixth" }));
  stopped = false;
  const watch = (watcher: Watcher): (() => void) => {
    tell = watcher;
    return () => (stopped = true);
  };
  stop = ended.watch({ watch } as TableState);
});

afterEach(() => vi.useRealTimers());

const offer = (number: number, by: Color = "red"): OfferView => ({
  number,
  by,
  give: { ore: 1 },
  take: { wool: 1 },
  to: ["blue"],
  yes: [],
  no: [],
});

/** What happens while these offers are on the table. */
function happens(events: TableEvent[], offers: OfferView[] = []): void {
  tell(events, { view: { offers } as unknown as View } as never);
}

const withdrawn = (number: number): GameEvent => sampleEvent("offer_withdrawn", { player: "red", number });
const shown = (): number[] => ended.cards.map((card) => card.offer.number);

it("keeps an offer that has ended for a while, with what became of it in words", () => {
  happens([withdrawn(1)], [offer(1)]);
  expect(shown()).toEqual([1]);
  expect(ended.cards[0]?.text).toMatch(/withdraw/i);
  vi.advanceTimersByTime(5900);
  expect(shown()).toEqual([1]);
  vi.advanceTimersByTime(200);
  expect(shown()).toEqual([]);
});

it("knows one that was made and ended at once, which was never on the table", () => {
  const made = sampleEvent("offer_made", {
    player: "blue",
    number: 3,
    give: { ore: 2 },
    want: { brick: 1 },
    to: ["red"],
  });
  happens([made, sampleEvent("offer_closed", { number: 3 })]);
  expect(ended.cards[0]?.offer).toMatchObject({ number: 3, by: "blue", give: { ore: 2 }, take: { brick: 1 } });
});

it("shows the latest two, and none that it has not seen", () => {
  happens([withdrawn(1), withdrawn(2), withdrawn(3), withdrawn(9)], [offer(1), offer(2), offer(3)]);
  expect(shown()).toEqual([2, 3]);
});

it("knows a number that is used again by the newer offer", () => {
  happens([withdrawn(1)], [offer(1, "red")]);
  happens([withdrawn(1)], [offer(1, "white")]);
  expect(ended.cards.map((card) => card.offer.by)).toEqual(["red", "white"]);
});

it("leaves offers alone that go on", () => {
  happens([sampleEvent("offer_answered", { player: "blue", number: 1, accepts: false })], [offer(1)]);
  expect(shown()).toEqual([]);
});

it("stops when the page goes", () => {
  happens([withdrawn(1)], [offer(1)]);
  stop();
  expect([stopped, vi.getTimerCount()]).toEqual([true, 0]);
});

it("says why an offer has ended without its number, which another may have by now", () => {
  for (const why of ["declined", "turn", "trading", "game"] as const) {
    happens([sampleEvent("offer_closed", { number: 1, why })], [offer(1)]);
    expect(ended.cards.at(-1)?.text).toMatch(/^[A-Z][^\d_]*\.$/);
  }
});

it("forgets what was taken back: the offer is open again", () => {
  happens([withdrawn(1)], [offer(1)]);
  happens([{ event: "took_back" }]);
  expect(shown()).toEqual([]);
});
