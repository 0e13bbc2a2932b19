import { beforeEach, expect, it } from "vitest";
import { parseAction } from "./action";
import type { TableState } from "../tableState.svelte";
import type { OfferView, View } from "../../generated/protocol";
import { Play } from "./play.svelte";

let legal: string[];
let acted: string[];
let view: Partial<View>;
let refusals: Record<string, unknown>;
let ready: boolean;
let play: Play;

beforeEach(() => {
  [legal, acted, refusals, ready] = [[], [], {}, true];
  view = { active: "red", partners: ["blue", "white"], hand: { lumber: 2 }, offers: [], players: [] };
  const table = {
    seat: "red",
    asked: true,
    paused: false,
    get view() {
      return view;
    },
    get projection() {
      return { prompt: { ask: "turn" }, refusals };
    },
    get actions() {
      return legal.map(parseAction);
    },
    actionsOf: (kind: string) => legal.map(parseAction).filter((action) => action.kind === kind),
    can: (text: string) => legal.includes(text),
    ready: () => ready,
    act: async (text: string) => ready && acted.push(text) > 0,
  };
  play = new Play(table as unknown as TableState);
});

const offer = (more: Partial<OfferView> = {}): OfferView => ({
  number: 1,
  by: "blue",
  give: { ore: 1 },
  take: { lumber: 1 },
  to: ["red"],
  yes: [],
  no: [],
  ...more,
});

it("puts down what can no longer be built", () => {
  legal = ["road A1/e"];
  play.choose("road");
  play.settle();
  expect(play.mode).toBe("road");
  legal = [];
  play.settle();
  expect(play.mode).toBeNull();
});

it("puts the answer to an offer away when that offer ends, and makes no offer to all of it", () => {
  view.offers = [offer()];
  play.openTrade(1, { lumber: 1 }, { ore: 1 });
  play.settle();
  expect([play.trading, play.answers]).toEqual([true, 1]);
  view.offers = [];
  play.settle();
  expect([play.trading, play.answers, play.give]).toEqual([false, null, {}]);
});

it("knows an offer from another one that took its number", () => {
  view.offers = [offer()];
  play.openTrade(1, { lumber: 1 }, { ore: 1 });
  view.offers = [offer({ give: { ore: 2 } })];
  play.settle();
  expect(play.trading).toBe(false);
});

it("keeps an offer that is being written within the hand, and puts it away when nobody trades any more", () => {
  play.openTrade(null, { lumber: 2 }, { ore: 1 });
  view.hand = { lumber: 1 };
  play.settle();
  expect([play.give, play.want, play.to]).toEqual([{ lumber: 1 }, { ore: 1 }, ["blue", "white"]]);
  refusals = { offer: { rule: "", message: "", why: "", values: {} } };
  play.settle();
  expect(play.trading).toBe(false);
});

it("names as many resources as something legal has", async () => {
  legal = ["year-of-plenty brick lumber", "year-of-plenty lumber lumber"];
  play.choose("plenty");
  expect([play.nameable("brick"), play.nameable("ore"), play.namedAction("ore")]).toEqual([
    true,
    false,
    "year-of-plenty ore ore",
  ]);
  expect(await play.name("lumber")).toBe(false);
  expect([play.nameable("brick"), play.nameable("lumber"), acted]).toEqual([true, true, []]);
  expect(await play.name("brick")).toBe(true);
  expect([acted, play.mode]).toEqual([["year-of-plenty brick lumber"], null]);
});

it("keeps what was named while another action is on its way", async () => {
  legal = ["year-of-plenty brick lumber"];
  play.choose("plenty");
  await play.name("lumber");
  ready = false;
  expect(await play.name("brick")).toBe(false);
  expect([acted, play.mode, play.plenty]).toEqual([[], "plenty", ["lumber"]]);
  ready = true;
  expect(await play.name("brick")).toBe(true);
  expect([acted, play.mode]).toEqual([["year-of-plenty brick lumber"], null]);
});

it("names one resource, where no more are to be had", async () => {
  legal = ["year-of-plenty ore"];
  play.choose("plenty");
  expect(play.nameable("brick")).toBe(false);
  expect(await play.name("ore")).toBe(true);
  expect(acted).toEqual(["year-of-plenty ore"]);
});

it("names the resource of a monopoly at once", async () => {
  legal = ["monopoly ore"];
  play.choose("monopoly");
  expect([play.nameable("ore"), play.nameable("wool")]).toEqual([true, false]);
  expect(await play.name("ore")).toBe(true);
  expect(acted).toEqual(["monopoly ore"]);
});
