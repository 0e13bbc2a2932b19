import { afterEach, describe, expect, it } from "vitest";
import { i18n, formatList, formatMoment, formatNumber, t, findTextIn } from "./i18n.svelte";
import { LANGUAGES } from "../generated/names";

afterEach(async () => {
  await i18n.choose("en");
});

describe("the language of the page", () => {
  it("is one that we speak, from the start", () => {
    expect(LANGUAGES).toContain(i18n.language);
  });

  it("can be changed at once, with everything that is said", async () => {
    expect(t("turn.roll")).toBe("Roll the dice");
    await i18n.choose("de");
    expect(i18n.language).toBe("de");
    expect(t("turn.roll")).toBe("Würfeln");
    expect(i18n.words.say({ event: "turn_ended", player: "red" }, "fifth", "red")).toBe("Du beendest deinen Zug.");
  });

  it("is the last one chosen, however long the others take to load", async () => {
    const german = i18n.choose("de");
    await i18n.choose("en");
    await german;
    expect(i18n.language).toBe("en");
  });

  it("stays as it is when one is chosen that we do not speak", async () => {
    await i18n.choose("xx");
    expect(i18n.language).toBe("en");
  });

  it("uses the words of an edition", async () => {
    const said = (edition: string): string | null => findTextIn(edition, "trade.supply_title");
    expect(["fifth", "summary"].map(said)).toEqual(["With the supply", "With the bank"]);
    await i18n.choose("de");
    expect(["fifth", "summary"].map(said)).toEqual(["Mit dem Vorrat", "Mit der Bank"]);
  });

  it("writes numbers, lists and moments its own way", async () => {
    expect([formatNumber(1234.5), formatList(["a", "b", "c"]), formatList(["a", "b"], "disjunction")]).toEqual([
      "1,234.5",
      "a, b and c",
      "a or b",
    ]);
    expect(formatMoment(1_790_000_000)).toMatch(/Sept? 2026/);
    await i18n.choose("de");
    expect([formatNumber(1234.5), formatList(["a", "b", "c"]), formatList(["a", "b"], "disjunction")]).toEqual([
      "1.234,5",
      "a, b und c",
      "a oder b",
    ]);
  });
});
