import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cancelMails, sendMail } from "../../platform/mail/send-mail.ts";
import { createTestApp, testSettings } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { aFailedJob, aFoundDevice, anOperator, foundDevice } from "../../testing/operator.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { checkZone, deleteGateway, upsertGateway } from "../instances/gateways.ts";
import { claimInstances } from "../instances/leases.store.ts";
import { premiumForm } from "../../testing/plan-requests.ts";
import { listFound, offerCalled } from "./offer.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { aTenant } from "../../testing/tenant.ts";

const base = "/v1/operator";

async function console_({ has_mailbox = true } = {}) {
  const test = await createTestApp({ publicSettings: { ...testSettings, has_mailbox } });
  return { ...test, operator: await anOperator(test), by: test.operator, tenant: await aTenant(test) };
}

describe("GET /v1/operator/overview", () => {
  it("shows how the service is, what is urgent first", async () => {
    const test = await console_({ has_mailbox: false });
    await aFailedJob(test);
    await test.tenant.owner.start();
    const { manager, organization } = test.tenant;
    await manager.post(`/v1/organizations/${organization}/premium-offer-request`, premiumForm);
    for (const subject of ["Sent", "Unsent"])
      await sendMail(test.db, test.clock, { to: { address: "robin@fern.test" }, subject, text: "", html: "" });
    await sql`UPDATE mails SET sent_at = now() WHERE subject <> 'Unsent'`.execute(test.db);
    const reply = await test.operator.get(`${base}/overview`);
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      version: "0.0.0",
      attention: [
        { what: "no_gateway", is_urgent: true },
        { what: "unattended_devices", count: 1 },
        { what: "jobs_failed", is_urgent: false, count: 1 },
        { what: "mails_kept", is_urgent: false, count: 1 },
        { what: "requests_waiting", is_urgent: false, count: 1 },
      ],
      devices: { states: [{ state: "CREATING", count: 1 }], unattended: 1 },
      gateways: [],
      servers: [],
      mails: { unsent: 1, stuck_seconds: null },
    });
    const { database, jobs } = reply.json();
    expect(database.bytes).toBeGreaterThan(1_000_000);
    expect(database.connections_max).toBeGreaterThan(database.connections);
    expect(jobs.queues).toContainEqual({ name: "send-mail", waiting: expect.any(Number), running: 0, failed: 1 });
  });

  it("counts the devices of each gateway", async () => {
    const { db, operator, tenant } = await console_();
    await sql`INSERT INTO gateways (id, address, zones) VALUES ('east', '127.0.0.1:1', '{europe}'), ('west', '127.0.0.1:2', NULL)`.execute(
      db,
    );
    for (const [state, lease_holder] of [
      ["ONLINE", "east"],
      ["BOOTING", "east"],
      ["DELETED", "east"],
      ["ONLINE", "gone"],
    ] as const) {
      const { uuid } = (await tenant.owner.start()).json<{ uuid: string }>();
      await db.updateTable("instances").set({ state, lease_holder }).where("uuid", "=", uuid).execute();
    }
    const { gateways, attention } = (await operator.get(`${base}/overview`)).json();
    expect(gateways).toEqual([
      { id: "east", zones: ["europe"], is_draining: false, devices: 2, online: 1, machine: [], found: [] },
      { id: "west", zones: null, is_draining: false, devices: 0, online: 0, machine: [], found: [] },
    ]);
    expect(attention).toEqual([{ what: "unattended_devices", is_urgent: true, count: 1 }]);
  });
});

