import type { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { createHmac, randomUUID } from "node:crypto";
import { Webhook as Verifier } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { anOrganization } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { claimDeliveries } from "./deliveries.store.ts";
import { ATTEMPT_TIMEOUT_MS, DISABLE_AFTER_MS, RETRY_MS, type WebhookDispatcher } from "./dispatcher.ts";
import { aReceiver, type Got } from "./testing/a-receiver.ts";
import { aSender } from "./testing/a-dispatcher.ts";
import { lockEndpoint } from "./webhooks.store.ts";

const HOUR_MS = 3_600_000;
afterEach(() => void vi.useRealTimers());

/** What a receiver does that knows a secret, at the time of the test. */
const verify = (secret: string, { body, headers }: Got, now: number): unknown => {
  vi.setSystemTime(now);
  return new Verifier(secret).verify(body, headers as Record<string, string>);
};
/** Lets the time pass that it waits for what is under way. */
async function stopWithin(sender: WebhookDispatcher, clock: TestClock): Promise<void> {
  let isOver = false;
  const stopped = sender.stop().finally(() => (isOver = true));
  while (!isOver) await clock.advance(1_000);
  await stopped;
}
const idsOf = (got: Got[]) => got.map(({ headers }) => headers["webhook-id"]);

describe("a message", () => {
  it("is verified by the library of Standard Webhooks, and not with another secret or body", async () => {
    const { add, test, send, clock } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    const uuid = await test(webhook);
    await send();
    const [got] = receiver.got;
    if (!got) throw new Error("nothing was sent");
    expect(verify(webhook.secret, got, clock.now())).toEqual({
      type: "webhook.test",
      timestamp: "2026-03-02T09:00:00.000Z",
      data: { webhook_uuid: webhook.uuid },
    });
    expect(got.headers).toMatchObject({
      "webhook-id": uuid,
      "content-type": "application/json",
      "user-agent": "Terrarium-Webhooks/1",
    });
    expect(() => verify(`whsec_${Buffer.alloc(32).toString("base64")}`, got, clock.now())).toThrow("signature");
    expect(() => verify(webhook.secret, { ...got, body: `${got.body} ` }, clock.now())).toThrow("signature");
    expect(() => verify(webhook.secret, got, clock.now() + HOUR_MS)).toThrow("timestamp");
  });

  it("is signed as the text says: HMAC-SHA256 of id, timestamp and body", async () => {
    const { add, test, send } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    const { headers, body } = receiver.got[0] ?? { headers: {}, body: "" };
    const key = Buffer.from(webhook.secret.replace("whsec_", ""), "base64");
    const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
    expect(key).toHaveLength(32);
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  });

  it("is signed with both secrets for 24 hours after a rotation, then with the new one alone", async () => {
    const { add, test, send, manager, clock, find } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    const rotated = (await manager.post(`/v1/webhooks/${webhook.uuid}/rotate-secret`)).json<{ secret: string }>();
    expect(rotated.secret).not.toBe(webhook.secret);
    await clock.advance(24 * HOUR_MS - 1);
    await test(webhook);
    await send();
    expect((await find(webhook))?.former_secret_until).toBe("2026-03-03T09:00:00.000Z");
    await clock.advance(1);
    await test(webhook);
    await send();
    expect((await find(webhook))?.former_secret_until).toBeNull();
    const [within, after] = receiver.got as [Got, Got];
    verify(webhook.secret, within, clock.now());
    verify(rotated.secret, within, clock.now());
    verify(rotated.secret, after, clock.now());
    expect(() => verify(webhook.secret, after, clock.now())).toThrow("signature");
  });
});

describe("an answer", () => {
  it("is there with its status, whatever becomes of its text", async () => {
    const { add, test, send, log } = await aSender();
    const receiver = await aReceiver((response) => {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setImmediate(() => response.destroy());
    });
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "delivered", status: 200 }]);
  });
});

