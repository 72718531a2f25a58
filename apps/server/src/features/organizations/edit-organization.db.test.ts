import { isDedicatedZone } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { anOrganization } from "../../testing/factories.ts";
import { aGateway, aRuntime, until } from "../../testing/gateway.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { BEAT_MS } from "../instances/gateways.ts";
import { setZone } from "./set-zone.ts";

const address = {
  street: "1 Moss Lane",
  additional_info: "Floor 2",
  city: "Fernham",
  state: null,
  postcode: "F1 2AB",
  country: "GB",
};
const embed = (...embed_origins: string[]) => ({ preferences: { embed_origins } });
const timeouts = (given: object) => ({ preferences: { timeouts: given } });
const zoned = (zone: string) => ({ license: { instances: { zone } } });

/** A manager and a user of one organization, with what they see of it and what they may change. */
async function setUp(more: Parameters<typeof anOrganization>[1] = {}) {
  const test = await createTestApp();
  const organization = await anOrganization(test.db, { name: "Mossworks", ...more });
  const path = `/v1/organizations/${organization}`;
  const [robin, kim] = [await test.as({ organization, role: "manager" }), await test.as({ organization })];
  const edit = async (body: object) => {
    const { statusCode, json } = await robin.put(path, body);
    return { status: statusCode, ...json<Record<string, unknown>>() };
  };
  const look = async (person = robin) => (await person.get(path)).json();
  return { ...test, organization, path, robin, kim, edit, look };
}

