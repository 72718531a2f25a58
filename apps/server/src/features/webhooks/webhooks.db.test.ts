import { limits, type Webhook, type WebhookDelivery } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aSender } from "./testing/a-dispatcher.ts";

const path = "/v1/webhooks";
const webhook = { url: "https://ci.example.com/hook", description: "CI", events: ["instance.started", "user.joined"] };

describe("POST /v1/webhooks", () => {
  it("answers a secret this once, and keeps it sealed", async () => {
    const { as, db } = await createTestApp();
    const { post, get } = await as({ role: "manager" });
    const created = await post(path, webhook);
    expect([created.statusCode, created.json()]).toEqual([
      201,
      {
        ...webhook,
        uuid: expect.any(String),
        health: "healthy",
        disabled_reason: null,
        failing_since: null,
        former_secret_until: null,
        waiting: 0,
        failed: 0,
        created_at: "2026-03-02T09:00:00.000Z",
        secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      },
    ]);
    const { secret, ...shown } = created.json<Webhook & { secret: string }>();
    expect((await get(path)).json()).toEqual({ webhooks: [shown] });
    const key = Buffer.from(secret.slice(6), "base64");
    const [row] = await db.selectFrom("webhook_endpoints").selectAll().execute();
    expect(row?.secret.includes(key)).toBe(false);
  });

  it.each([
    "http://ci.example.com/",
    "https://localhost/",
    "https://intranet/hook",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://10.1.2.3:8443/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
  ])("refuses %s, as only the operator may allow it", async (url) => {
    const { as } = await createTestApp();
    const { post } = await as({ role: "manager" });
    const refused = await post(path, { ...webhook, url });
    expect([refused.statusCode, refused.json().code]).toEqual([400, "WEBHOOK_ADDRESS_REFUSED"]);
    const allowed = await (await aSender()).manager.post(path, { ...webhook, url });
    expect(allowed.statusCode).toBe(201);
  });

  it.each([
    { url: "ci.example.com" },
    { url: "ftp://ci.example.com/" },
    { url: "https://user:password@ci.example.com/" },
    { url: "https://ci.example.com/#part" },
    { url: `https://ci.example.com/${"x".repeat(2000)}` },
    { url: "https://ci.example.com/\u202E" },
    { events: [] },
    { events: ["instance.started", "instance.started"] },
    { events: ["webhook.test"] },
    { events: ["invoice.printed"] },
    { description: "x".repeat(251) },
  ])("refuses %j", async (wrong) => {
    const { as } = await createTestApp();
    const refused = await (await as({ role: "manager" })).post(path, { ...webhook, ...wrong });
    expect([refused.statusCode, refused.json().code]).toEqual([400, "invalid_request"]);
  });

  it("lets an organization have ten, also when they are added at once", async () => {
    const { as } = await createTestApp();
    const { post } = await as({ role: "manager" });
    const added = await Promise.all(Array.from({ length: limits.webhooks + 3 }, () => post(path, webhook)));
    const codes = added.map((answer) => answer.json<{ code?: string }>().code ?? answer.statusCode);
    expect(codes.filter((code) => code === 201)).toHaveLength(limits.webhooks);
    expect(codes.filter((code) => code === "TOO_MANY_WEBHOOKS")).toHaveLength(3);
    expect((await (await as({ role: "manager" })).post(path, webhook)).statusCode).toBe(201);
  });
});

it("webhooks of other organizations are not there", async () => {
  const { add, test, as, call } = await aSender();
  const theirs = await add("http://127.0.0.1:1/");
  const delivery = await test(theirs);
  const stranger = await as({ role: "manager" });
  const mine = (await stranger.post(path, webhook)).json<Webhook>().uuid;
  expect((await stranger.get(path)).json<{ webhooks: Webhook[] }>().webhooks.map(({ uuid }) => uuid)).toEqual([mine]);
  const one = `${path}/${theirs.uuid}`;
  const answers = [
    await call("PATCH", one, { body: { is_enabled: false }, headers: stranger.headers }),
    await stranger.delete(one),
    await stranger.post(`${one}/rotate-secret`),
    await stranger.post(`${one}/test`),
    await stranger.get(`${one}/deliveries`),
    await stranger.get(`${one}/deliveries/${delivery}`),
    await stranger.post(`${one}/deliveries/${delivery}/replay`),
    await stranger.post(`${one}/replay-failed`, { since: "2026-03-02T08:00:00.000Z" }),
  ];
  expect(answers.map((answer) => answer.json().code)).toEqual(Array(8).fill("WEBHOOK_NOT_FOUND"));
  // Nor through one's own.
  for (const answer of [
    await stranger.get(`${path}/${mine}/deliveries/${delivery}`),
    await stranger.post(`${path}/${mine}/deliveries/${delivery}/replay`),
  ])
    expect(answer.json().code).toBe("WEBHOOK_DELIVERY_NOT_FOUND");
});

it("only managers see them", async () => {
  const { as } = await createTestApp();
  const { get, post } = await as();
  expect([(await get(path)).statusCode, (await post(path, webhook)).statusCode]).toEqual([403, 403]);
});