describe("POST /v1/operator/offer", () => {
  const byKey = { runtime: foundDevice.runtime, key: foundDevice.key };

  it("makes a recipe of a device that a gateway has found, once", async () => {
    const { db, operator, tenant } = await console_();
    await aFoundDevice(db);
    // What a customer has saved of it is no offer.
    const saved = { runtime: "adb-pool", artefact: "model:Pixel 7", sdk_version: 34 };
    await aCustom(db, "os_images", tenant.owner.user, saved);
    const shown = async () => (await operator.get(`${base}/overview`)).json().gateways[0];
    expect((await shown()).machine).toMatchObject([{ what: "kvm", is_possible: false }]);
    expect((await shown()).found).toEqual([
      { ...byKey, name: "Google Pixel 7", is_free: true, problem: null, is_offered: false },
      { ...byKey, key: "R6", name: "R6", is_free: false, problem: "unauthorized", is_offered: false },
      { ...byKey, key: "R8", name: "Google Pixel 7", is_free: true, problem: null, is_offered: false },
    ]);
    const offered = await operator.post(`${base}/offer`, foundDevice);
    expect([offered.statusCode, offered.json().name]).toEqual([201, "Google Pixel 7, Android 14"]);
    expect((await operator.post(`${base}/offer`, foundDevice)).json()).toEqual(offered.json());
    expect((await shown()).found[0].is_offered).toBe(true);
    const { uuid } = offered.json();
    const { recipes } = (await operator.get(`${base}/catalogue`)).json();
    expect(recipes).toContainEqual(
      expect.objectContaining({ uuid, status: "READY", arch: "arm64", os_version: "14.0", runtime: "adb-pool" }),
    );
    const { rows } = await sql<{ details: object }>`
      SELECT details FROM audit_records WHERE action = 'catalogue.offer' AND subject_uuid = ${uuid}`.execute(db);
    expect(rows.map(({ details }) => details)).toContainEqual(expect.objectContaining({ device: "R5CT10XYZAB" }));
  });

  it("makes a phone that folds of a foldable, and takes the least of a device that tells too little", async () => {
    const { db, operator } = await console_();
    await aFoundDevice(db, { formFactor: "FOLDABLE", ramMb: 0, dataDiskMb: 1 });
    expect((await operator.post(`${base}/offer`, foundDevice)).statusCode).toBe(201);
    const made = db
      .selectFrom("hardware_profiles")
      .select(["form_factor", "display_mode", "ram_size", "data_disk_size"]);
    expect(await made.where("name", "=", "Google Pixel 7").executeTakeFirst()).toEqual({
      form_factor: "PHONE",
      display_mode: "FOLDABLE",
      ram_size: 256,
      data_disk_size: 256,
    });
  });

  it("needs the key alone of the operator's tool, unless two runtimes have it", async () => {
    const { db, by: tool } = await console_();
    await aFoundDevice(db);
    expect((await listFound(db)).map(({ key, says }) => `${key} ${says}`)).toEqual([
      "R5CT10XYZAB free",
      "R6 unauthorized",
      "R8 free",
    ]);
    const offer = (key: string, runtime?: string) => offerCalled(tool, { key, runtime }, tool.by);
    expect(await offer("R5CT10XYZAB")).toMatchObject({ name: "Google Pixel 7, Android 14" });
    await expect(offer("R7")).rejects.toThrow("No gateway has found R7");
    await expect(offer("R6")).rejects.toThrow("unauthorized");
    await upsertGateway(db, "rack", "127.0.0.1:2");
    await sql`UPDATE gateways SET found = replace((SELECT found FROM gateways WHERE id = 'desk')::text, '"adb-pool"', '"docker"')::jsonb
      WHERE id = 'rack'`.execute(db);
    await expect(offer("R5CT10XYZAB")).rejects.toThrow("Name one with --runtime: adb-pool, docker");
    expect(await offer("R5CT10XYZAB", "docker")).toMatchObject({ name: "Google Pixel 7, Android 14" });
  });

  it("refuses what no gateway has, and what has not said what it is, or says what cannot be", async () => {
    const { db, operator } = await console_();
    await aFoundDevice(db);
    for (const wrong of [{ gateway: "other" }, { runtime: "simulator" }, { key: "R7" }, { key: "R6" }, { key: "R8" }])
      expect(outcomeOf(await operator.post(`${base}/offer`, { ...foundDevice, ...wrong }))).toBe(
        "404 FOUND_DEVICE_NOT_FOUND",
      );
  });
});

