import { expect, it, vi } from "vitest";
import { linker, once } from "./rulebook";

const WORDS = { robber: "robber", "longest road": "longest-road", road: "roads", räuber: "robber", "7": "rolling-a-7" };

it("links the longest word, and every entry once", () => {
  expect(linker(WORDS)("Ann takes the Longest Road with a road and another road.")).toEqual([
    { text: "Ann takes the " },
    { text: "Longest Road", to: "longest-road" },
    { text: " with a " },
    { text: "road", to: "roads" },
    { text: " and another road." },
  ]);
});

it("links whole words alone, umlauts being letters", () => {
  const link = linker(WORDS);
  expect(link("Roadster, C7, 3:7")).toEqual([{ text: "Roadster, C7, 3:7" }]);
  expect(link("Der Räuber steht.")[1]).toEqual({ text: "Räuber", to: "robber" });
  expect(link("Räuberei")).toEqual([{ text: "Räuberei" }]);
});

it("leaves a text whole where there are no words", () => {
  expect(linker({})("The robber")).toEqual([{ text: "The robber" }]);
});

it("asks once for what comes, and again for what did not", async () => {
  const get = vi.fn().mockRejectedValueOnce(new Error("lost")).mockResolvedValue(7);
  await expect(once("a", get)).rejects.toThrow("lost");
  expect(await once("a", get)).toBe(7);
  expect(await once("a", get)).toBe(7);
  expect(get).toHaveBeenCalledTimes(2);
});
