import { contract, type Route } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { AppError, createClient, untilState } from "./index.ts";
import { wait } from "./persist.ts";

const uuid = "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a";
const start = { params: { uuid }, body: { instance_name: "one" } };

/** A client of a service that answers so, one after the other; the last answer stays. */
function clientOfService(...answers: (() => Response)[]) {
  const waits: number[] = [];
  const keys: (string | null)[] = [];
  const client = createClient({
    fetch: async (_url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
    sleep: async (ms) => void waits.push(ms),
  });
  return { client, waits, keys };
}

const away = (): Response => {
  throw new TypeError("fetch failed");
};
const status =
  (code: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json({}, { status: code, headers });
const fine = status(200);

describe("a call that can do nothing twice", () => {
  it.each([
    ["the network", away],
    ["a proxy", status(502)],
    ["a service that stops", status(503)],
    ["a limit", status(429)],
  ])("is repeated over a moment's trouble with %s", async (_, trouble) => {
    const { client, waits } = clientOfService(trouble, trouble, fine);
    await client.settings.get();
    expect(waits).toEqual([expect.closeTo(300, -2.6), expect.closeTo(900, -3)]);
  });

  it("is made three times and no more", async () => {
    const { client, keys } = clientOfService(away);
    await expect(client.settings.get()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(keys).toHaveLength(3);
  });

  it("waits as long as the service says, unless that is long", async () => {
    const { client, waits } = clientOfService(status(429, { "retry-after": "7" }), fine);
    await client.settings.get();
    expect(waits).toEqual([7_000]);
    const long = clientOfService(status(429, { "retry-after": "60" }));
    await expect(long.client.settings.get()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(long.keys).toHaveLength(1);
  });

  it("waits until a date that the service says", async () => {
    const date = "Tue, 01 Dec 2026 10:00:00 GMT";
    const { client, waits } = clientOfService(
      status(503, { date, "retry-after": "Tue, 01 Dec 2026 10:00:09 GMT" }),
      status(503, { date, "retry-after": "soon" }),
      fine,
    );
    await client.settings.get();
    expect(waits).toEqual([9_000, expect.closeTo(900, -3)]);
  });

  it("is repeated even if the body of the answer that it leaves is cut off", async () => {
    const body = () => new ReadableStream({ cancel: () => Promise.reject(new Error("cut off")) });
    const { client, keys } = clientOfService(() => new Response(body(), { status: 503 }), fine);
    await client.settings.get();
    expect(keys).toHaveLength(2);
  });

  it.each([400, 404, 500])("is not repeated upon %i", async (code) => {
    const { client, keys } = clientOfService(status(code));
    await expect(client.settings.get()).rejects.toThrow(AppError);
    expect(keys).toHaveLength(1);
  });
});

it("gives a call that takes one the same idempotency key each time, and that of the caller if there is one", async () => {
  const { client, keys } = clientOfService(away, status(503), fine);
  await client.recipes.start(start);
  expect(keys).toEqual(Array.from({ length: 3 }, () => keys[0]));
  expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  const own = clientOfService(away, fine);
  await own.client.recipes.start(start, { idempotencyKey: "mine" });
  expect(own.keys).toEqual(["mine", "mine"]);
});

it("makes a call once that could do something twice, whatever its method", async () => {
  const repeated = async (noun: string, verb: string) => {
    const { client, keys } = clientOfService(away);
    const call = (client as unknown as Record<string, Record<string, () => Promise<unknown>>>)[noun]![verb]!;
    await expect(call()).rejects.toThrow(AppError);
    return keys.length > 1;
  };
  const wrong: string[] = [];
  const doing: string[] = [];
  for (const [noun, verbs] of Object.entries(contract))
    for (const [verb, { method, audit, idempotent = false }] of Object.entries<Route>(verbs)) {
      const onlyReads = method === "GET" && !audit;
      if (method === "GET" && audit) doing.push(`${noun}.${verb}`);
      if ((await repeated(noun, verb)) !== (onlyReads || idempotent)) wrong.push(`${noun}.${verb}`);
    }
  expect(wrong).toEqual([]);
  expect(doing).toEqual(
    expect.arrayContaining(["accounts.activate", "audit.export", "profile.export", "sso.callback"]),
  );
});

it("ends a wait when the caller has enough", async () => {
  const enough = new AbortController();
  const waiting = wait(1e9, enough.signal);
  enough.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(wait(1e9, enough.signal)).rejects.toThrow("enough");
});

it("waits for a state, and not for one that will not come", async () => {
  const states = ["STARTING", "BOOTING", "ONLINE", "BOOTING", "ERROR"];
  const { client, waits } = clientOfService(() => Response.json({ state: states.shift(), reason: "machine_gone" }));
  const sleep = async (ms: number) => void waits.push(ms);
  expect(await untilState(client, uuid, "ONLINE", { sleep })).toMatchObject({ state: "ONLINE" });
  expect(waits).toEqual([1_000, 1_000]);
  await expect(untilState(client, uuid, "ONLINE", { sleep })).rejects.toMatchObject({
    code: "INSTANCE_ENDED",
    details: { reason: "machine_gone" },
  });
});

it("looks again at a device while the service is away, and asks once at a time", async () => {
  const { client, waits, keys } = clientOfService(away, status(500), status(429, { "retry-after": "60" }), () =>
    Response.json({ state: "ONLINE" }),
  );
  const sleep = async (ms: number) => void waits.push(ms);
  const seen: unknown[] = [];
  const onLook = (instance: unknown) => void seen.push(instance);
  expect(await untilState(client, uuid, "ONLINE", { sleep, onLook })).toMatchObject({ state: "ONLINE" });
  expect([keys.length, waits, seen]).toEqual([4, [1_000, 1_000, 1_000], [undefined, undefined, undefined]]);
});

it("knows a device that is not there any more as DELETED, and waits for no other state of it", async () => {
  const gone = () => Response.json({ code: "INSTANCE_ENDED", message: "Gone." }, { status: 404 });
  const { client } = clientOfService(gone);
  expect(await untilState(client, uuid, "DELETED")).toBeUndefined();
  await expect(untilState(client, uuid, "ONLINE")).rejects.toMatchObject({ code: "INSTANCE_ENDED" });
  const failed = clientOfService(() => Response.json({ state: "ERROR" }));
  await expect(untilState(failed.client, uuid, "DELETED")).rejects.toMatchObject({ code: "INSTANCE_ENDED" });
});