describe("PUT /v1/operator/gateways/:id", () => {
  const drained = async () => {
    const test = await console_();
    await sql`INSERT INTO gateways (id, address, zones) VALUES ('east', '127.0.0.1:1', '{europe}'), ('west', '127.0.0.1:2', NULL)`.execute(
      test.db,
    );
    const set = async (id: string, is_draining: boolean) =>
      outcomeOf(await test.operator.put(`${base}/gateways/${id}`, { is_draining }));
    const claim = async (holder: string) => {
      const rows = await claimInstances(test.db, { holder, reach: [{ runtime: "simulator", place: "here" }] }, 9);
      return rows.length;
    };
    const start = async () => outcomeOf(await test.tenant.owner.start());
    expect(await set("east", true)).toBe("204");
    return { ...test, set, claim, start };
  };

  it("keeps new devices away, also when the gateway comes back, until it is undone", async () => {
    const { db, set, claim, start, operator } = await drained();
    expect(await start()).toBe("201");
    expect(await claim("east")).toBe(0);
    await deleteGateway(db, "east", "127.0.0.1:1");
    await upsertGateway(db, "east", "127.0.0.1:3", ["europe"]);
    expect(await claim("east")).toBe(0);
    const { gateways, attention } = (await operator.get(`${base}/overview`)).json();
    expect(gateways.map(({ is_draining }: { is_draining: boolean }) => is_draining)).toEqual([true, false]);
    expect(attention).toContainEqual({ what: "gateways_draining", is_urgent: false, count: 1 });
    expect(await set("east", false)).toBe("204");
    expect(await claim("east")).toBe(1);
  });

  it("leaves those that run where they are, and lets another gateway take the rest", async () => {
    const { db, claim, start } = await drained();
    await start();
    await sql`UPDATE instances SET state = 'ONLINE', place = 'here'`.execute(db);
    expect(await claim("east")).toBe(1);
    await start();
    expect(await claim("west")).toBe(1);
  });

  it("refuses a start that no gateway would take, but nobody who signs up", async () => {
    const { db, set, start } = await drained();
    await set("west", true);
    expect(await start()).toBe("503 ZONE_NOT_AVAILABLE");
    await expect(checkZone(db, "europe")).resolves.toBeUndefined();
  });

  it("records what has changed, once, and refuses a gateway that is not there", async () => {
    const { db, set } = await drained();
    expect(await set("east", true)).toBe("204");
    expect(await set("west", false)).toBe("204");
    expect(await set("east", false)).toBe("204");
    expect(await set("north", true)).toBe("404 GATEWAY_NOT_FOUND");
    expect(await set("north", false)).toBe("404 GATEWAY_NOT_FOUND");
    const records = db.selectFrom("audit_records").select(["action", "details"]).where("action", "like", "gateway.%");
    expect(await records.orderBy("id").execute()).toEqual([
      { action: "gateway.drain", details: { gateway: "east" } },
      { action: "gateway.undrain", details: { gateway: "east" } },
    ]);
  });
});

describe("GET /v1/operator/organizations", () => {
  it("lists all of them, by name, uuid or somebody's address", async () => {
    const { operator, tenant, db } = await console_();
    const other = await anOrganization(db, { name: "100% Moss" });
    const names = async (query: string) =>
      (await operator.get(`${base}/organizations?${query}`)).json().results.map(({ name }: { name: string }) => name);
    expect(await names("")).toEqual(["100% Moss", tenant.marker]);
    expect(await names("ordering=-name")).toEqual([tenant.marker, "100% Moss"]);
    expect(await names("search=0%25%20mo")).toEqual(["100% Moss"]);
    expect(await names(`search=${other.toUpperCase()}`)).toEqual(["100% Moss"]);
    expect(await names(`search=${tenant.owner.user.email}`)).toEqual([tenant.marker]);
    expect(await names("search=nobody")).toEqual([]);
    expect(await names("page_size=1&page=2")).toEqual([tenant.marker]);
    await tenant.owner.start();
    expect((await operator.get(`${base}/organizations`)).json().results).toMatchObject([
      { people: 0, running_instances: 0 },
      { people: 3, running_instances: 1, instances_max: 100 },
    ]);
  });

  it("filters by the license", async () => {
    const { operator, tenant, db, clock } = await console_();
    const past = new Date(clock.now() - 1000);
    await anOrganization(db, { name: "Over", license_expires_at: past });
    await anOrganization(db, { name: "Off", license_is_active: false });
    await anOrganization(db, { name: "Unpaid", is_unpaid: true });
    const names = async (license: string) =>
      (await operator.get(`${base}/organizations?license=${license}`))
        .json()
        .results.map(({ name }: { name: string }) => name);
    expect(await names("active")).toEqual([tenant.marker]);
    expect(await names("expired")).toEqual(["Over"]);
    expect(await names("inactive")).toEqual(["Off", "Unpaid"]);
  });
});