describe("a failed attempt", () => {
  it("is followed by another five seconds later, with the same id and body, and a new timestamp", async () => {
    const { add, test, send, clock, log, find } = await aSender();
    const receiver = await aReceiver(500, 200);
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([
      { state: "waiting", status: 500, attempts: 1, next_at: "2026-03-02T09:00:05.000Z" },
    ]);
    expect(await find(webhook)).toMatchObject({ health: "retrying", failing_since: "2026-03-02T09:00:00.000Z" });
    await clock.advance(4_999);
    await send();
    expect(receiver.got).toHaveLength(1);
    await clock.advance(1);
    await send();
    const [first, second] = receiver.got as [Got, Got];
    expect([second.headers["webhook-id"], second.body]).toEqual([first.headers["webhook-id"], first.body]);
    expect(Number(second.headers["webhook-timestamp"]) - Number(first.headers["webhook-timestamp"])).toBe(5);
    verify(webhook.secret, second, clock.now());
    expect(await log(webhook)).toMatchObject([{ state: "delivered", status: 200, attempts: 2, next_at: null }]);
    expect(await find(webhook)).toMatchObject({ health: "healthy", failing_since: null, waiting: 0 });
  });

  it("is repeated on the schedule of Standard Webhooks, until after three days the delivery is given up", async () => {
    const { add, test, send, clock, log, find } = await aSender();
    const receiver = await aReceiver(503);
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    for (const [index, delayMs] of RETRY_MS.entries()) {
      await clock.advance(delayMs - 1);
      await send();
      expect(receiver.got).toHaveLength(index + 1);
      await clock.advance(1);
      await send();
      expect(receiver.got).toHaveLength(index + 2);
    }
    expect(RETRY_MS.map((ms) => ms / 1000)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    await clock.advance(48 * HOUR_MS);
    await send();
    expect(receiver.got).toHaveLength(10);
    expect(await log(webhook)).toMatchObject([{ state: "failed", attempts: 10, next_at: null }]);
    expect(await find(webhook)).toMatchObject({ health: "failing", failed: 1, waiting: 0 });
  });

  it("disables an endpoint that has accepted nothing for days, gives up what waits, and tells the managers once", async () => {
    const { add, test, send, clock, find, log, db, manager, as, audited } = await aSender();
    const receiver = await aReceiver(500);
    const webhook = await add(receiver.url);
    const organization = manager.user.organization_uuid ?? "";
    const other = await as({ role: "manager", organization });
    await as({ role: "user", organization });
    await test(webhook);
    await send();
    await clock.advance(DISABLE_AFTER_MS - 1);
    for (let count = 0; count < 3; count++) await test(webhook);
    await send();
    expect((await find(webhook))?.health).not.toBe("disabled");
    await clock.advance(60_000);
    await send();
    expect(await find(webhook)).toMatchObject({ health: "disabled", disabled_reason: "failing", waiting: 0 });
    expect(new Set((await log(webhook)).map(({ state }) => state))).toEqual(new Set(["failed"]));
    const { rows } = await sql<{ to_address: string; text: string }>`
      SELECT to_address, text FROM mails WHERE subject LIKE '%webhook%' ORDER BY to_address`.execute(db);
    expect(rows.map(({ to_address }) => to_address)).toEqual([manager.user.email, other.user.email].toSorted());
    expect(rows[0]?.text).toContain(`https://devices.example/administration/webhooks/${webhook.uuid}`);
    expect((await audited()).filter(({ actor }) => actor === "service")).toEqual([
      expect.objectContaining({ action: "webhook.edit", details: { is_enabled: false, reason: "failing" } }),
    ]);
  });

  it("with 410 disables the endpoint at once", async () => {
    const { add, test, send, find, log, clock } = await aSender();
    const receiver = await aReceiver(410);
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    expect(await find(webhook)).toMatchObject({ health: "disabled", disabled_reason: "gone" });
    expect(await log(webhook)).toMatchObject([{ state: "failed", status: 410 }]);
    await clock.advance(HOUR_MS);
    await send();
    expect(receiver.got).toHaveLength(1);
  });

  it("is a redirect, which is not followed", async () => {
    const { add, test, send, log } = await aSender();
    const elsewhere = await aReceiver();
    const receiver = await aReceiver((response) => response.writeHead(307, { location: elsewhere.url }).end());
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "waiting", status: 307, error: null }]);
    expect(elsewhere.got).toEqual([]);
  });

  it("is a connection that is refused", async () => {
    const { add, test, send, log } = await aSender();
    const webhook = await add("http://127.0.0.1:1/");
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "waiting", status: null, error: "ECONNREFUSED" }]);
  });
});