describe("PUT /v1/organizations/:uuid", () => {
  it("changes what is sent, and leaves the rest as it is", async () => {
    const { edit, look } = await setUp({ timeout_global: 60 });
    const before = await look();
    expect(await edit({ name: " Fernworks ", vat_number: "GB980780684", ...timeouts({ inactivity: 120 }) })).toEqual({
      status: 200,
      ...before,
      name: "Fernworks",
      vat_number: "GB980780684",
      preferences: { timeouts: { inactivity: 120, global: 60, api: 1440 }, embed_origins: [], queue: false },
    });
    await edit({ company_name: "Moss Ltd", additional_billing_contact_email: "Bills@Moss.example", address });
    await edit(zoned("southeast asia"));
    expect(await look()).toMatchObject({
      name: "Fernworks",
      company_name: "Moss Ltd",
      vat_number: "GB980780684",
      additional_billing_contact_email: "bills@moss.example",
      address,
      license: { instances: { zone: "southeast asia" } },
    });
    await edit({ address: null, additional_billing_contact_email: null });
    expect(await look()).toMatchObject({ address: null, additional_billing_contact_email: null });
  });

  it("ignores what managers may not set", async () => {
    const { edit, look } = await setUp();
    const before = await look();
    const license = { type: "fixed", is_active: false, instances: { max: 99, zone_type: "dedicated" } };
    await edit({ uuid: "x", is_debtor: true, os_images_supported_arch: [], requires_second_factor: true, license });
    expect(await look()).toEqual(before);
  });

  it("is for managers of the organization; nobody else knows that it is there", async () => {
    const { path, kim, as, robin, call } = await setUp();
    const stranger = await as({ role: "manager" });
    const answers = [await kim.put(path, { name: "x" }), await stranger.put(path, { name: "x" })];
    expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [403, "FORBIDDEN"],
      [404, "ORGANIZATION_NOT_FOUND"],
    ]);
    const token = (await robin.post("/v1/api-tokens", { description: "ci", scope: "devices" })).json().token;
    const scoped = await call("PUT", path, { body: { name: "x" }, headers: { "x-api-token": token } });
    expect(scoped.json().code).toBe("API_TOKEN_NOT_SCOPED");
  });

  it.each([
    [timeouts({ global: 7 }), "preferences.timeouts.global"],
    [embed("https://*.example.com"), "preferences.embed_origins.0"],
    [embed("null"), "preferences.embed_origins.0"],
    [embed("http://portal.example.com"), "preferences.embed_origins.0"],
    [embed("https://a.example", "https://a.example"), "preferences.embed_origins"],
    [embed(...Array.from({ length: 21 }, (_, at) => `https://p${at}.example`)), "preferences.embed_origins"],
    [timeouts({ inactivity: -1 }), "preferences.timeouts.inactivity"],
    [timeouts({ inactivity: "30" }), "preferences.timeouts.inactivity"],
    [timeouts({ inactivity: null }), "preferences.timeouts.inactivity"],
    [zoned("mars"), "license.instances.zone"],
    [{ name: " " }, "name"],
    [{ name: "Moss\u202eworks" }, "name"],
    [{ company_name: "x".repeat(251) }, "company_name"],
    [{ additional_billing_contact_email: "nobody" }, "additional_billing_contact_email"],
    [{ address: { ...address, country: "XX" } }, "address.country"],
    [{ address: { ...address, city: "" } }, "address.city"],
  ])("refuses %j", async (body, field) => {
    const { edit, look } = await setUp();
    const before = await look();
    expect(await edit({ ...body, is_debtor: false })).toMatchObject({
      status: 400,
      code: "invalid_request",
      fields: [{ field }],
    });
    expect(await look()).toEqual(before);
  });

  it("records which fields have changed, without what is personal, and nothing where none has", async () => {
    const { edit, audited, organization } = await setUp();
    await edit({ name: "Mossworks", ...timeouts({ global: 0, inactivity: 30 }), ...zoned("europe") });
    await edit({ name: "Fern", address, ...timeouts({ global: 60 }), ...zoned("north america") });
    expect((await audited()).filter(({ action }) => action === "organization.edit")).toEqual([
      expect.objectContaining({
        outcome: "done",
        subject: `organization ${organization}`,
        details: { fields: "name address timeout_global zone", zone: "north america", timeout_global: 60 },
      }),
    ]);
  });

  it("is told to all members at once, and to nobody else", async () => {
    const test = await createTestApp({ listen: true });
    const organization = await anOrganization(test.db);
    const [robin, kim] = [await test.as({ organization, role: "manager" }), await test.as({ organization })];
    const others = [await test.as({ role: "manager" }), await test.as({ role: "guest" })];
    const [manager, member, ...strangers] = await Promise.all(
      [robin, kim, ...others].map((person) => connectSocket(test.port, person, ["websocket"])),
    );
    await robin.put(`/v1/organizations/${organization}`, timeouts({ global: 60 }));
    const told = { channel: "organization-updates", uuid: organization };
    expect([await manager?.count(1), await member?.count(1)]).toEqual([[told], [told]]);
    for (const { received } of strangers) expect(received).toEqual([]);
  });

  it("shows whom to bill to managers only", async () => {
    const { edit, look, kim } = await setUp();
    await edit({
      company_name: "Moss Ltd",
      vat_number: "GB980780684",
      additional_billing_contact_email: "a@b.example",
      address,
    });
    expect(await look(kim)).toMatchObject({
      company_name: "",
      vat_number: "",
      additional_billing_contact_email: null,
      address: null,
    });
  });
});

const startedBy = async (test: TestApp, person: Awaited<ReturnType<TestApp["as"]>>) => {
  const { uuid, timeouts: given } = (await person.start()).json();
  const { zone } = await test.db
    .selectFrom("instances")
    .select("zone")
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  return { uuid: uuid as string, timeouts: given, zone };
};

