import { describe, expect, it } from "vitest";
import { sampleEvent } from "../testing/samples";
import type { OfferView, View } from "../generated/protocol";
import { parseAction } from "../game/actions/action";
import { bargain, knightBroughtRobber, thingsMet, type Situation, type ThingMet } from "./situation";
import { furtherReading, stepFor, TUTORIAL_STEPS } from "./steps";

const COSTS: Situation["costs"] = {
  road: { brick: 1, lumber: 1 },
  settlement: { brick: 1, lumber: 1, wool: 1, grain: 1 },
  city: { grain: 2, ore: 3 },
  card: { wool: 1, grain: 1, ore: 1 },
};

interface Given extends Partial<Omit<Situation, "view" | "actions" | "met">> {
  view?: Partial<View>;
  legal?: string[];
  met?: readonly ThingMet[];
}

/** The learner's turn after the roll, unless told otherwise. */
function situation({ view, legal = ["end"], met = ["rolled"], ...more }: Given = {}): Situation {
  const usual = {
    active: "red",
    turn: 1,
    dice: [2, 4],
    hand: {},
    offers: [],
    players: [],
    over: false,
  } as unknown as View;
  const table = {
    ownColor: "red" as const,
    ask: "main" as const,
    trades: true,
    costs: COSTS,
    knight: false,
    mode: null,
    trading: false,
    give: {},
    want: {},
  };
  return { ...table, ...more, view: { ...usual, ...view }, actions: legal.map(parseAction), met: new Set(met) };
}

const READ = ["welcome", "produced", "bought", "bought_point"];
const step = (given: Given, ...skipped: string[]) => stepFor(situation(given), new Set(skipped));
const name = (given: Given, ...skipped: string[]) => step(given, ...skipped)?.name;
const point = (given: Given) => step(given, ...READ)?.point?.(situation(given));

