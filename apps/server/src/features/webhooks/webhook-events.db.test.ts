import {
  type InstanceEvent,
  TEST_EVENT,
  type Webhook,
  type webhookData,
  webhookEventNames,
  webhookPayload,
} from "@terrarium/contract";
import { sql } from "kysely";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { deleteOldDeliveries } from "./deliveries.store.ts";
import { payloadOf } from "./dispatcher.ts";
import { deleteOldWebhooks } from "./webhooks.jobs.ts";

/** An organization that is told everything, and what it is told: each message as the contract says. */
async function aListener() {
  const test = await createTestApp();
  const { db, clock } = test;
  const manager = await test.as({ role: "manager" });
  const body = { url: "https://ci.example.com/", events: webhookEventNames };
  const { uuid } = (await manager.post("/v1/webhooks", body)).json<Webhook>();
  const heard = async () => {
    const rows = await db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("endpoint_uuid", "=", uuid)
      .orderBy("id")
      .execute();
    await db.deleteFrom("webhook_deliveries").execute();
    return rows.map((row) => {
      const payload = JSON.parse(payloadOf({ ...row, at: row.at ?? new Date(clock.now()) })) as { type: string };
      return webhookPayload(row.type as keyof typeof webhookData).parse(payload);
    });
  };
  const organization = manager.user.organization_uuid ?? "";
  return { ...test, manager, organization, uuid, heard, owner: await test.as({ organization }) };
}
type Heard = Awaited<ReturnType<Awaited<ReturnType<typeof aListener>>["heard"]>>;
const typesOf = (heard: Heard) => heard.map(({ type }) => type);

describe("devices", () => {
  it("are told of from the ask to the end, with their state before and after", async () => {
    const { owner, heard, db, clock } = await aListener();
    await heard();
    const device = (await owner.start({ instance_name: "one" })).json<{ uuid: string; recipe: { uuid: string } }>();
    const [, created] = await heard();
    expect(created).toEqual({
      type: "instance.created",
      timestamp: "2026-03-02T09:00:00.000Z",
      data: {
        uuid: device.uuid,
        name: "one",
        owner_uuid: owner.user.uuid,
        recipe_uuid: device.recipe.uuid,
        state: "CREATING",
        previous_state: null,
        reason: null,
        revision: 1,
      },
    });
    const now = new Date(clock.now());
    const move = (event: InstanceEvent) => moveInstance(db, { uuid: device.uuid, event, now, reason: "because" });
    const after = async (...events: InstanceEvent[]) => {
      for (const event of events) await move(event);
      return typesOf(await heard()).filter((type) => type !== "instance.state_changed");
    };
    expect(await after("powered", "answered")).toEqual([]);
    expect(await after("booted")).toEqual(["instance.started"]);
    // An event that the state does not take changes nothing.
    expect(await after("booted")).toEqual([]);
    await move("stop");
    expect(await heard()).toMatchObject([
      { type: "instance.state_changed", data: { state: "STOPPING", previous_state: "ONLINE", reason: "because" } },
    ]);
    expect(await after("stopped", "deleted")).toEqual(["instance.stopped"]);
  });

  it.each([
    ["fail", "instance.failed"],
    ["expire", "instance.stopped"],
    ["revoke", "instance.stopped"],
  ] as const)("that end by %s are told of as %s", async (event, type) => {
    const { owner, heard, db, clock } = await aListener();
    const { uuid } = (await owner.start()).json<{ uuid: string }>();
    await heard();
    await moveInstance(db, { uuid, event, now: new Date(clock.now()) });
    expect(typesOf(await heard())).toEqual(["instance.state_changed", type]);
  });

  it("that are saved are told of with the recipe, and so is a save that failed", async () => {
    const { owner, heard, db, clock } = await aListener();
    const now = new Date(clock.now());
    const { uuid } = (await owner.start()).json<{ uuid: string }>();
    const recipeUuid = await aCustom(db, "recipes", owner.user);
    const osImageUuid = await aCustom(db, "os_images", owner.user);
    for (const event of ["powered", "answered", "booted"] as const) await moveInstance(db, { uuid, event, now });
    const save = { action: "update", recipeUuid, osImageUuid, progress: 0 } as const;
    await moveInstance(db, { uuid, event: "save", now, save });
    await heard();
    await moveInstance(db, { uuid, event: "saveFailed", now, saveError: "SAVE_FAILED" });
    const failed = (await heard()).filter(({ type }) => type === "instance.save_failed");
    expect(failed).toMatchObject([{ data: { saved_recipe_uuid: recipeUuid, state: "ONLINE", reason: "SAVE_FAILED" } }]);
    await moveInstance(db, { uuid, event: "save", now, save });
    await heard();
    await moveInstance(db, { uuid, event: "saved", now });
    const saved = (await heard()).filter(({ type }) => type === "instance.saved");
    expect(saved).toMatchObject([{ data: { saved_recipe_uuid: recipeUuid, state: "SAVED" } }]);
  });
});

