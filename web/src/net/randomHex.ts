/** Random bytes in hexadecimal. getRandomValues is there over plain http too, randomUUID is not. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
