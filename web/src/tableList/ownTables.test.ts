import { expect, it } from "vitest";
import type { MyTableInfo } from "../net/received";
import { ownTables } from "./ownTables";

const table = (id: string, status: string, since: number | null = null): MyTableInfo =>
  ({ table: { id, status }, asked_since: since }) as unknown as MyTableInfo;

it("has the table that has waited longest first, and what is over apart", () => {
  const tables = [table("a", "open"), table("b", "over"), table("c", "playing", 20), table("d", "playing", 10)];
  const { going, past } = ownTables(tables);
  expect(going.map((mine) => mine.table.id)).toEqual(["d", "c", "a"]);
  expect(past.map((mine) => mine.table.id)).toEqual(["b"]);
});