describe("PATCH /v1/webhooks/{uuid}", () => {
  it("changes what is given, and checks the address", async () => {
    const { as, call } = await createTestApp();
    const { post, headers } = await as({ role: "manager" });
    const { uuid } = (await post(path, webhook)).json<Webhook>();
    const edit = (body: object) => call("PATCH", `${path}/${uuid}`, { body, headers });
    expect((await edit({ events: ["recipe.deleted"] })).json()).toMatchObject({
      url: webhook.url,
      description: "CI",
      events: ["recipe.deleted"],
    });
    expect((await edit({ url: "https://10.0.0.1/" })).json().code).toBe("WEBHOOK_ADDRESS_REFUSED");
    expect((await edit({ url: "https://other.example.com/", description: "" })).json()).toMatchObject({
      url: "https://other.example.com/",
      description: "",
      events: ["recipe.deleted"],
    });
  });

  it("records what is different then, and nothing where nothing is", async () => {
    const { as, call, audited } = await createTestApp();
    const { post, headers } = await as({ role: "manager" });
    const { uuid, url, events } = (await post(path, webhook)).json<Webhook>();
    const edit = (body: object) => call("PATCH", `${path}/${uuid}`, { body, headers });
    await edit({ url, description: "Nightly", events });
    await edit({ url, description: "Nightly", events, is_enabled: true });
    await edit({ is_enabled: false });
    const records = (await audited()).filter(({ action }) => action === "webhook.edit");
    expect(records.map(({ details }) => details)).toEqual([{ changed: "description" }, { is_enabled: false }]);
  });

  it("gives up what waits for one that is disabled, and lets one that is enabled begin anew", async () => {
    const { add, test, send, edit, find, log } = await aSender();
    const down = await add("http://127.0.0.1:1/");
    await test(down);
    await send();
    await test(down);
    const other = await add("http://127.0.0.1:1/");
    await test(other);
    const disabled = (await edit(down, { is_enabled: false })).json<Webhook>();
    expect(disabled).toMatchObject({ health: "disabled", disabled_reason: "manager", waiting: 0, failed: 2 });
    expect((await log(down)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(await find(other)).toMatchObject({ waiting: 1, failed: 0 });
    await edit(down, { is_enabled: true });
    expect(await find(down)).toMatchObject({ health: "healthy", failing_since: null, disabled_reason: null });
  });
});

it("DELETE /v1/webhooks/{uuid} takes its log along", async () => {
  const { add, test, manager, db } = await aSender();
  const gone = await add("http://127.0.0.1:1/");
  await test(gone);
  expect((await manager.delete(`${path}/${gone.uuid}`)).statusCode).toBe(204);
  expect(await db.selectFrom("webhook_deliveries").selectAll().execute()).toEqual([]);
  expect((await manager.delete(`${path}/${gone.uuid}`)).json().code).toBe("WEBHOOK_NOT_FOUND");
});

it("webhooks end with their organization, when its last member deletes their account", async () => {
  const { add, test, person, db } = await aSender();
  await test(await add("http://127.0.0.1:1/"));
  const { uuid, password } = person.user;
  expect((await person.delete(`/v1/users/${uuid}`, { password })).statusCode).toBe(204);
  expect(await db.selectFrom("webhook_endpoints").selectAll().execute()).toEqual([]);
});

describe("the log", () => {
  it("is read page by page, the latest first, by state, event and what was told", async () => {
    const { add, test, send, manager, start } = await aLoggedSender();
    const one = await add("http://127.0.0.1:1/", ["instance.created", "instance.state_changed"]);
    const sent = await test(one);
    await send();
    await start();
    const list = async (query: string) =>
      (await manager.get(`${path}/${one.uuid}/deliveries?${query}`)).json<{
        count: number;
        results: WebhookDelivery[];
      }>();
    const typesOf = async (query: string) => (await list(query)).results.map(({ type }) => type);
    expect(await typesOf("")).toEqual(["instance.created", "instance.state_changed", "webhook.test"]);
    expect(await list("page=2&page_size=2")).toMatchObject({ count: 3, results: [{ uuid: sent }] });
    expect(await typesOf("state=waiting&type=webhook.test")).toEqual(["webhook.test"]);
    expect(await typesOf("state=delivered,failed")).toEqual([]);
    expect(await typesOf("search=needle-7&type=instance.created")).toEqual(["instance.created"]);
    expect(await typesOf(`search=${sent}`)).toEqual(["webhook.test"]);
    expect(await typesOf("search=100%25")).toEqual([]);
    expect((await manager.get(`${path}/${one.uuid}/deliveries?state=lost`)).statusCode).toBe(400);
    expect((await manager.get(`${path}/${one.uuid}/deliveries/${randomUUID()}`)).json().code).toBe(
      "WEBHOOK_DELIVERY_NOT_FOUND",
    );
  });
});

async function aLoggedSender() {
  const sender = await aSender();
  return { ...sender, start: () => sender.manager.start({ instance_name: "needle-7" }) };
}
