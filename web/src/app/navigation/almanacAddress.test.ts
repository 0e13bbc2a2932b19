import { expect, it } from "vitest";
import { almanacPath, isRule, readAddress } from "./almanacAddress";

it.each([
  ["/rules", { entry: "", editionName: "zip", other: "", block: null }],
  ["/rules/longest-road?edition=sixth", { entry: "longest-road", editionName: "sixth", other: "", block: null }],
  ["/rules/robber?edition=fifth&block=3", { entry: "robber", editionName: "fifth", other: "", block: 3 }],
  ["/rules/compare?edition=fifth&with=sixth", { entry: "compare", editionName: "fifth", other: "sixth", block: null }],
  ["/rules/LROAD-08?block=x", { entry: "LROAD-08", editionName: "zip", other: "", block: null }],
])("reads %s", (path, place) => {
  expect(readAddress(path, "zip")).toEqual(place);
});

it("writes what it reads", () => {
  for (const path of [
    "/rules?edition=zip",
    "/rules/robber?edition=fifth&block=3",
    "/rules/compare?edition=fifth&with=sixth",
  ]) {
    expect(almanacPath(readAddress(path, "sixth"))).toBe(path);
  }
});

it("knows the id of a rule from the name of an entry", () => {
  expect(isRule("LROAD-08")).toBe(true);
  expect(isRule("longest-road")).toBe(false);
});
