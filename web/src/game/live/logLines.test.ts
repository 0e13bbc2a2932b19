import { describe, expect, it } from "vitest";
import { sampleEvent } from "../../testing/samples";
import type { CardKind, Color, GameEvent } from "../../generated/protocol";
import { supersededDiscards, withoutSuperseded, withoutRepeats, type LogLine } from "./logLines";

describe("a card that is bought", () => {
  const bought = sampleEvent("bought", { player: "red" });
  const end = sampleEvent("trading_ended", { player: "red" });

  it("is told once: as the card to whoever knows it, else as the purchase", () => {
    const drew = (card: CardKind | null) => sampleEvent("drew", { player: "red", card });
    expect(withoutRepeats([bought, end, drew("knight")])).toEqual([drew("knight"), end]);
    expect(withoutRepeats([bought, end, drew(null)])).toEqual([bought, end]);
    expect(withoutRepeats([drew("knight")])).toEqual([drew("knight")]); // people drew it, after the purchase was told
    expect(withoutRepeats([drew(null)])).toEqual([]);
  });
});

describe("a discard", () => {
  const chose = (player: Color, wool: number) => sampleEvent("chose_discard", { player, cards: { wool } });
  const open = (player: Color, wool: number) => sampleEvent("discarded", { player, cards: { wool } });
  const line = (event: GameEvent): LogLine => ({ kind: "event", number: 1, time: 0, event });

  it("is told as it is chosen until it lies open, then as that alone", () => {
    const [first, second] = [line(chose("red", 1)), line(chose("red", 2))];
    expect(withoutSuperseded([first, second])).toEqual([first, second]);
    const shown = [line(open("red", 3)), line(open("blue", 4))];
    expect(withoutSuperseded([first, second, ...shown])).toEqual(shown);
  });

  it("of an earlier seven does not hide the choice for this one, nor that of somebody else", () => {
    const events = [open("red", 4), chose("red", 1), chose("blue", 2), open("blue", 2)];
    expect([...supersededDiscards(events)]).toEqual([chose("blue", 2)]);
  });
});
