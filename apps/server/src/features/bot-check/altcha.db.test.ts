import { TestClock } from "@terrarium/clock";
import type { Puzzle } from "@terrarium/contract";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { altcha } from "./altcha.ts";
import { deleteSpentPuzzles } from "./bot-check.jobs.ts";
import { solvePuzzle } from "./testing/solve-puzzle.ts";

const MINUTE_MS = 60_000;

async function aCheck(secret = randomBytes(32)) {
  const { db } = await createTestDatabase();
  const clock = new TestClock();
  const options = { db, clock, secret, cost: 2 };
  const botCheck = altcha(options);
  const outcome = (token: string, by = botCheck) =>
    by.check(token, "192.0.2.1").then(
      () => "accepted",
      ({ code }: { code: string }) => code,
    );
  return { db, clock, botCheck, outcome, other: altcha({ ...options, secret: randomBytes(32) }) };
}
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");
type Solved = { challenge: Puzzle; solution: { counter: number; derivedKey: string } };
const decode = (token: string) => JSON.parse(Buffer.from(token, "base64").toString()) as Solved;

describe("puzzles of our own", () => {
  it("are different each time, and a solution is accepted", async () => {
    const { botCheck, outcome } = await aCheck();
    const [one, other] = [await botCheck.puzzle(), await botCheck.puzzle()];
    expect(one.parameters.nonce).not.toBe(other.parameters.nonce);
    expect(one.parameters).toMatchObject({ algorithm: "SHA-256", cost: 2, keyPrefix: "000" });
    expect(await outcome(await solvePuzzle(one))).toBe("accepted");
    expect(await outcome(await solvePuzzle(other))).toBe("accepted");
  });

  it("can be used once, also by two at the same moment and in every process", async () => {
    const { botCheck, outcome } = await aCheck();
    const token = await solvePuzzle(await botCheck.puzzle());
    const outcomes = await Promise.all([outcome(token), outcome(token)]);
    expect(outcomes.toSorted()).toEqual(["BOT_CHECK_FAILED", "accepted"]);
    const { challenge, solution } = decode(token);
    // Written differently, it is the same puzzle.
    const again = { solution: { ...solution, took: 3 }, challenge: { ...challenge, more: 1 } };
    expect(await outcome(encode(again))).toBe("BOT_CHECK_FAILED");
  });

  it("expire after a quarter of an hour, and are then forgotten", async () => {
    const { botCheck, outcome, clock, db } = await aCheck();
    const [used, late] = [await botCheck.puzzle(), await botCheck.puzzle()];
    await clock.advance(15 * MINUTE_MS - 1);
    expect(await outcome(await solvePuzzle(used))).toBe("accepted");
    await deleteSpentPuzzles.run({ db, clock });
    expect(await outcome(await solvePuzzle(used))).toBe("BOT_CHECK_FAILED");
    await clock.advance(1);
    expect(await outcome(await solvePuzzle(late))).toBe("BOT_CHECK_FAILED");
    await deleteSpentPuzzles.run({ db, clock });
    expect(await db.selectFrom("spent_puzzles").selectAll().execute()).toEqual([]);
  });

  it("of another installation are not accepted", async () => {
    const { other, outcome } = await aCheck();
    expect(await outcome(await solvePuzzle(await other.puzzle()))).toBe("BOT_CHECK_FAILED");
  });

  it.each([
    ["an easier puzzle", ({ challenge }: Solved) => (challenge.parameters.keyPrefix = "0")],
    ["less work", ({ challenge }: Solved) => (challenge.parameters.cost = 1)],
    ["more time", ({ challenge }: Solved) => (challenge.parameters.data.expires += MINUTE_MS)],
    ["another number", ({ solution }: Solved) => (solution.counter += 1)],
    ["another hash", ({ solution }: Solved) => (solution.derivedKey = "00".repeat(32))],
    ["no signature", ({ challenge }: Solved) => (challenge.signature = "")],
  ])("are not accepted with %s", async (_, change) => {
    const { botCheck, outcome } = await aCheck();
    const solved = decode(await solvePuzzle(await botCheck.puzzle()));
    change(solved);
    expect(await outcome(encode(solved))).toBe("BOT_CHECK_FAILED");
  });

  it.each(["", "x", "%", "e30=", encode(null), encode([]), "bm90IGpzb24="])("do not accept %j", async (token) => {
    const { outcome } = await aCheck();
    expect(await outcome(token)).toBe("BOT_CHECK_FAILED");
  });
});