describe("an address", () => {
  const publicOnly = (...found: string[]) => ({ allowsPrivate: false, resolve: async () => found });

  it.each([[["127.0.0.1"]], [["169.254.169.254"]], [["8.8.8.8", "10.0.0.1"]], [["::1"]], [["::ffff:127.0.0.1"]]])(
    "whose name leads to %j gets nothing",
    async (found) => {
      const { add, test, send, log } = await aSender(publicOnly(...found));
      const webhook = await add("https://hook.example.com/");
      await test(webhook);
      await send();
      expect(await log(webhook)).toMatchObject([{ state: "waiting", status: null, error: "ADDRESS_REFUSED" }]);
    },
  );

  it("that was allowed when it was added gets nothing once the operator allows it no more", async () => {
    const { add, test, dispatcher, log } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    await test(webhook);
    await dispatcher({ allowsPrivate: false }).runDue();
    expect([receiver.got, (await log(webhook))[0]?.error]).toEqual([[], "ADDRESS_REFUSED"]);
  });

  it("is connected to as it was checked, however its name is answered a moment later", async () => {
    const receiver = await aReceiver();
    const resolve = vi.fn(async () => ["127.0.0.1"]);
    const { add, test, send } = await aSender({ allowsPrivate: true, resolve });
    await test(await add(`http://hook.example.com:${receiver.port}/in?a=1`));
    await send();
    expect(resolve.mock.calls).toEqual([["hook.example.com"]]);
    expect(receiver.got.map(({ headers }) => headers.host)).toEqual([`hook.example.com:${receiver.port}`]);
  });

  it("has TLS whose certificate is right", async () => {
    const receiver = await aReceiver();
    const { add, test, send, log } = await aSender();
    const webhook = await add(receiver.url.replace("http:", "https:"));
    await test(webhook);
    await send();
    expect((await log(webhook))[0]?.error).toMatch(/^(E|ERR_)/);
    expect(receiver.got).toEqual([]);
  });
});

describe("a receiver", () => {
  it("that is slow holds up no other, and is given up after 15 seconds", async () => {
    const { add, test, dispatcher, clock, log } = await aSender();
    const slow = await aReceiver(() => undefined);
    const quick = await aReceiver();
    const [first, second] = [await add(slow.url), await add(quick.url)];
    for (let count = 0; count < 6; count++) await test(first);
    await test(second);
    const sender = dispatcher();
    sender.start();
    await clock.advance(1_000);
    await vi.waitFor(async () => expect((await log(second))[0]?.state).toBe("delivered"), 10_000);
    await vi.waitFor(() => expect(slow.got).toHaveLength(4), 10_000);
    await clock.advance(ATTEMPT_TIMEOUT_MS);
    // Of one that has failed there is one attempt at a time.
    await vi.waitFor(() => expect(slow.got.length).toBeGreaterThan(4), 10_000);
    const attempts = await log(first);
    expect(attempts.filter(({ error }) => error === "TIMEOUT").length).toBeGreaterThan(0);
    await stopWithin(sender, clock);
    expect(slow.got.length).toBeLessThanOrEqual(6);
  });

  it("that answers with an upgrade, or with nothing, has failed", async () => {
    const { add, test, send, log } = await aSender();
    const upgrading = await aReceiver((response) => {
      response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: moss\r\n\r\n");
    });
    const silent = await aReceiver((response) => response.socket?.destroy());
    for (const { url } of [upgrading, silent]) {
      const webhook = await add(url);
      await test(webhook);
      await send();
      expect(await log(webhook)).toMatchObject([{ state: "waiting", status: null, error: "ECONNRESET" }]);
    }
  });

  it("whose secret cannot be opened any more is given up as any other", async () => {
    const { add, test, send, log, db } = await aSender();
    const webhook = await add((await aReceiver()).url);
    await db
      .updateTable("webhook_endpoints")
      .set({ secret: Buffer.alloc(60) })
      .execute();
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "waiting", status: null, error: "FAILED" }]);
  });

  it("is not read beyond the first kilobyte of its answer, whose NULs are replaced", async () => {
    const { add, test, send, manager } = await aSender();
    const receiver = await aReceiver((response) => {
      response.writeHead(500);
      const more = () => {
        while (response.write("\0x".repeat(4096)));
        response.once("drain", more);
      };
      more();
    });
    const webhook = await add(receiver.url);
    const uuid = await test(webhook);
    await send();
    const { log } = (await manager.get(`/v1/webhooks/${webhook.uuid}/deliveries/${uuid}`)).json<{
      log: { answer: string; status: number }[];
    }>();
    expect(log).toEqual([expect.objectContaining({ status: 500, answer: "\uFFFDx".repeat(512) })]);
  });
});