describe("recipes", () => {
  it("are told of when they are made, changed and deleted, and not when they are shared", async () => {
    const { owner, heard, organization, db } = await aListener();
    const parts = {
      hardware_profile_uuid: await aCustom(db, "hardware_profiles", owner.user),
      os_image_uuid: await aCustom(db, "os_images", owner.user),
    };
    await heard();
    const { uuid } = (await owner.post("/v1/recipes", { name: "Moss", description: "", ...parts })).json<{
      uuid: string;
    }>();
    expect(await heard()).toEqual([
      {
        type: "recipe.created",
        timestamp: "2026-03-02T09:00:00.000Z",
        data: { uuid, name: "Moss", status: "READY", owner_uuid: owner.user.uuid, revision: 1 },
      },
    ]);
    await owner.put(`/v2/recipes/${uuid}`, { name: "Fern" });
    expect(await heard()).toMatchObject([{ type: "recipe.changed", data: { uuid, name: "Fern", revision: 2 } }]);
    expect((await owner.post(`/v1/recipes/${uuid}/share`, { organizations: [organization] })).statusCode).toBe(201);
    expect(await heard()).toEqual([]);
    expect((await owner.delete(`/v1/recipes/${uuid}`)).statusCode).toBe(204);
    expect(await heard()).toMatchObject([{ type: "recipe.deleted", data: { uuid, name: "Fern" } }]);
  });
});

