import { TestClock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createLog } from "../log.ts";
import { createHttpServer } from "./http-server.ts";
import { implement } from "./implement.ts";
import type { Admission } from "./read-early.ts";

interface Person {
  name: string;
}

const table = {
  greet: { method: "GET", path: "/greeting", summary: "", access: "user", reply: z.object({ text: z.string() }) },
  rename: {
    method: "POST",
    path: "/greeting",
    summary: "",
    access: "user",
    audit: { none: "a test" },
    reply: z.object({ text: z.string() }),
  },
} as const;

/** A server whose guard's result is controlled by the test. */
async function greeter() {
  const app = await createHttpServer({ clock: new TestClock(), log: createLog("silent", "test"), trustedProxies: [] });
  const begun: string[] = [];
  const admission: { next: Admission<Person> } = { next: { expected: undefined, actor: Promise.reject(new Error()) } };
  admission.next.actor.catch(() => undefined);
  const greet = async ({ actor }: { actor: Person }) => {
    begun.push(actor.name);
    if (actor.name === "nobody") throw new AppError("FORBIDDEN");
    return { text: `Hello ${actor.name}` };
  };
  implement<typeof table, Person>(
    app,
    table,
    { guard: { admit: () => admission.next }, publicUrl: undefined, checkReplies: true },
    { greet, rename: greet },
  );
  const call = async (method: "GET" | "POST") => {
    const answer = (await app.inject({ method, url: "/cloud/greeting" })).json<{ text?: string; code?: string }>();
    return answer.text ?? answer.code;
  };
  return { begun, admission, call };
}

describe("a read for an expected actor", () => {
  const robin = { name: "Robin" };

  it("begins before the caller is admitted, and is sent only after", async () => {
    const { begun, admission, call } = await greeter();
    const { promise, resolve } = Promise.withResolvers<Person>();
    admission.next = { expected: robin, actor: promise };
    let answered = false;
    const answer = call("GET").finally(() => (answered = true));
    while (begun.length === 0) await new Promise(setImmediate);
    for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
    expect(answered).toBe(false);
    resolve(robin);
    expect([await answer, begun]).toEqual(["Hello Robin", ["Robin"]]);
  });

  it("is discarded and repeated if the actor has changed", async () => {
    const { begun, admission, call } = await greeter();
    admission.next = { expected: robin, actor: Promise.resolve({ name: "Kim" }) };
    expect([await call("GET"), begun]).toEqual(["Hello Kim", ["Robin", "Kim"]]);
    admission.next = { expected: { name: "nobody" }, actor: Promise.resolve(robin) };
    expect(await call("GET")).toBe("Hello Robin");
    admission.next = { expected: robin, actor: Promise.resolve({ name: "nobody" }) };
    expect(await call("GET")).toBe("FORBIDDEN");
  });

  it("is refused if the caller is not admitted, whatever its result", async () => {
    const { admission, call } = await greeter();
    for (const expected of [robin, { name: "nobody" }]) {
      admission.next = { expected, actor: Promise.reject(new AppError("NOT_AUTHENTICATED")) };
      expect(await call("GET")).toBe("NOT_AUTHENTICATED");
    }
  });

  it("does not happen for other methods, which wait for the admission", async () => {
    const { begun, admission, call } = await greeter();
    admission.next = { expected: robin, actor: Promise.resolve({ name: "Kim" }) };
    expect([await call("POST"), begun]).toEqual(["Hello Kim", ["Kim"]]);
  });

  it("is never shared with another actor", async () => {
    const { admission, call } = await greeter();
    const { promise, resolve } = Promise.withResolvers<Person>();
    admission.next = { expected: robin, actor: promise };
    const first = call("GET");
    const second = call("GET");
    await new Promise(setImmediate);
    admission.next = { expected: { name: "Kim" }, actor: Promise.resolve({ name: "Moss" }) };
    const third = call("GET");
    await new Promise(setImmediate);
    resolve(robin);
    expect(await Promise.all([first, second, third])).toEqual(["Hello Robin", "Hello Robin", "Hello Moss"]);
  });
});