describe("organizations", () => {
  /** Endpoints that wait for something: for each the organization, and how much. */
  async function waiting(...endpoints: (readonly [organization: string, count: number])[]) {
    const { db, clock } = await aSender();
    const organizations = new Map<string, string>();
    const names: string[] = [];
    const uuids: string[] = [];
    for (const [name, count] of endpoints) {
      const organization = organizations.get(name) ?? (await anOrganization(db));
      organizations.set(name, organization);
      const uuid = randomUUID();
      names.push(name);
      uuids.push(uuid);
      await sql`INSERT INTO webhook_endpoints (uuid, organization_uuid, url, description, events, secret, created_at)
        VALUES (${uuid}, ${organization}, 'http://127.0.0.1:1/', '', '{}', '', now())`.execute(db);
      await sql`INSERT INTO webhook_deliveries (endpoint_uuid, uuid, type, data)
        SELECT ${uuid}, gen_random_uuid(), 'webhook.test', '{}' FROM generate_series(1, ${count})`.execute(db);
    }
    const running = new Map<string, number>();
    return {
      db,
      uuids,
      running,
      /** Whose deliveries are claimed, in the order of the endpoints. */
      claim: async (limit: number, perOrganization = 5, perEndpoint = 4) => {
        const [now, lapsesAt] = [new Date(clock.now()), new Date(clock.now() + 60_000)];
        const some = { perEndpoint, perOrganization, limit, running };
        const claimed = await claimDeliveries(db, { claim: randomUUID(), ...some, now, lapsesAt });
        for (const { endpoint_uuid: uuid } of claimed) running.set(uuid, (running.get(uuid) ?? 0) + 1);
        return names.flatMap((name, index) =>
          claimed.filter(({ endpoint_uuid }) => endpoint_uuid === uuids[index]).map(() => name),
        );
      },
    };
  }

  it("take turns: one with much to hear holds up no other", async () => {
    const { claim } = await waiting(["fern", 50], ["fern", 50], ["moss", 1], ["reed", 50]);
    expect(await claim(3)).toEqual(["fern", "moss", "reed"]);
    expect(await claim(4)).toEqual(["fern", "fern", "reed", "reed"]);
  });

  it("have so much under way at once, and each of their endpoints at least one", async () => {
    const { claim, running, uuids } = await waiting(["fern", 50], ["fern", 50], ["fern", 50], ["moss", 50]);
    expect(await claim(100)).toEqual(["fern", "fern", "fern", "fern", "fern", "moss", "moss", "moss", "moss"]);
    expect(await claim(100)).toEqual([]);
    running.clear();
    running.set(uuids[0] ?? "", 4).set(uuids[1] ?? "", 4);
    expect(await claim(100)).toEqual(["fern", "moss", "moss", "moss", "moss"]);
    expect(running.get(uuids[2] ?? "")).toBe(1);
  });

  it("get nothing for an endpoint that is disabled", async () => {
    const { claim, db } = await waiting(["fern", 1]);
    await sql`UPDATE webhook_endpoints SET disabled_reason = 'manager'`.execute(db);
    expect(await claim(100)).toEqual([]);
  });

  it("get one attempt at a time for an endpoint that has failed", async () => {
    const { claim, db } = await waiting(["fern", 50], ["moss", 50]);
    await sql`UPDATE webhook_endpoints SET failing_since = now() WHERE organization_uuid =
      (SELECT organization_uuid FROM webhook_endpoints JOIN webhook_deliveries ON endpoint_uuid = webhook_endpoints.uuid
        ORDER BY id LIMIT 1)`.execute(db);
    expect(await claim(100)).toEqual(["fern", "moss", "moss", "moss", "moss"]);
    expect(await claim(100)).toEqual([]);
  });

  it("are read in a time that does not grow with what waits for them", async () => {
    const { claim, db } = await waiting(["fern", 20_000], ["moss", 3]);
    await sql`ANALYZE webhook_deliveries`.execute(db);
    const read = async () =>
      (
        await sql<{ rows: string }>`SELECT idx_tup_read + seq_tup_read AS rows FROM pg_stat_user_tables
          JOIN (SELECT relid, sum(idx_tup_read) AS idx_tup_read FROM pg_stat_user_indexes GROUP BY relid) AS indexes USING (relid)
          WHERE relname = 'webhook_deliveries'`.execute(db)
      ).rows[0];
    const flush = () => sql`SELECT pg_stat_force_next_flush()`.execute(db);
    await flush();
    const before = Number((await read())?.rows);
    expect(await claim(100)).toHaveLength(7);
    await flush();
    expect(Number((await read())?.rows) - before).toBeLessThan(500);
  });

  it("may change an endpoint while an attempt for it is recorded", async () => {
    const { add, test, send, db, log } = await aSender();
    const receiver = await aReceiver(500);
    const webhook = await add(receiver.url);
    await test(webhook);
    let sent: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      await lockEndpoint(trx, webhook.uuid);
      sent = send();
      await untilBlocked(db);
      await sql`SELECT FROM webhook_deliveries FOR UPDATE NOWAIT`.execute(trx);
    });
    await sent;
    expect(await log(webhook)).toMatchObject([{ state: "waiting", status: 500 }]);
  });
});