describe("PUT /v1/operator/organizations/:uuid", () => {
  it("changes license, limits and zone, which the organization reads in its own audit log", async () => {
    const { operator, tenant } = await console_();
    const path = `${base}/organizations/${tenant.organization}`;
    const before = (await operator.get(path)).json();
    const expires_at = "2027-01-01T00:00:00.000Z";
    const reply = await operator.put(path, {
      reason: "trial until the new year",
      license: { type: "pending", expires_at },
      limits: { devices: 3, saved_gigabytes: 7 },
      zone: { name: "southeast asia", is_dedicated: true },
    });
    expect(reply.json()).toEqual({
      ...before,
      instances_max: 3,
      license: { type: "pending", is_active: true, is_unpaid: false, expires_at },
      limits: { ...before.limits, devices: 3, saved_gigabytes: 7 },
      zone: { name: "southeast asia", is_dedicated: true },
    });
    expect((await operator.get(path)).json()).toEqual(reply.json());
    const log = (
      await tenant.manager.get("/v1/audit?action=organization.set_license,organization.set_limit,organization.set_zone")
    ).json();
    const reason = "trial until the new year";
    const actor = { kind: "operator", uuid: operator.user.uuid, email: null };
    const told = { actor, address: null, credential_uuid: null };
    expect(log.results).toMatchObject([
      { ...told, action: "organization.set_zone", details: { zone: "southeast asia", zone_type: "dedicated", reason } },
      {
        ...told,
        action: "organization.set_limit",
        details: { instances_max: 3, saved_bytes_max: 7 * 1024 ** 3, reason },
      },
      {
        ...told,
        action: "organization.set_license",
        details: { license_type: "pending", license_expires_at: expires_at, reason },
      },
    ]);
  });

  it("records nothing when nothing changes, and lets a license not end any more", async () => {
    const { operator, tenant, audited } = await console_();
    const path = `${base}/organizations/${tenant.organization}`;
    await operator.put(path, { reason: "a", license: { expires_at: "2027-01-01T00:00:00.000Z" } });
    const count = (await audited()).length;
    await operator.put(path, { reason: "b", limits: { devices: 100 }, license: { is_active: true } });
    expect((await audited()).length).toBe(count);
    expect(
      (await operator.put(path, { reason: "c", license: { expires_at: null } })).json().license.expires_at,
    ).toBeNull();
  });

  it("lets devices start although a plan that has ended was not paid", async () => {
    const { operator, tenant, db } = await console_();
    const path = `${base}/organizations/${tenant.organization}`;
    await db.updateTable("organizations").set({ is_unpaid: true }).where("uuid", "=", tenant.organization).execute();
    const reply = await operator.put(path, { reason: "written off", license: { is_unpaid: false } });
    expect(reply.json()).toMatchObject({ license: { is_active: true, is_unpaid: false } });
  });

  it("keeps devices from starting where the license is not active", async () => {
    const { operator, tenant } = await console_();
    await operator.put(`${base}/organizations/${tenant.organization}`, {
      reason: "not paid",
      license: { is_active: false },
    });
    expect(outcomeOf(await tenant.owner.start())).toBe("403 INVALID_LICENSE");
  });

  it.each([
    [{ limits: { devices: 3 } }, "reason"],
    [{ reason: " ", limits: { devices: 3 } }, "reason"],
    [{ reason: "a", limits: { devices: -1 } }, "limits.devices"],
    [{ reason: "a", limits: { devices: 100_001 } }, "limits.devices"],
    [{ reason: "a", limits: { devices: 1.5 } }, "limits.devices"],
    [{ reason: "a", license: { type: "free" } }, "license.type"],
    [{ reason: "a", license: { is_unpaid: true } }, "license.is_unpaid"],
    [{ reason: "a", license: { expires_at: "tomorrow" } }, "license.expires_at"],
    [{ reason: "a", zone: { name: "mars", is_dedicated: true } }, "zone.name"],
  ])("refuses %j", async (body, field) => {
    const { operator, tenant } = await console_();
    const reply = await operator.put(`${base}/organizations/${tenant.organization}`, body);
    expect([reply.statusCode, reply.json().fields[0].field]).toEqual([400, field]);
  });

  it("says that there is no such organization", async () => {
    const { operator } = await console_();
    for (const path of [`${base}/organizations/${randomUUID()}`, `${base}/organizations/${randomUUID()}/people`])
      expect(outcomeOf(await operator.get(path))).toBe("404 ORGANIZATION_NOT_FOUND");
    expect(outcomeOf(await operator.put(`${base}/organizations/${randomUUID()}`, { reason: "a" }))).toBe(
      "404 ORGANIZATION_NOT_FOUND",
    );
  });
});

