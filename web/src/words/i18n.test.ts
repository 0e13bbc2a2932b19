import { beforeEach, describe, expect, it } from "vitest";
import { newI18n } from "../testing/english";
import english from "./data/en.toml";
import words from "@catalogues/en.toml";
import { I18n } from "./i18n.svelte";

let i18n: I18n;

beforeEach(() => {
  i18n = newI18n();
});

describe("the language of the page", () => {
  const text = (key: string, edition = "fifth"): string | null => i18n.findText(edition, key);

  it("can be changed at once, with everything that is said", async () => {
    expect(i18n.language).toBe("en");
    expect(text("turn.roll")).toBe("Roll the dice");
    await i18n.speak("de");
    expect(i18n.language).toBe("de");
    expect(text("turn.roll")).toBe("Würfeln");
    expect(i18n.words.say({ event: "turn_ended", player: "red" }, "fifth", "red")).toBe("Du beendest deinen Zug.");
  });

  it("is the last one chosen, however long the others take to load", async () => {
    const german = i18n.speak("de");
    await i18n.speak("en");
    await german;
    expect(i18n.language).toBe("en");
  });

  it("uses the words of an edition", async () => {
    const said = (edition: string): string | null => text("trade.supply_title", edition);
    expect(["fifth", "summary"].map(said)).toEqual(["With the supply", "With the bank"]);
    await i18n.speak("de");
    expect(["fifth", "summary"].map(said)).toEqual(["Mit dem Vorrat", "Mit der Bank"]);
  });

  it("says what is loaded later once its texts are there, in every language", async () => {
    i18n = new I18n({ code: "en", texts: english, words });
    expect(text("chart.sum")).toBe("");
    expect(text("tutorial.title")).toBe("First game");
    await i18n.loadLater();
    expect([text("chart.sum"), text("tutorial.next"), text("chart.nothing")]).toEqual(["Sum", "Next", null]);
    await i18n.speak("de");
    expect(text("chart.sum")).toBe("");
    await Promise.all([i18n.loadLater(), i18n.loadLater()]);
    expect(text("chart.sum")).toBe("Summe");
    await i18n.speak("en");
    expect(text("chart.sum")).toBe("Sum");
    expect(text("new.title")).toBe("");
    await i18n.loadLater("setup");
    expect([text("new.title"), text("chart.sum"), text("new.nothing")]).toEqual(["New table", "Sum", null]);
  });

  it("writes numbers, lists and moments its own way", async () => {
    const { formatList, formatMoment, formatNumber } = i18n;
    expect([formatNumber(1234.5), formatList(["a", "b", "c"]), formatList(["a", "b"], "disjunction")]).toEqual([
      "1,234.5",
      "a, b, and c",
      "a or b",
    ]);
    expect(formatMoment(1_790_000_000)).toMatch(/^Sep \d+, 2026/);
    await i18n.speak("de");
    expect([formatNumber(1234.5), formatList(["a", "b", "c"]), formatList(["a", "b"], "disjunction")]).toEqual([
      "1.234,5",
      "a, b und c",
      "a oder b",
    ]);
  });
});
