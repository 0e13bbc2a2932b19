import { expect, it } from "vitest";
import { dropTableAccess, readShareSecret, tableAuthorization, setTableAccess } from "./tableAccess";

it("carries the key of a table to that table alone, the token of a seat first", () => {
  setTableAccess("abc", "token", "secret");
  expect(tableAuthorization("/api/tables/abc")).toBe("Bearer token");
  expect(tableAuthorization("/api/tables/abc/board.svg?theme=dark")).toBe("Bearer token");
  expect(tableAuthorization("/api/rules/entries/robber?edition=fifth&table=abc")).toBe("Bearer token");
  for (const path of [
    "/api/rules?edition=fifth",
    "/api/rules?table=other",
    "/api/tables",
    "/api/tables/other",
    "/api/me",
    "/api/tables/abcd/record",
  ])
    expect(tableAuthorization(path)).toBeNull();
  dropTableAccess("/api/tables/abc/record", "Bearer token");
  expect(tableAuthorization("/api/tables/abc")).toBe("Share secret");
  dropTableAccess("/api/tables/abc/record", "Share secret");
  expect(tableAuthorization("/api/tables/abc")).toBeNull();
  setTableAccess("abc", null);
  expect(tableAuthorization("/api/tables/abc")).toBeNull();
});

it("finds the secret of a shown game behind the #", () => {
  expect(readShareSecret("#share=s3cret_-")).toBe("s3cret_-");
  expect(readShareSecret("#seat=token")).toBeNull();
  expect(readShareSecret("")).toBeNull();
});