describe("the hint for a moment", () => {
  it("greets, then asks for the dice, then tells what they did", () => {
    const before: Given = { legal: ["roll"], met: [] };
    expect(name(before)).toBe("welcome");
    expect(name(before, "welcome")).toBe("roll");
    expect(name({ legal: ["end", "road B2/e"] })).toBe("produced");
    expect(name({ legal: ["end", "road B2/e"] }, "produced")).toBe("road");
  });

  it("offers what is new as soon as it is legal, and not twice", () => {
    const built: ThingMet[] = ["rolled", "road", "turn_ended"];
    expect(name({ legal: ["end", "road B2/e"], met: built })).toBe("save");
    expect(name({ legal: ["end", "settlement B2se"], met: built })).toBe("settlement");
    expect(name({ legal: ["end", "buy"], met: built })).toBe("buy");
    expect(name({ legal: ["end", "buy"], met: [...built, "drew"] })).toBe("save");
    expect(name({ legal: ["end", "year-of-plenty ore ore"], met: [...built, "drew"] })).toBe("play");
    expect(name({ legal: ["end", "city A1se", "buy"], met: built })).toBe("city");
  });

  it("says nothing of trade in the first rounds", () => {
    const rich = {
      legal: ["end", "supply 4 brick : 1 ore"],
      met: ["rolled", "road", "turn_ended"] satisfies ThingMet[],
      view: { hand: { brick: 4 } },
    };
    expect(name({ ...rich, view: { ...rich.view, turn: 5 } })).toBe("save");
    expect(name({ ...rich, view: { ...rich.view, turn: 9 } })).toBe("supply");
    expect(name({ ...rich, view: { ...rich.view, turn: 9 } }, "supply")).toBe("offer");
  });

  it("puts first what must be done", () => {
    for (const ask of ["discard", "robber", "free_road"] as const)
      expect(name({ ask, legal: ["end", "city A1se"] })).toBe(ask);
    expect(name({ legal: ["steal blue", "steal white"] })).toBe("steal");
    expect(name({ view: { active: "blue" }, legal: ["accept #1", "reject #1"] })).toBe("answer");
  });

  it("speaks of a seven only if one brought the robber, and not after a knight", () => {
    expect(name({ ask: "robber", legal: ["robber C5"] })).toBe("robber");
    expect(name({ ask: "robber", legal: ["robber C5"], knight: true })).toBe("knight_robber");
    const seven = sampleEvent("rolled", { player: "red", total: 7 });
    const knight = sampleEvent("played_card", { player: "red", card: "knight" });
    expect(knightBroughtRobber([seven])).toBe(false);
    expect(knightBroughtRobber([knight])).toBe(true);
    expect(knightBroughtRobber([seven, sampleEvent("robber_moved", { player: "red" }), knight])).toBe(true);
    expect(knightBroughtRobber([knight, sampleEvent("robber_moved", { player: "red" }), seven])).toBe(false);
  });

  it("says of a victory point that it counts, of another card that it can be played later", () => {
    const met: ThingMet[] = ["rolled", "road", "turn_ended"];
    const drawn = (...cards: string[]): Given => ({
      met,
      view: { new: Object.fromEntries(cards.map((one) => [one, 1])) },
    });
    expect(name(drawn("victory-point"))).toBe("bought_point");
    expect(name(drawn("monopoly"))).toBe("bought");
    expect(name(drawn("victory-point", "monopoly"), "bought")).toBe("bought_point");
    const named = (given: Given) => step(given)?.card?.(situation(given));
    expect(named(drawn("victory-point"))).toBe("victory-point");
    const older = { ...drawn("monopoly"), legal: ["end", "knight"] };
    expect(named(older)).toBe("monopoly"); // what was drawn, not the knight that can be played now
    expect(named({ met, legal: ["end", "knight"] })).toBe("knight");
  });

  it("tells of the others while they play", () => {
    expect(name({ view: { active: "blue" }, legal: [], ask: "" })).toBe("others");
  });

  it("waits for answers to one's own offer, and shows who agrees", () => {
    const offers: OfferView[] = [{ number: 1, by: "red", give: {}, take: {}, to: ["blue"], yes: [], no: [] }];
    const built: Given = { view: { offers, turn: 13 }, met: ["rolled", "road", "turn_ended"] };
    expect(name({ ...built, legal: ["end", "withdraw #1"] })).toBe("waiting");
    expect(point({ ...built, legal: ["end", "confirm #1 white"] })).toEqual({ names: ["confirm-1-white"] });
  });

  it("ends with the first city, once", () => {
    expect(name({ met: ["rolled", "city"] })).toBe("finish");
    expect(name({ met: ["rolled", "city"], view: { active: "blue" }, legal: [] })).toBe("finish");
  });

  it("is another one when it is skipped, and none when all are", () => {
    expect(name({ legal: ["end", "road B2/e"] }, "produced", "road")).toBe("end");
    expect(step({ legal: ["end"] }, ...TUTORIAL_STEPS.map((one) => one.name))).toBeNull();
  });
});

