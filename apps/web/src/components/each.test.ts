import { expect, it } from "vitest";
import { each, SomeFailed } from "./each.ts";

it("acts on all, and says afterwards which failed", async () => {
  const done: string[] = [];
  const refused = new Error("refused");
  const end = each(["a", "b", "c"], async (item) => {
    if (item === "a") throw refused;
    await Promise.resolve();
    done.push(item);
  });
  await expect(end).rejects.toMatchObject({ failed: [{ item: "a", error: refused }] });
  await expect(end).rejects.toBeInstanceOf(SomeFailed);
  expect(done).toEqual(["b", "c"]);
});
