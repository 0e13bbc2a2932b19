import { expect, it } from "vitest";
import { dropTableKey, readShareSecret, tableKey, setTableKeys } from "./tableKeys";

it("carries the key of a table to that table alone, the token of a seat first", () => {
  setTableKeys("abc", "token", "secret");
  expect(tableKey("/api/tables/abc")).toBe("Bearer token");
  expect(tableKey("/api/tables/abc/board.svg?theme=dark")).toBe("Bearer token");
  expect(tableKey("/api/rules/entries/robber?edition=fifth&table=abc")).toBe("Bearer token");
  for (const path of [
    "/api/rules?edition=fifth",
    "/api/rules?table=other",
    "/api/tables",
    "/api/tables/other",
    "/api/me",
    "/api/tables/abcd/record",
  ])
    expect(tableKey(path)).toBeNull();
  dropTableKey("/api/tables/abc/record", "Bearer token");
  expect(tableKey("/api/tables/abc")).toBe("Share secret");
  dropTableKey("/api/tables/abc/record", "Share secret");
  expect(tableKey("/api/tables/abc")).toBeNull();
  setTableKeys("abc", null);
  expect(tableKey("/api/tables/abc")).toBeNull();
});

it("finds the secret of a shown game behind the #", () => {
  expect(readShareSecret("#share=s3cret_-")).toBe("s3cret_-");
  expect(readShareSecret("#seat=token")).toBeNull();
  expect(readShareSecret("")).toBeNull();
});
