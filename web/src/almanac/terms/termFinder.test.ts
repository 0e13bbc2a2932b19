import { expect, it } from "vitest";
import { type LineSubject, termFinder } from "./termFinder";

const WORDS = {
  robber: "robber",
  "longest road": "longest-road",
  road: "roads",
  räuber: "robber",
  trades: "trade",
  "log:rolls": "resource-production",
  "log:ore": "resource-cards",
  "log:wool": "resource-cards",
  "rolled:rolls 7": "rolling-a-7",
  "start_rolled:rolls": "set-up-phase",
  "supply_traded:trades": "maritime-trade",
  "supply_traded:4:1": "maritime-trade",
};

/** Where a line leads, by its words. */
function leads(text: string, about?: LineSubject): Record<string, string> {
  return Object.fromEntries(
    termFinder(WORDS)(text, about).flatMap((piece) => (piece.to ? [[piece.text, piece.to]] : [])),
  );
}

it("links the longest word, and every word once", () => {
  expect(termFinder(WORDS)("Ann takes the Longest Road with a road and another road.")).toEqual([
    { text: "Ann takes the " },
    { text: "Longest Road", to: "longest-road" },
    { text: " with a " },
    { text: "road", to: "roads" },
    { text: " and another road." },
  ]);
});

it("links every word of the game, those of the same entry too", () => {
  expect(leads("Ann gets 1 ore and 1 wool.")).toEqual({ ore: "resource-cards", wool: "resource-cards" });
});

it("leads by what the line tells of", () => {
  expect(leads("Ann rolls 7 (3 and 4).", { event: "rolled" })).toEqual({ "rolls 7": "rolling-a-7" });
  expect(leads("Ann rolls 8 (4 and 4).", { event: "rolled" })).toEqual({ rolls: "resource-production" });
  expect(leads("Ann rolls 7 (3 and 4).", { event: "start_rolled" })).toEqual({ rolls: "set-up-phase" });
  expect(leads("Ann rolls 7 (3 and 4).")).toEqual({ rolls: "resource-production" });
  expect(leads("Turn 7 begins: Ann.", { event: "turn_began" })).toEqual({});
  const traded = "Ann trades 4 ore with the bank (4:1).";
  expect(leads(traded, { event: "supply_traded" })).toMatchObject({
    trades: "maritime-trade",
    "4:1": "maritime-trade",
  });
  expect(leads(traded)).toEqual({ trades: "trade", ore: "resource-cards" });
});

it("leaves names alone, and finds the word of the game beside them", () => {
  const names = ["Robber", "Ore (red)", "7 of 9"];
  expect(leads("Robber moves the robber.", { names })).toEqual({ robber: "robber" });
  expect(leads("Ore (red) rolls 8: 7 of 9 has wool.", { event: "rolled", names })).toEqual({
    rolls: "resource-production",
    wool: "resource-cards",
  });
  expect(termFinder(WORDS)("Robber moves.", { names })).toEqual([{ text: "Robber moves." }]);
});

it("links whole words alone, umlauts being letters", () => {
  const link = termFinder(WORDS);
  expect(link("Roadster, C7, 3:7")).toEqual([{ text: "Roadster, C7, 3:7" }]);
  expect(link("Der Räuber steht.")[1]).toEqual({ text: "Räuber", to: "robber" });
  expect(link("Räuberei")).toEqual([{ text: "Räuberei" }]);
});

it("leaves a text whole where there are no words", () => {
  expect(termFinder({})("The robber")).toEqual([{ text: "The robber" }]);
});
