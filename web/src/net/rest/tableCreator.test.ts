import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../request";
import { TableCreator } from "./tableCreator";

/** Answers of a host, one after the other; null: the answer is lost. What was sent is kept. */
function host(...answers: (object | null)[]): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  vi.stubGlobal("fetch", (_path: string, how: { body: string }) => {
    sent.push(JSON.parse(how.body) as Record<string, unknown>);
    const answer = answers.shift();
    return answer ? Promise.resolve(new Response(JSON.stringify(answer))) : Promise.reject(new TypeError("lost"));
  });
  return sent;
}

describe("setting up a table", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("names the same table by the same key until it is answered", async () => {
    const sent = host(null, {}, {});
    const creator = new TableCreator();
    await expect(creator.create({ name: "Ann" })).rejects.toThrow(ApiError);
    await creator.create({ name: "Ann" });
    await creator.create({ name: "Ann" });
    const keys = sent.map((one) => one.key);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]); // that one was answered: this is another table
  });

  it("gives two presses one key and two tables two", async () => {
    const sent = host({}, {}, {});
    const creator = new TableCreator();
    await Promise.all([
      creator.create({ name: "Ann" }),
      creator.create({ name: "Ann" }),
      creator.create({ name: "Bob" }),
    ]);
    expect(sent[1]?.key).toBe(sent[0]?.key);
    expect(sent[2]?.key).not.toBe(sent[0]?.key);
  });
});