describe("the people of an organization", () => {
  it("are listed and found, and those of others are not", async () => {
    const test = await console_();
    const { operator, tenant } = test;
    await test.as();
    await setUpTotp(test, tenant.owner);
    const people = `${base}/organizations/${tenant.organization}/people`;
    const all = (await operator.get(people)).json();
    expect(all.count).toBe(3);
    expect(
      all.results.map(({ email, has_second_factor }: Record<string, unknown>) => [email, has_second_factor]),
    ).toEqual([
      [tenant.colleague.user.email, false],
      [tenant.manager.user.email, false],
      [tenant.owner.user.email, true],
    ]);
    expect((await operator.get(`${people}?search=OWNER@`)).json().results).toMatchObject([
      { uuid: tenant.owner.user.uuid },
    ]);
    expect((await operator.get(`${people}?search=_wner`)).json().count).toBe(0);
  });

  it("are denied access and let in again", async () => {
    const { operator, tenant, call } = await console_();
    const { user, headers } = tenant.owner;
    const set = (is_enabled: boolean) =>
      operator.put(`${base}/people/${user.uuid}/status`, { is_enabled, reason: "left the company" });
    expect((await set(false)).statusCode).toBe(204);
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(401);
    expect((await set(true)).statusCode).toBe(204);
    const login = await call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
    expect(login.statusCode).toBe(200);
    const log = (await tenant.manager.get(`/v1/audit?subject=${user.uuid}&action=user.enable,user.disable`)).json();
    expect(log.results).toMatchObject([
      { action: "user.enable", details: { reason: "left the company" } },
      { action: "user.disable", details: { reason: "left the company" } },
    ]);
  });

  it("lose their second factors only when the operator proves who they are", async () => {
    const test = await console_();
    const { operator, tenant, db } = test;
    await setUpTotp(test, tenant.owner);
    const path = `${base}/people/${tenant.owner.user.uuid}/second-factor`;
    const reason = "lost the phone";
    expect(outcomeOf(await operator.delete(path, { reason, password: "wrong horse 1" }))).toBe("403 WRONG_PASSWORD");
    const { password } = operator.user;
    expect((await operator.delete(path, { reason, password })).statusCode).toBe(204);
    expect(outcomeOf(await operator.delete(path, { reason, password }))).toBe("409 SECOND_FACTOR_MISSING");
    expect(await db.selectFrom("totp_factors").select("user_uuid").execute()).toEqual([
      { user_uuid: operator.user.uuid },
    ]);
    const log = (await tenant.manager.get("/v1/audit?action=second_factor.remove")).json();
    expect(log.results).toMatchObject([{ actor: { kind: "operator" }, details: { factor: "totp", reason } }]);
    expect((await tenant.owner.get("/v2/instances")).statusCode).toBe(401);
  });

  it("are customers: another operator is nobody here", async () => {
    const test = await console_();
    const { operator } = test;
    const other = await anOperator(test);
    const status = { reason: "a", is_enabled: false };
    const factor = { reason: "a", password: operator.user.password };
    for (const uuid of [other.user.uuid, operator.user.uuid, randomUUID()]) {
      expect(outcomeOf(await operator.put(`${base}/people/${uuid}/status`, status))).toBe("404 USER_NOT_FOUND");
      expect(outcomeOf(await operator.delete(`${base}/people/${uuid}/second-factor`, factor))).toBe(
        "404 USER_NOT_FOUND",
      );
    }
    expect((await other.get(`${base}/overview`)).statusCode).toBe(200);
  });
});

