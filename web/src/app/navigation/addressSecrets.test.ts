import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { takeFromAddress } from "./addressSecrets";

const address = { pathname: "/t/x", search: "?a=1", hash: "" };
const replaced = vi.fn();

beforeEach(() => {
  replaced.mockClear();
  vi.stubGlobal("location", address);
  vi.stubGlobal("history", { replaceState: replaced });
});

afterEach(() => vi.unstubAllGlobals());

it("takes a token or a recovery text out of the address", () => {
  address.hash = "#seat=strange";
  expect(takeFromAddress("seat")).toBe("strange");
  expect(replaced).toHaveBeenCalledWith(null, "", "/t/x?a=1");
  address.hash = "#recover=7Q2M-0000";
  expect(takeFromAddress("recover")).toBe("7Q2M-0000");
});

it("leaves an address without one alone", () => {
  for (const hash of ["", "#log", "#recover=7Q2M-0000"]) {
    address.hash = hash;
    expect(takeFromAddress("seat")).toBeNull();
  }
  expect(replaced).not.toHaveBeenCalled();
});
