import { describe, expect, it } from "vitest";
import type { GameEvent, LogLine } from "./table.svelte";
import { overtaken, story, toldOnce } from "./log";

describe("a card that is bought", () => {
  const bought = { event: "bought", player: "red" };
  const end = { event: "trading_ended", player: "red" };

  it("is told once: as the card to whoever knows it, else as the purchase", () => {
    const drew = (card: string | null) => ({ event: "drew", player: "red", card });
    expect(toldOnce([bought, end, drew("knight")])).toEqual([drew("knight"), end]);
    expect(toldOnce([bought, end, drew(null)])).toEqual([bought, end]);
    expect(toldOnce([drew("knight")])).toEqual([drew("knight")]); // people drew it, after the purchase was told
    expect(toldOnce([drew(null)])).toEqual([]);
  });
});

describe("a discard", () => {
  const chose = (player: string, wool: number) => ({ event: "chose_discard", player, cards: { wool } });
  const open = (player: string, wool: number) => ({ event: "discarded", player, cards: { wool } });
  const line = (event: GameEvent): LogLine => ({ kind: "event", number: 1, time: 0, event });

  it("is told as it is chosen until it lies open, then as that alone", () => {
    const [first, second] = [line(chose("red", 1)), line(chose("red", 2))];
    expect(story([first, second])).toEqual([first, second]);
    const shown = [line(open("red", 3)), line(open("blue", 4))];
    expect(story([first, second, ...shown])).toEqual(shown);
  });

  it("of an earlier seven does not hide the choice for this one, nor that of somebody else", () => {
    const events = [open("red", 4), chose("red", 1), chose("blue", 2), open("blue", 2)];
    expect([...overtaken(events)]).toEqual([chose("blue", 2)]);
  });
});