describe("what a hint points at", () => {
  it("is the button of a piece, then a good place if that is legal", () => {
    expect(point({ legal: ["end", "road B2/e"] })).toEqual({ names: ["build-road", "open-build"] });
    expect(point({ legal: ["end", "road A1/e", "road B2/e"], mode: "road" })).toEqual({ place: "B2/e" });
    expect(point({ legal: ["end", "road A1/e"], mode: "road" })).toEqual({});
  });

  it("is there to look at where there is something to read: a settlement, the hand, a card, the city", () => {
    const players = [{ color: "red", settlements: ["C2se", "A1se"], cities: ["B2se"] }] as unknown as View["players"];
    const look = (given: Given) => step(given)?.point?.(situation(given));
    expect(look({ legal: ["roll"], met: [], view: { players } })).toEqual({ piece: "C2se" });
    expect(look({})).toEqual({ names: ["hand"] });
    expect(look({ ask: "discard" })).toEqual({ names: ["hand"] });
    const bought: Given = { met: ["rolled", "road", "turn_ended"], view: { new: { knight: 0, monopoly: 1 } } };
    expect(look(bought)).toEqual({ names: ["card-monopoly", "open-cards"] });
    expect(look({ met: ["rolled", "city"], view: { players } })).toEqual({ piece: "B2se" });
    expect(TUTORIAL_STEPS.filter((one) => one.read && !one.point)).toEqual([]);
  });

  it("is one's own offer while the others think about it", () => {
    const offers: OfferView[] = [{ number: 4, by: "red", give: {}, take: {}, to: ["blue"], yes: [], no: [] }];
    expect(point({ view: { offers, turn: 13 }, met: ["rolled", "road", "turn_ended"] })).toEqual({
      names: ["offer-4"],
    });
  });

  it("leads through an offer card by card", () => {
    const turn: Given = {
      view: { turn: 13, hand: { lumber: 2, grain: 2, ore: 1 } },
      met: ["rolled", "road", "turn_ended"] satisfies ThingMet[],
    };
    expect(bargain(situation(turn))).toEqual({ give: "lumber", want: "ore" });
    expect(point(turn)).toEqual({ names: ["trade"] });
    expect(point({ ...turn, trading: true })).toEqual({ names: ["give-lumber"] });
    expect(point({ ...turn, trading: true, give: { lumber: 1 } })).toEqual({ names: ["want-ore"] });
    expect(point({ ...turn, trading: true, give: { lumber: 1 }, want: { ore: 1 } })).toEqual({ names: ["send-offer"] });
  });

  it("is the trade with the supply that brings a city nearest", () => {
    const legal = ["end", "supply 4 brick : 1 wool", "supply 4 brick : 1 grain", "supply 4 brick : 1 ore"];
    const turn: Given = { legal, view: { turn: 9, hand: { brick: 4 } }, met: ["rolled", "road", "turn_ended"] };
    expect(point(turn)).toEqual({ names: ["supply-brick-ore", "trade"] });
    const seen = situation(turn);
    expect(step(turn)?.cards?.(seen)).toEqual({ give: { brick: 4 }, take: { ore: 1 } });
  });

  it("never gives away for a city what the city itself needs", () => {
    const met: ThingMet[] = ["rolled", "road", "turn_ended"];
    const ore = { legal: ["end", "supply 4 ore : 1 grain"], view: { turn: 9, hand: { ore: 4, grain: 1 } }, met };
    expect(name(ore)).not.toBe("supply");
    const both = {
      ...ore,
      legal: [...ore.legal, "supply 4 wool : 1 grain"],
      view: { turn: 9, hand: { ore: 4, grain: 1, wool: 4 } },
    };
    expect(point(both)).toEqual({ names: ["supply-wool-grain", "trade"] });
    const spare = { ...ore, view: { turn: 9, hand: { ore: 7, grain: 1 } } };
    expect(point(spare)).toEqual({ names: ["supply-ore-grain", "trade"] });
  });

  it("is the card, then what it can bring for a city", () => {
    const turn: Given = { legal: ["end", "year-of-plenty ore ore"], met: ["rolled", "road", "drew", "turn_ended"] };
    expect(point(turn)).toEqual({ names: ["card-year-of-plenty", "open-cards"] });
    expect(point({ ...turn, mode: "year-of-plenty" })).toEqual({ names: ["name-ore"] });
  });
});

describe("what was met", () => {
  const events = [
    sampleEvent("rolled", { player: "red", total: 6 }),
    sampleEvent("built", { player: "red", piece: "settlement", price: {} }),
    sampleEvent("built", { player: "red", piece: "road", price: { brick: 1, lumber: 1 } }),
    sampleEvent("built", { player: "blue", piece: "city" }),
    sampleEvent("supply_traded", { player: "red" }),
  ];

  it("is what the learner did, not what others did", () => {
    expect([...thingsMet(events, "red")]).toEqual(["rolled", "road", "supply_traded"]);
  });

  it("need not be read in the end; what was not met stands first", () => {
    const left = furtherReading(thingsMet(events, "red"));
    expect(left.slice(0, 2)).toEqual(["settlements", "domestic-trade"]);
    expect(left).not.toContain("maritime-trade");
    expect(left.at(-1)).toBe("tactics");
  });
});
