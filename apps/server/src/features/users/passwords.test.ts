import { hash } from "@node-rs/argon2";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { hashPassword, passwordMatches } from "./passwords.ts";

const cheap = hash("correct horse 1", { memoryCost: 8, timeCost: 1, parallelism: 1 });
const check = async (lane: string, isKnown = false) =>
  passwordMatches("correct horse 1", await cheap, { lane, isKnown });

it("has at most ten wait for one address, and looks at the password of a known browser before", async () => {
  await cheap;
  let done = 0;
  const settle = (lane: string) => check(lane).then(() => void done++);
  const strangers = Array.from({ length: 10 }, (_, lane) =>
    Array.from({ length: 10 }, () => settle(`stranger ${lane}`)),
  );
  // Two more run already; a known browser has its own slot.
  const more = [settle("stranger 0"), settle("stranger 0"), settle("stranger 0")];
  const known = check("known", true);
  await expect(Promise.all(more)).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  expect(await known).toBe(true);
  expect(done).toBeLessThan(50);
  await Promise.all(strangers.flat());
});

it("is the same for one text in two Unicode forms, and different for anything else", async () => {
  const stored = await hash("pässwort 1".normalize("NFKC"), { memoryCost: 8, timeCost: 1, parallelism: 1 });
  expect(await passwordMatches("pässwort 1".normalize("NFD"), stored)).toBe(true);
  expect(await passwordMatches("passwort 1", stored)).toBe(false);
  expect(await passwordMatches("pässwort 1", null)).toBe(false);
});

it("holds nobody up while it hashes and compares", async () => {
  const stored = await hashPassword("correct horse 1");
  for (const work of [() => hashPassword("correct horse 1"), () => passwordMatches("wrong horse 1", stored)]) {
    let isDone = false;
    void work().finally(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns++) await setImmediate();
    // What is done on this thread takes one or two of them.
    expect(turns).toBeGreaterThan(10);
  }
});