it("the last twenty attempts of a delivery are kept", async () => {
  const { add, test, send, manager, db } = await aSender();
  const webhook = await add((await aReceiver()).url);
  const uuid = await test(webhook);
  await sql`UPDATE webhook_deliveries SET log = (SELECT jsonb_agg(jsonb_build_object('at', '2026-03-01T09:00:00.000Z',
    'duration_ms', number, 'status', 500, 'error', NULL, 'answer', '')) FROM generate_series(1, 20) AS number)`.execute(
    db,
  );
  await send();
  const { log } = (await manager.get(`/v1/webhooks/${webhook.uuid}/deliveries/${uuid}`)).json<{
    log: { duration_ms: number; status: number }[];
  }>();
  expect([log.length, log[0]?.duration_ms, log.at(-1)?.status]).toEqual([20, 2, 204]);
});

describe("several processes", () => {
  it("send each message once", async () => {
    const { add, test, dispatcher } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    const uuids = [];
    for (let count = 0; count < 30; count++) uuids.push(await test(webhook));
    await Promise.all([dispatcher(), dispatcher(), dispatcher()].map((one) => one.runDue()));
    expect(receiver.got).toHaveLength(30);
    expect(new Set(idsOf(receiver.got))).toEqual(new Set(uuids));
  });

  it("pass over what another is claiming, without waiting for it", async () => {
    const { add, test, db, clock } = await aSender();
    const webhook = await add("http://127.0.0.1:1/");
    const uuids = [await test(webhook), await test(webhook)];
    const now = new Date(clock.now());
    const claim = async (trx: typeof db, limit: number) => {
      const some = { perEndpoint: limit, perOrganization: limit, limit };
      const lapsesAt = new Date(clock.now() + 60_000);
      const claimed = await claimDeliveries(trx, { claim: randomUUID(), running: new Map(), ...some, now, lapsesAt });
      return claimed.map(({ uuid }) => uuid);
    };
    await transaction(db, async (trx) => {
      expect(await claim(trx, 1)).toEqual([uuids[0]]);
      expect(await claim(db, 2)).toEqual([uuids[1]]);
    });
    expect(await claim(db, 2)).toEqual([]);
  });

  it("record nothing of an attempt that another has taken over", async () => {
    const { add, test, send, db, log } = await aSender();
    const receiver = await aReceiver((response) => {
      void sql`UPDATE webhook_deliveries SET claim = gen_random_uuid()`.execute(db).then(() => response.end());
    });
    const webhook = await add(receiver.url);
    await test(webhook);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  });

  it("take over what one that was killed was about to send, a minute later", async () => {
    const { add, test, send, clock, db, log } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    const uuid = await test(webhook);
    // What a claim writes.
    await sql`UPDATE webhook_deliveries SET claim = gen_random_uuid(), attempts = 1,
      due_at = ${new Date(clock.now() + 60_000)}`.execute(db);
    await clock.advance(59_999);
    await send();
    expect(receiver.got).toEqual([]);
    await clock.advance(1);
    await send();
    expect(idsOf(receiver.got)).toEqual([uuid]);
    expect(await log(webhook)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  it("that ends lets go of what it could not finish, which does not count as an attempt", async () => {
    const { add, test, dispatcher, send, clock, log } = await aSender();
    const receiver = await aReceiver(() => undefined, 204);
    const webhook = await add(receiver.url);
    await test(webhook);
    const ending = dispatcher();
    ending.start();
    await clock.advance(1_000);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(1), 10_000);
    await stopWithin(ending, clock);
    expect(await log(webhook)).toMatchObject([{ state: "waiting", attempts: 0, next_at: null }]);
    await send();
    expect(await log(webhook)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });
});

describe("a replay", () => {
  it("sends a delivery again under its id, with all its attempts anew", async () => {
    const { add, test, send, manager, log } = await aSender();
    const receiver = await aReceiver();
    const webhook = await add(receiver.url);
    const uuid = await test(webhook);
    await send();
    const path = `/v1/webhooks/${webhook.uuid}/deliveries/${uuid}/replay`;
    expect((await manager.post(path)).statusCode).toBe(204);
    expect(await log(webhook)).toMatchObject([{ state: "waiting", next_at: null }]);
    await send();
    expect(idsOf(receiver.got)).toEqual([uuid, uuid]);
    expect(await log(webhook)).toMatchObject([{ state: "delivered", attempts: 2 }]);
  });

  it("leaves alone an attempt that is under way", async () => {
    const { add, test, manager, db } = await aSender();
    const webhook = await add((await aReceiver()).url);
    const uuid = await test(webhook);
    await sql`UPDATE webhook_deliveries SET claim = gen_random_uuid(), attempts = 3`.execute(db);
    expect((await manager.post(`/v1/webhooks/${webhook.uuid}/deliveries/${uuid}/replay`)).statusCode).toBe(204);
    const row = await db.selectFrom("webhook_deliveries").select(["attempts", "claim"]).executeTakeFirstOrThrow();
    expect([row.attempts, row.claim]).toEqual([3, expect.any(String)]);
  });

  it("of all that was given up since a time leaves out what is older, and what was delivered", async () => {
    const { add, test, send, manager, clock, edit } = await aSender();
    const receiver = await aReceiver(500, 500, 204);
    const webhook = await add(receiver.url);
    const uuids = [];
    for (let count = 0; count < 3; count++) {
      uuids.push(await test(webhook));
      await send();
      await clock.advance(1_000);
    }
    await edit(webhook, { is_enabled: false });
    const since = "2026-03-02T09:00:01.000Z";
    const path = `/v1/webhooks/${webhook.uuid}/replay-failed`;
    expect((await manager.post(path, { since })).json().code).toBe("WEBHOOK_DISABLED");
    await edit(webhook, { is_enabled: true });
    expect((await manager.post(path, { since })).json()).toEqual({ replayed: 1 });
    await send();
    expect(idsOf(receiver.got)).toEqual([...uuids, uuids[1]]);
  });

  it("and tests are limited to 100 an hour for an organization", async () => {
    const { add, manager } = await aSender();
    const webhook = await add("http://127.0.0.1:1/");
    const statuses = [];
    for (let count = 0; count < 101; count++)
      statuses.push((await manager.post(`/v1/webhooks/${webhook.uuid}/test`)).statusCode);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([100, 429]);
    const since = "2026-03-02T09:00:01.000Z";
    expect((await manager.post(`/v1/webhooks/${webhook.uuid}/replay-failed`, { since })).statusCode).toBe(429);
  });
});
