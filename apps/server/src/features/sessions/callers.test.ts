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

it("expects whom a credential was for at its last check, of the last 10,000 that were checked", async () => {
  const clock = new TestClock();
  const now = new Date(clock.now());
  const row = { is_token: true, scope: "read", last_access: now, generation: 0, rotated_at: null, user_uuid: "robin" };
  const callers = new Callers({
    // A use that is not a minute later is not written.
    db: undefined as unknown as Database,
    clock,
    reads: {
      query: async <Row>(_: string, values: unknown[] | (() => unknown[])) => {
        await new Promise((resolve) => void setImmediate(resolve));
        const [, hashes] = (typeof values === "function" ? values() : values) as [unknown, Buffer[]];
        return hashes.map((hash) => ({ ...row, key: hash.toString("hex"), credential: hash.toString("hex") })) as Row[];
      },
    },
  });
  const hashes = Array.from({ length: 10_001 }, (_, number) => number.toString(16).padStart(8, "0"));
  const actors = await Promise.all(hashes.map((hash) => callers.byApiToken(hash).actor));
  const [oldest, second, newest] = [0, 1, -1].map((at) => callers.byApiToken(hashes.at(at) ?? ""));
  expect([oldest?.expected, second?.expected, newest?.expected]).toEqual([undefined, actors[1], actors.at(-1)]);
  expect(await newest?.actor).toBe(actors.at(-1));
});
