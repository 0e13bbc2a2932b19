import { describe, expect, it } from "vitest";
import {
  cardsText,
  counterText,
  discardText,
  missingCards,
  offerText,
  parseAction,
  addCards,
  parseCards,
  supplyText,
  countCards,
} from "./action";

describe("an action text", () => {
  it.each([
    ["roll", { kind: "roll" }],
    ["road B3/sw", { kind: "road", place: "B3/sw" }],
    ["settlement B2se", { kind: "settlement", place: "B2se" }],
    ["robber C3", { kind: "robber", place: "C3" }],
    ["steal blue", { kind: "steal", color: "blue" }],
    ["discard 2 wool 1 ore", { kind: "discard", give: { wool: 2, ore: 1 } }],
    ["supply 4 ore : 1 wool", { kind: "supply", give: { ore: 4 }, take: { wool: 1 } }],
    ["year-of-plenty wool ore", { kind: "year-of-plenty", resources: ["wool", "ore"] }],
    ["monopoly ore", { kind: "monopoly", resources: ["ore"] }],
    ["accept #2", { kind: "accept", offer: 2 }],
    ["confirm #1 blue", { kind: "confirm", offer: 1, color: "blue" }],
    ["counter #2 1 brick : 1 ore", { kind: "counter", offer: 2, give: { brick: 1 }, take: { ore: 1 } }],
  ])("%s is taken apart", (text, parts) => {
    expect(parseAction(text)).toEqual({ text, ...parts });
  });

  it("is put together in the order the format wants", () => {
    expect(cardsText({ ore: 1, brick: 2 })).toBe("2 brick 1 ore");
    expect(cardsText({ ore: 0 })).toBe("nothing");
    expect(offerText({ ore: 1 }, { wool: 2 }, ["blue", "white"])).toBe("offer 1 ore : 2 wool to blue white");
    expect(counterText(3, { ore: 1 }, { wool: 1 })).toBe("counter #3 1 ore : 1 wool");
    expect(discardText({ wool: 4 })).toBe("discard 4 wool");
    expect(supplyText({ ore: 4 }, { wool: 1 })).toBe("supply 4 ore : 1 wool");
  });
});

describe("cards", () => {
  it("are read from text and counted", () => {
    expect(parseCards("2 wool 1 ore")).toEqual({ wool: 2, ore: 1 });
    expect(parseCards("nothing")).toEqual({});
    expect(countCards({ wool: 2, ore: 1 })).toBe(3);
  });

  it("are changed without touching the ones before", () => {
    const before = { ore: 1 };
    expect(addCards(before, "ore")).toEqual({ ore: 2 });
    expect(addCards(before, "ore", -1)).toEqual({});
    expect(addCards(before, "ore", -5)).toEqual({});
    expect(before).toEqual({ ore: 1 });
  });

  it("that are missing for a price are named", () => {
    expect(missingCards({ ore: 3, grain: 2 }, { ore: 1, grain: 2, wool: 4 })).toEqual({ ore: 2 });
  });
});