describe("background work", () => {
  const jobsOf = async (operator: Awaited<ReturnType<typeof anOperator>>, query = "") =>
    (await operator.get(`${base}/jobs?${query}`)).json().results as Record<string, unknown>[];

  it("is listed without what it carries, and found by state and words", async () => {
    const test = await console_();
    const { operator, db } = test;
    const id = await aFailedJob(test, "mail-100%");
    await sql`UPDATE jobs SET payload = '{"email": "secret@fern.test"}'`.execute(db);
    const [job] = await jobsOf(operator, "state=failed");
    expect(job).toEqual({
      id,
      name: "mail-100%",
      state: "failed",
      attempts: 24,
      created_at: expect.any(String),
      due_at: null,
      ended_at: expect.any(String),
      last_error: "the server refused it",
    });
    expect(await jobsOf(operator, "search=0%25")).toHaveLength(1);
    expect(await jobsOf(operator, "search=REFUSED")).toHaveLength(1);
    expect(await jobsOf(operator, "search=0_")).toHaveLength(0);
    expect(await jobsOf(operator, "state=running")).toHaveLength(0);
    expect(JSON.stringify(await jobsOf(operator))).not.toContain("secret@");
  });

  it("that failed is tried again: one, those of a name, or all", async () => {
    const test = await console_();
    const { operator } = test;
    const [one, two, three, four] = [
      await aFailedJob(test, "a"),
      await aFailedJob(test, "b"),
      await aFailedJob(test, "b"),
      await aFailedJob(test, "c"),
    ];
    const failed = async () => (await jobsOf(operator, "state=failed&ordering=id")).map(({ id }) => id);
    expect((await operator.post(`${base}/jobs/${one}/retry`)).statusCode).toBe(204);
    expect(outcomeOf(await operator.post(`${base}/jobs/${one}/retry`))).toBe("404 JOB_NOT_FOUND");
    expect(await failed()).toEqual([two, three, four]);
    expect((await operator.post(`${base}/jobs/retry`, { name: "b" })).json()).toEqual({ count: 2 });
    expect(await failed()).toEqual([four]);
    expect((await operator.post(`${base}/jobs/retry`, {})).json()).toEqual({ count: 1 });
    expect(await jobsOf(operator, "search=refused&state=waiting&ordering=id")).toMatchObject([
      { id: one, attempts: 0, due_at: null },
      { id: two },
      { id: three },
      { id: four },
    ]);
  });

  it("is given up, and needs no attention then", async () => {
    const test = await console_();
    const { operator, db } = test;
    const failed = await aFailedJob(test, "a");
    const { rows } = await sql<{ id: number }>`
      INSERT INTO jobs (name, key, payload, due_at, created_at) VALUES ('b', 'k', '{}', '2100-01-01', now()) RETURNING id`.execute(
      db,
    );
    const waiting = rows[0]?.id;
    for (const id of [failed, waiting]) {
      expect((await operator.delete(`${base}/jobs/${id}`)).statusCode).toBe(204);
      expect(outcomeOf(await operator.delete(`${base}/jobs/${id}`))).toBe("404 JOB_NOT_FOUND");
    }
    expect((await operator.post(`${base}/jobs/retry`, {})).json()).toEqual({ count: 0 });
    expect(await jobsOf(operator, "state=discarded")).toMatchObject([
      { id: waiting, last_error: "discarded by the operator" },
      { id: failed, last_error: "the server refused it" },
    ]);
    const { attention } = (await operator.get(`${base}/overview`)).json();
    expect(attention.map(({ what }: { what: string }) => what)).toEqual(["no_gateway"]);
  });

  it("that a restore has cancelled is not among what failed, and is not tried again", async () => {
    const { operator, db, clock } = await console_();
    const now = new Date(clock.now());
    await sql`INSERT INTO jobs (name, payload, state, attempts, due_at, created_at)
      VALUES ('send-mail', '{}', 'waiting', 0, ${now}, ${now})`.execute(db);
    await cancelMails(db, now, "It waited when a backup was restored.");
    await operator.post("/v1/operator/jobs/retry", { name: "send-mail" });
    const { rows } = await sql<{ state: string }>`SELECT state FROM jobs WHERE last_error LIKE 'It waited%'`.execute(
      db,
    );
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["dead"]));
  });

  it("that runs or has ended well is left alone", async () => {
    const test = await console_();
    const { operator, db } = test;
    const [running, done] = [await aFailedJob(test, "a"), await aFailedJob(test, "b")];
    await sql`UPDATE jobs SET state = 'waiting', holder = 'x' WHERE id = ${running}`.execute(db);
    await sql`UPDATE jobs SET state = 'done' WHERE id = ${done}`.execute(db);
    for (const id of [running, done, 999_999]) {
      expect(outcomeOf(await operator.delete(`${base}/jobs/${id}`))).toBe("404 JOB_NOT_FOUND");
      expect(outcomeOf(await operator.post(`${base}/jobs/${id}/retry`))).toBe("404 JOB_NOT_FOUND");
    }
    expect(await jobsOf(operator, "state=running")).toMatchObject([{ id: running, due_at: null }]);
  });
});

describe("GET /v1/operator/catalogue", () => {
  it("lists the official recipes, and says of which runtime there is none", async () => {
    const { operator, db } = await console_();
    await sql`UPDATE os_images SET runtime = 'absent' WHERE uuid = (SELECT os_image_uuid FROM recipes WHERE is_official ORDER BY position LIMIT 1)`.execute(
      db,
    );
    const { recipes } = (await operator.get(`${base}/catalogue`)).json();
    expect(recipes[0]).toMatchObject({ status: "READY", runtime: "absent", is_runtime_configured: false });
    expect(
      recipes.filter(({ is_runtime_configured }: { is_runtime_configured: boolean }) => is_runtime_configured).length,
    ).toBeGreaterThan(10);
  });
});
