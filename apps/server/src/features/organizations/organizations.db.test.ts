import { endedStates, instanceStates, runningStates } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { upsertGateway } from "../instances/gateways.ts";
import { organizationNamed } from "./add-organization.ts";
import { limited, setLimit } from "./set-limit.ts";
import { setZone } from "./set-zone.ts";

describe("GET /v1/organizations/:uuid", () => {
  it("answers one's own as clients read it", async () => {
    const { as, db } = await createTestApp();
    await anOrganization(db, { name: "Somebody else's" });
    const organization = await anOrganization(db, {
      name: "Mossworks",
      timeout_inactivity: 15,
      timeout_global: 60,
      supported_arch: ["x86"],
      is_debtor: true,
      license_is_active: false,
      license_expires_at: new Date("2027-03-31T00:00:00Z"),
      zone: "north america",
      zone_type: "dedicated",
    });
    expect((await (await as({ organization })).get(`/v1/organizations/${organization}`)).json()).toEqual({
      uuid: organization,
      name: "Mossworks",
      company_name: "",
      vat_number: "",
      additional_billing_contact_email: null,
      address: null,
      preferences: { timeouts: { inactivity: 15, global: 60, api: 1440 }, embed_origins: [], queue: false },
      os_images_supported_arch: ["x86"],
      is_debtor: true,
      tax_rate: null,
      license: {
        type: "metered",
        is_active: false,
        expires_at: "2027-03-31T00:00:00.000Z",
        minuteBalance: 0,
        trial: null,
        subscription: null,
        instances: { max: 10, zone: "north america", zone_type: "dedicated" },
      },
      quotas: { group_allocation: 10, group_allocation_remaining: 10 },
      requires_second_factor: false,
      running_instances: 0,
    });
  });

  it("counts the devices that run now, of all its people and nobody else", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db, { instances_max: 100 });
    const [robin, kim, stranger] = [await as({ organization }), await as({ organization }), await as()];
    const running = async () => (await robin.get(`/v1/organizations/${organization}`)).json().running_instances;
    await stranger.start();
    await robin.start();
    await kim.start();
    expect(await running()).toBe(2);
    const counted: Record<string, number> = {};
    for (const state of instanceStates) {
      await db.updateTable("instances").set({ state }).where("owner_uuid", "=", kim.user.uuid).execute();
      counted[state] = (await running()) - 1;
    }
    for (const state of runningStates) expect([state, counted[state]]).toEqual([state, 1]);
    for (const state of [...endedStates, "DELETING"]) expect([state, counted[state]]).toEqual([state, 0]);
  });

  it("knows no other, neither for a manager of another nor for a guest", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    for (const person of [await as({ role: "manager" }), await as({ role: "guest" })]) {
      const answer = await person.get(`/v1/organizations/${organization}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "ORGANIZATION_NOT_FOUND"]);
    }
  });
});

describe("setLimit", () => {
  it("changes a limit of the organization of that name only", async () => {
    const { db, operator } = await createTestApp();
    await anOrganization(db, { name: "Mossworks" });
    await anOrganization(db, { name: "Fernworks" });
    await setLimit(operator, "Mossworks", 100_000);
    const rows = await db.selectFrom("organizations").select(["name", "instances_max"]).orderBy("name").execute();
    expect(rows).toEqual([
      { name: "Fernworks", instances_max: 10 },
      { name: "Mossworks", instances_max: 100_000 },
    ]);
    for (const what of limited) await setLimit(operator, "Fernworks", 5, what);
    const fernworks = db.selectFrom("organizations").selectAll().where("name", "=", "Fernworks");
    expect(await fernworks.executeTakeFirst()).toMatchObject({
      instances_max: 5,
      recipes_max: 5,
      hardware_profiles_max: 5,
      os_images_max: 5,
      saved_bytes_max: 5 * 1024 ** 3,
    });
    await expect(setLimit(operator, "Nobody", 3)).rejects.toThrow("No organization is called Nobody.");
  });

  it("asks which one is meant if several have the name, and takes a uuid", async () => {
    const { db, operator } = await createTestApp();
    const [one, other] = [await anOrganization(db), await anOrganization(db)];
    const refused = await setLimit(operator, "Fernworks", 5).catch((error: Error) => error.message);
    expect(refused).toContain("Several organizations are called Fernworks.");
    expect(refused).toContain(one);
    expect(refused).toContain(other);
    await setLimit(operator, ` ${other.toUpperCase()}`, 5);
    const rows = await db.selectFrom("organizations").select(["uuid", "instances_max"]).execute();
    expect(Object.fromEntries(rows.map(({ uuid, instances_max }) => [uuid, instances_max]))).toEqual({
      [one]: 10,
      [other]: 5,
    });
    const nobody = "00000000-0000-4000-8000-000000000000";
    await expect(setLimit(operator, nobody, 5)).rejects.toThrow(`No organization has the uuid ${nobody}.`);
  });

  it.each([-1, 1.5, 100_001, Number.NaN])("refuses %d", async (count) => {
    const { db, operator } = await createTestApp();
    await anOrganization(db, { name: "Mossworks" });
    await expect(setLimit(operator, "Mossworks", count)).rejects.toThrow(/Too small|Too big|Invalid input/);
  });
});

describe("setZone", () => {
  it("moves the organization of that name only, and makes its zone dedicated or shared", async () => {
    const { db, operator, audited } = await createTestApp();
    await anOrganization(db, { name: "Mossworks" });
    const fernworks = await anOrganization(db, { name: "Fernworks" });
    const zoneOf = async (name: string) =>
      Object.values(
        await db
          .selectFrom("organizations")
          .select(["zone", "zone_type"])
          .where("name", "=", name)
          .executeTakeFirstOrThrow(),
      );
    await setZone(operator, "Fernworks", { zone: "southeast asia", isDedicated: true });
    expect([await zoneOf("Fernworks"), await zoneOf("Mossworks")]).toEqual([
      ["southeast asia", "dedicated"],
      ["europe", "shared"],
    ]);
    expect((await audited())[0]).toMatchObject({
      action: "organization.set_zone",
      subject: `organization ${fernworks}`,
      details: { zone: "southeast asia", zone_type: "dedicated" },
    });
    await setZone(operator, "Fernworks", { zone: "europe", isDedicated: false });
    expect(await zoneOf("Fernworks")).toEqual(["europe", "shared"]);
    await expect(setZone(operator, "Fernworks", { zone: "mars", isDedicated: false })).rejects.toThrow(
      "Invalid option",
    );
  });
});

it.each<[(string[] | null)[], string]>([
  [[], "europe"],
  [[null], "europe"],
  [[["north america"], null], "europe"],
  [[["north america"], ["southeast asia", "europe"]], "europe"],
  [[["southeast asia"], ["southeast asia", "north america"]], "north america"],
])("begins an organization where gateways are: %j", async (gateways, zone) => {
  const { db } = await createTestApp();
  for (const [index, zones] of gateways.entries()) await upsertGateway(db, `${index}`, "127.0.0.1:1", zones);
  await organizationNamed(db, "Mossworks", new Date("2026-03-02T09:00:00Z"));
  expect(await db.selectFrom("organizations").select("zone").execute()).toEqual([{ zone }]);
});

it("makes an organization of a name once", async () => {
  const { db } = await createTestApp();
  const now = new Date("2026-03-02T09:00:00Z");
  const { uuid } = await organizationNamed(db, "Mossworks", now);
  expect(await organizationNamed(db, "Mossworks", now)).toEqual({ uuid, isNew: false });
  expect(await organizationNamed(db, uuid, now)).toEqual({ uuid, isNew: false });
  expect((await organizationNamed(db, "Fernworks", now)).uuid).not.toBe(uuid);
  expect(await db.selectFrom("organizations").select("name").orderBy("name").execute()).toEqual([
    { name: "Fernworks" },
    { name: "Mossworks" },
  ]);
  // A uuid is no name for a new one.
  await expect(organizationNamed(db, "00000000-0000-4000-8000-000000000000", now)).rejects.toThrow("No organization");
});