describe("people", () => {
  it("are told of when they are invited, once, and when they join", async () => {
    const { manager, heard, db, call } = await aListener();
    await heard();
    const email = "zoe@fern.test";
    await manager.post("/v1/accounts/invites", { emails: [email] });
    await manager.post("/v1/accounts/invites", { emails: [email] });
    const { rows } = await sql<{ uuid: string; text: string }>`SELECT invitations.uuid, text FROM mails, invitations
      ORDER BY mails.created_at DESC, text`.execute(db);
    expect(await heard()).toMatchObject([{ type: "user.invited", data: { invitation_uuid: rows[0]?.uuid, email } }]);
    const joined = await Promise.all(
      rows.map(({ text }) => {
        const key = /\/join\/([\w-]{43})/.exec(text)?.[1];
        return call("POST", `/v2/accounts/invites/${key}`, {
          body: { password: "a better horse 2", tnc_accepted: true },
        });
      }),
    );
    expect(joined.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1);
    expect(await heard()).toMatchObject([{ type: "user.joined", data: { email, role: "user", status: "enabled" } }]);
  });

  it("are told of when their role or status changes, not when they rename themselves", async () => {
    const { manager, owner, heard } = await aListener();
    await heard();
    const path = `/v2/users/${owner.user.uuid}`;
    await owner.put(path, { first_name: "Fern", front_preferences: { theme: "dark" } });
    expect(await heard()).toEqual([]);
    await manager.put(path, { is_organization_manager: true });
    await manager.put(path, { is_enabled: false });
    expect(await heard()).toMatchObject([
      { type: "user.changed", data: { uuid: owner.user.uuid, first_name: "Fern", role: "manager", status: "enabled" } },
      { type: "user.changed", data: { role: "manager", status: "disabled" } },
    ]);
  });

  it("who delete their account are told of by identifier alone, also in the log", async () => {
    const { manager, owner, heard, db } = await aListener();
    await heard();
    const { uuid, email, password } = owner.user;
    await manager.put(`/v2/users/${uuid}`, { is_organization_manager: true });
    expect((await owner.delete(`/v1/users/${uuid}`, { password })).statusCode).toBe(204);
    const rows = await db.selectFrom("webhook_deliveries").select(["type", "data"]).orderBy("id").execute();
    expect(rows.map(({ type }) => type)).toEqual(["user.changed", "user.removed"]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${email}|${owner.user.first_name}`));
    expect(rows[1]?.data).toEqual({ uuid });
  });

  it("who are moved to another organization leave the one and join the other", async () => {
    const { owner, heard, as, db } = await aListener();
    const elsewhere = (await as({ role: "manager" })).user.organization_uuid;
    await heard();
    await db.updateTable("users").set({ organization_uuid: elsewhere }).where("uuid", "=", owner.user.uuid).execute();
    expect(await heard()).toMatchObject([{ type: "user.removed", data: { uuid: owner.user.uuid } }]);
  });
});

describe("invoices", () => {
  it("are told of when they are issued, paid, not paid, and paid back", async () => {
    const { heard, organization, db } = await aListener();
    await heard();
    const number = 42;
    const uuid = await anInvoice(db, organization, { number, statuses: ["PENDING", "FAILED", "FAILED", "VOID"] });
    const told = {
      uuid,
      invoice_number: "INV-000042",
      amount: 300,
      currency: "USD",
      period_start: "2026-01-05T00:00:00.000Z",
      period_end: "2026-01-12T00:00:00.000Z",
      due_at: "2026-02-11T00:00:00.000Z",
    };
    const timestamp = "2026-01-12T00:00:00.000Z";
    const failed = { type: "invoice.payment_failed", timestamp, data: { ...told, state: "FAILED", reason: "" } };
    expect(await heard()).toEqual([
      { type: "invoice.created", timestamp, data: { ...told, state: "PENDING" } },
      failed,
      failed,
    ]);
    const paid = await anInvoice(db, organization, { number: 1_000_042, statuses: ["PENDING", "ACCEPTED"] });
    expect((await heard())[1]).toMatchObject({
      type: "invoice.paid",
      data: { uuid: paid, invoice_number: "INV-1000042", state: "ACCEPTED" },
    });
    const note = { nature: "CREDIT", refunds_uuid: paid, minutes: [20] } as const;
    const credit_note_uuid = await anInvoice(db, organization, { ...note, statuses: ["PENDING"] });
    expect(await heard()).toEqual([]);
    await sql`INSERT INTO invoice_statuses (invoice_uuid, revision, status, at) VALUES (${credit_note_uuid}, 2, 'ACCEPTED', now())`.execute(
      db,
    );
    expect(await heard()).toMatchObject([
      {
        type: "invoice.refunded",
        data: { uuid: paid, state: "PARTIALLY_REFUNDED", amount: 300, refunded: 100, credit_note_uuid },
      },
    ]);
  });
});

describe("an endpoint", () => {
  it("is told of what it has chosen, in its organization, while it is enabled", async () => {
    const { manager, uuid, heard, owner, as, call, db } = await aListener();
    const edit = (body: object) => call("PATCH", `/v1/webhooks/${uuid}`, { body, headers: manager.headers });
    await edit({ events: ["instance.created"] });
    await heard();
    await (await as()).start();
    expect(await heard()).toEqual([]);
    await owner.start();
    expect(typesOf(await heard())).toEqual(["instance.created"]);
    await edit({ is_enabled: false });
    await owner.start();
    expect(await db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
  });

  it("of several is told under the same id as the others", async () => {
    const { manager, owner, db } = await aListener();
    await manager.post("/v1/webhooks", { url: "https://other.example.com/", events: ["instance.created"] });
    await owner.start();
    const rows = await db.selectFrom("webhook_deliveries").selectAll().where("type", "=", "instance.created").execute();
    expect([rows.length, new Set(rows.map((row) => row.uuid)).size]).toEqual([2, 1]);
  });

  it("is told what has committed, and never what was rolled back", async () => {
    const { heard, owner, db } = await aListener();
    await heard();
    const rolledBack = transaction(db, async (trx) => {
      await aCustom(trx, "recipes", owner.user);
      const inside = await trx.selectFrom("webhook_deliveries").select("type").execute();
      expect(inside).toEqual([{ type: "recipe.created" }]);
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await heard()).toEqual([]);
  });

  it("is passed over by what happens while it is deleted, which goes on then", async () => {
    const { owner, uuid, db } = await aListener();
    const held = Promise.withResolvers<void>();
    const deleting = db.transaction().execute(async (trx) => {
      await trx.deleteFrom("webhook_endpoints").where("uuid", "=", uuid).execute();
      await held.promise;
    });
    const starting = owner.start();
    await untilBlocked(db, 1);
    held.resolve();
    await deleting;
    expect((await starting).statusCode).toBeLessThan(300);
    expect(await db.selectFrom("webhook_deliveries").select("id").execute()).toEqual([]);
  });

  it("has a log of 14 days", async () => {
    const { owner, db, clock } = await aListener();
    await owner.start();
    await clock.advance(14 * 24 * 3_600_000);
    await deleteOldWebhooks.run({ db, clock });
    expect(await db.selectFrom("webhook_deliveries").selectAll().execute()).not.toEqual([]);
    await clock.advance(1);
    await deleteOldWebhooks.run({ db, clock });
    expect((await db.selectFrom("webhook_deliveries").select("type").execute()).map(({ type }) => type)).toEqual([]);
  });

  it("has no more than so many rows in it: the latest", async () => {
    const { uuid, db, clock } = await aListener();
    for (const state of ["failed", "waiting", "delivered", "waiting", "failed", "delivered"])
      await sql`INSERT INTO webhook_deliveries (endpoint_uuid, uuid, type, data, at, state)
        SELECT ${uuid}::uuid, gen_random_uuid(), 'webhook.test', '{}', ${new Date(clock.now())}, ${state}
        FROM generate_series(1, 4)`.execute(db);
    await deleteOldDeliveries(db, new Date(0), { delivered: 3, others: 5 });
    const { rows } = await sql<{ state: string; count: number }>`
      SELECT state, count(*)::integer AS count FROM webhook_deliveries GROUP BY state ORDER BY state`.execute(db);
    expect(rows).toEqual([
      { state: "delivered", count: 3 },
      { state: "failed", count: 5 },
      { state: "waiting", count: 5 },
    ]);
  });
});

describe("docs/WEBHOOKS.md", () => {
  const text = readFileSync(new URL("../../../../../docs/WEBHOOKS.md", import.meta.url), "utf8");
  const examples = Array.from(
    text.matchAll(/```json\n(.*?)```/gs),
    ([, json = ""]) => JSON.parse(json) as { type: string },
  );

  it("shows one message of each type, as it is sent", () => {
    expect(examples.map(({ type }) => type)).toEqual([...webhookEventNames, TEST_EVENT]);
    for (const example of examples) webhookPayload(example.type as keyof typeof webhookData).parse(example);
  });
});
