// The digests that dice are proved with (docs/formats/dice-proof.md). By a library, as `crypto.subtle` is missing over
// plain http, where many play.

import type { Color } from "../generated/protocol";
import { colorEntries, type ByColor } from "../net/colors";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const FORMAT = "hexholm-dice-1";
const DIGESTS = 1n << 256n;

const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** What the host publishes of its key before the game. */
export const commitmentOf = (tableId: string, key: string): string => sha256Hex(`${FORMAT} key ${tableId} ${key}`);

/** What is published of a seat's word before all words are opened. */
export const promiseOf = (tableId: string, color: Color, word: string): string =>
  sha256Hex(`${FORMAT} word ${tableId} ${color} ${word}`);

/** The key of the draws, from the host's key and the words that were opened, by color. */
export function drawKeyOf(tableId: string, key: string, words: Readonly<ByColor<string>>): Uint8Array {
  const lines = colorEntries(words)
    .map(([color, word]) => `${color} ${word}`)
    .sort();
  return hmac(sha256, hexToBytes(key), utf8ToBytes([`${FORMAT} draws ${tableId}`, ...lines].join("\n")));
}

/** A number below the chances: the remainder of the first digest that favors none. */
export function drawNumber(drawKey: Uint8Array, stream: string, count: number, chances: number): number {
  const n = BigInt(chances);
  const unfairFrom = DIGESTS - (DIGESTS % n);
  for (let attempt = 0; ; attempt += 1) {
    const digest = hmac(sha256, drawKey, utf8ToBytes(`${stream} ${count} ${attempt}`));
    const number = BigInt(`0x${bytesToHex(digest)}`);
    if (number < unfairFrom) return Number(number % n);
  }
}
