import { expect, it, vi } from "vitest";
import { drawNumber } from "./digests";

vi.mock("@noble/hashes/hmac.js", () => ({
  hmac: (_hash: unknown, _key: Uint8Array, message: Uint8Array): Uint8Array => {
    const [, , attempt] = new TextDecoder().decode(message).split(" ");
    return attempt === "0" ? new Uint8Array(32).fill(255) : new Uint8Array(32).fill(5, 31);
  },
}));

it("does not use the highest digests, which fill no whole round of the chances: the next attempt is taken", () => {
  expect(drawNumber(new Uint8Array(32), "theft", 1, 7)).toBe(5);
  expect(drawNumber(new Uint8Array(32), "theft", 1, 8)).toBe(7); // 8 divides 2 ** 256: every digest is as good
});
