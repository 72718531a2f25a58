import { TestClock } from "@terrarium/clock";
import { expect, it } from "vitest";
import type { Database } from "../../database/schema.ts";
import { Callers } from "./callers.ts";

it("looks at a caller anew after the database could not be reached", async () => {
  const answers = [Promise.reject(new Error("no database")), Promise.resolve([])];
  const callers = new Callers({
    // Nobody is found, so no use of a token is written.
    db: undefined as unknown as Database,
    clock: new TestClock(),
    // Like `Reads` without a connection, the first one does not get as far as its values.
    reads: { query: () => answers.shift() ?? Promise.reject(new Error("asked too often")) },
  });
  await expect(callers.byApiToken("00").actor).rejects.toThrow("no database");
  expect(await callers.byApiToken("00").actor).toBeUndefined();
});
