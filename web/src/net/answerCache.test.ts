import { expect, it, vi } from "vitest";
import { AnswerCache } from "./answerCache";

it("asks once for what comes, and again for what did not", async () => {
  const answers = new AnswerCache<number>();
  const get = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error("lost")).mockResolvedValue(7);
  await expect(answers.once("a", get)).rejects.toThrow("lost");
  expect(await answers.once("a", get)).toBe(7);
  expect(await answers.once("a", get)).toBe(7);
  expect(get).toHaveBeenCalledTimes(2);
});