describe("the timeouts", () => {
  it("are those of devices that start from now on, and end them", async () => {
    const test = await setUp();
    await aGateway(test, aRuntime().runtime);
    const before = await startedBy(test, test.kim);
    await test.edit(timeouts({ inactivity: 1, global: 15 }));
    const after = await startedBy(test, test.kim);
    expect([before.timeouts, after.timeouts]).toEqual([
      { inactivity: 30, global: 0 },
      { inactivity: 1, global: 15 },
    ]);
    await until("ONLINE", () => test.instance(before.uuid));
    await until("ONLINE", () => test.instance(after.uuid));
    for (let ms = 0; ms <= 60_000; ms += BEAT_MS) {
      // One that listens, one that beats, and so on: all have done what they do.
      await expect.poll(() => test.clock.sleeping).toBeGreaterThanOrEqual(6);
      await test.clock.advance(BEAT_MS);
    }
    await until("DELETED", () => test.instance(after.uuid));
    expect(await test.instance(before.uuid)).toBe("ONLINE");
    const { reason } = await test.db
      .selectFrom("instance_events")
      .select("reason")
      .where("instance_uuid", "=", after.uuid)
      .where("to_state", "=", "STOPPING")
      .executeTakeFirstOrThrow();
    expect(reason).toBe("inactivity");
  });
});

describe("the zone", () => {
  it("decides which machines run devices that start from now on", async () => {
    const test = await setUp();
    const [here, there] = [aRuntime("frankfurt"), aRuntime("singapore")];
    await aGateway(test, here.runtime, { name: "here", zones: ["europe", "north america"] });
    await aGateway(test, there.runtime, { name: "there", zones: ["southeast asia"] });
    const first = await startedBy(test, test.kim);
    await until("ONLINE", () => test.instance(first.uuid));
    await test.edit(zoned("southeast asia"));
    const second = await startedBy(test, test.kim);
    await until("ONLINE", () => test.instance(second.uuid));
    expect([first.zone, second.zone]).toEqual(["europe", "southeast asia"]);
    expect([here.machines.size, there.machines.size]).toEqual([1, 1]);
    const { lease_holder } = await test.db
      .selectFrom("instances")
      .select("lease_holder")
      .where("uuid", "=", second.uuid)
      .executeTakeFirstOrThrow();
    expect(lease_holder).toBe("there");
  });

  it("must be one in which devices can run, now and when they start", async () => {
    const test = await setUp({ zone: "north america" });
    const { leave } = await aGateway(test, aRuntime().runtime, { zones: ["north america", "europe"] });
    expect(await test.edit(zoned("southeast asia"))).toMatchObject({ status: 503, code: "ZONE_NOT_AVAILABLE" });
    expect((await test.kim.start()).statusCode).toBe(201);
    await leave();
    const other = await aGateway(test, aRuntime().runtime, { zones: ["southeast asia"] });
    expect((await test.kim.start()).json().code).toBe("ZONE_NOT_AVAILABLE");
    // While no machine is up at all, devices wait for the first.
    await other.leave();
    expect((await test.kim.start()).statusCode).toBe(201);
  });

  it("stays where it is dedicated: managers are told so, and may send what it is", async () => {
    const { edit, look } = await setUp({ zone: "north america", zone_type: "dedicated" });
    expect(isDedicatedZone(await look())).toBe(true);
    expect(await edit(zoned("europe"))).toMatchObject({ status: 409, code: "ZONE_IS_DEDICATED" });
    expect(await edit({ ...zoned("north america"), name: "Fern" })).toMatchObject({ status: 200, name: "Fern" });
    expect(isDedicatedZone({ license: (await (await setUp()).look()).license })).toBe(false);
  });

  it("stays where the operator dedicates it at the same moment", async () => {
    const { db, edit, look, operator, organization } = await setUp({ zone: "north america" });
    let editing: ReturnType<typeof edit> | undefined;
    await db.transaction().execute(async (trx) => {
      await setZone({ ...operator, db: trx }, organization, { zone: "north america", isDedicated: true });
      editing = edit(zoned("europe"));
      await Promise.race([editing, untilBlocked(db)]);
    });
    expect(await editing).toMatchObject({ status: 409, code: "ZONE_IS_DEDICATED" });
    expect(await look()).toMatchObject(zoned("north america"));
  });
});
