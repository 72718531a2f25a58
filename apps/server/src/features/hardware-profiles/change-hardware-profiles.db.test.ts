import type { HardwareProfile } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";

const path = "/v1/hardware-profiles";
const display = { width: 1080, height: 2400, density: 420 };
const displays = (...all: object[]) => ({ display_settings: { displays: all.map((own) => ({ ...display, ...own })) } });
const minimal = { name: "Fern", ...displays({}) };

/** Robin and the colleague Kim, their manager and a stranger. */
async function people() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const create = async (body: object = {}) => (await robin.post(path, { ...minimal, ...body })).json<HardwareProfile>();
  return {
    ...test,
    robin,
    kim: await test.as({ organization }),
    manager: await test.as({ organization, role: "manager" }),
    stranger: await test.as(),
    create,
  };
}

const official = async (reader: { get: (path: string) => Promise<{ json: () => unknown }> }) =>
  ((await reader.get(`${path}?source=official&page_size=1`)).json() as { results: [HardwareProfile] }).results[0];

const codeOf = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  (answer.json() as { code: string }).code,
];

describe("POST /v1/hardware-profiles", () => {
  it("creates a profile of the caller's, with what most devices have in common", async () => {
    const { robin, kim, audited } = await people();
    const created = await robin.post(`${path}/`, { ...minimal, name: "  Fern " });
    const profile = created.json<HardwareProfile>();
    expect([created.statusCode, profile]).toEqual([
      201,
      {
        uuid: expect.any(String),
        name: "Fern",
        is_official: false,
        status: "READY",
        revision: 1,
        owner: { uuid: robin.user.uuid, email: robin.user.email, first_name: "Robin", last_name: "Reed" },
        recipe_count: 0,
        form_factor: "PHONE",
        display_mode: "REGULAR",
        display_settings: {
          displays: [{ ...display, physical_size: null, show_navigation_bar: true }],
          hw_navigation_keys: false,
        },
        device_properties: {},
        cpu_count: 4,
        ram_size: 4096,
        data_disk_size: 16_384,
      },
    ]);
    expect((await kim.get(`${path}/${profile.uuid}/`)).json()).toEqual(profile);
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "hardware_profile.create", subject: expect.stringContaining(profile.uuid) }),
    );
  });

  it("takes what command-line clients send", async () => {
    const { robin } = await people();
    const body = {
      name: "cli",
      device_properties: {},
      display_settings: { displays: [display], hw_navigation_keys: true },
      form_factor: "TABLET",
      cpu_count: 2,
      ram_size: 2048,
      data_disk_size: 8192,
    };
    const answer = await robin.post(`${path}/`, body);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      {
        ...body,
        display_settings: { displays: [{ ...display, show_navigation_bar: false }], hw_navigation_keys: true },
      },
    ]);
  });

  it("takes a profile that was read, as a copy", async () => {
    const { robin } = await people();
    const original = await official(robin);
    const copy = (await robin.post(path, { ...original, name: "Copy" })).json<HardwareProfile>();
    const { uuid, owner } = copy;
    expect(copy).toEqual({ ...original, uuid, owner, name: "Copy", is_official: false, recipe_count: 0, revision: 1 });
    expect(uuid).not.toBe(original.uuid);
  });

  it("keeps what it is told of each display, and properties that are not empty", async () => {
    const { create } = await people();
    const given = displays({ physical_size: 6.7, show_navigation_bar: false }, { density: 72, physical_size: null });
    const profile = await create({
      ...given,
      display_mode: "FOLDABLE",
      device_properties: { product_model: "Fern 1", serialno: "", build_type: "user" },
    });
    expect(profile).toMatchObject({
      display_mode: "FOLDABLE",
      display_settings: {
        displays: [
          { ...display, physical_size: 6.7, show_navigation_bar: false },
          { ...display, density: 72, physical_size: null, show_navigation_bar: true },
        ],
      },
    });
    expect(profile.device_properties).toEqual({ product_model: "Fern 1", build_type: "user" });
  });

  it.each([
    [{ name: " " }, "name", "Required"],
    [{ name: "x".repeat(251) }, "name", "Use up to 250 characters"],
    [{ form_factor: "FRIDGE" }, "form_factor", expect.any(String)],
    [{ cpu_count: 3 }, "cpu_count", "Must be one of 1, 2, 4, 8"],
    [{ ram_size: 1000 }, "ram_size", "Must be one of 1024, 2048, 3072, 4096, 6144, 8192"],
    [{ data_disk_size: 1023 }, "data_disk_size", "Must be at least 1024"],
    [{ data_disk_size: 262_145 }, "data_disk_size", "Must be at max 262144"],
    [{ data_disk_size: 2048.5 }, "data_disk_size", "Must be an integer"],
    [{ data_disk_size: "2048" }, "data_disk_size", "Must be a number"],
    [displays(), "display_settings.displays", "Requires only 1 display."],
    [displays({ width: 0 }), "display_settings.displays.0.width", "Must be at least 1"],
    [displays({ height: 8193 }), "display_settings.displays.0.height", "Must be at max 8192"],
    [displays({ width: 1.5 }), "display_settings.displays.0.width", "Must be an integer"],
    [displays({ density: 71 }), "display_settings.displays.0.density", "Must be at least 72"],
    [displays({ density: 961 }), "display_settings.displays.0.density", "Must be at max 960"],
    [displays({ physical_size: 0.4 }), "display_settings.displays.0.physical_size", "Must be at least 0.5"],
    [displays({ physical_size: 121 }), "display_settings.displays.0.physical_size", "Must be at max 120"],
    [displays({}, {}), "display_settings.displays", "Requires only 1 display."],
    [{ display_mode: "FOLDABLE" }, "display_settings.displays", "Requires 2 displays."],
    [{ display_mode: "FOLDABLE", ...displays({}, {}, {}) }, "display_settings.displays", "Requires 2 displays."],
    [{ display_mode: "MULTI_DISPLAY" }, "display_settings.displays", "Requires at least 2 displays."],
    [
      { display_mode: "MULTI_DISPLAY", ...displays({}, {}, {}, {}, {}) },
      "display_settings.displays",
      "Requires at most 4 displays.",
    ],
    [{ device_properties: { product_model: "\u00e9" } }, "device_properties.product_model", expect.any(String)],
    [{ device_properties: { product_brand: "a/b" } }, "device_properties.product_brand", expect.any(String)],
    [{ device_properties: { serialno: "x".repeat(92) } }, "device_properties.serialno", "Use up to 91 characters"],
    [{ device_properties: { build_type: "release" } }, "device_properties.build_type", expect.any(String)],
    [{ device_properties: { build_tags: "a,,b" } }, "device_properties.build_tags", expect.any(String)],
    [{ device_properties: { vm_heap_size: "2g" } }, "device_properties.vm_heap_size", expect.any(String)],
    [{ device_properties: { "ro.debuggable": "1" } }, "device_properties", expect.stringContaining("ro.debuggable")],
  ])("refuses %j", async (fields, field, message) => {
    const { robin } = await people();
    const refused = await robin.post(path, { ...minimal, ...fields });
    expect(codeOf(refused)).toEqual([400, "invalid_request"]);
    expect(refused.json().fields).toEqual([{ field, message }]);
  });

  it.each(["MULTI_DISPLAY", "FOLDABLE"])("takes two displays for %s", async (display_mode) => {
    const { create } = await people();
    expect(await create({ display_mode, ...displays({}, { width: 720 }) })).toMatchObject({ display_mode });
  });
});

describe("PUT /v1/hardware-profiles/:uuid", () => {
  it("changes what it names, for the owner and the manager", async () => {
    const { robin, manager, create, audited, clock, db } = await people();
    const profile = await create();
    await clock.advance(60_000);
    const edited = await robin.put(`${path}/${profile.uuid}`, { name: "Moss", cpu_count: 8 });
    expect([edited.statusCode, edited.json()]).toEqual([200, { ...profile, name: "Moss", cpu_count: 8, revision: 2 }]);
    const again = await manager.put(`${path}/${profile.uuid}/`, {
      display_mode: "FOLDABLE",
      ...displays({}, { width: 720 }),
    });
    expect(again.json()).toMatchObject({ name: "Moss", display_mode: "FOLDABLE", owner: { uuid: robin.user.uuid } });
    // What was read says more of each display than what was sent.
    const read = again.json<HardwareProfile>();
    expect((await robin.put(`${path}/${profile.uuid}`, read)).json()).toEqual({ ...read, revision: read.revision + 1 });
    const row = await db
      .selectFrom("hardware_profiles")
      .select(["created_at", "updated_at"])
      .where("uuid", "=", profile.uuid)
      .executeTakeFirstOrThrow();
    expect(row.updated_at.getTime() - row.created_at.getTime()).toBe(60_000);
    expect((await audited()).filter(({ action }) => action === "hardware_profile.edit").length).toBe(3);
  });

  it("changes only the revision that it is told, if any", async () => {
    const { robin, manager, create } = await people();
    const { uuid, revision } = await create();
    const named = (await manager.put(`${path}/${uuid}`, { name: "Moss", revision })).json<HardwareProfile>();
    expect(named).toMatchObject({ name: "Moss", revision: revision + 1 });
    const stale = { name: "Fern", cpu_count: 8, revision };
    expect(codeOf(await robin.put(`${path}/${uuid}`, stale))).toEqual([409, "HARDWARE_PROFILE_CHANGED"]);
    expect((await robin.get(`${path}/${uuid}`)).json()).toEqual(named);
    const again = await robin.put(`${path}/${uuid}`, { ...stale, revision: named.revision });
    expect(again.json()).toMatchObject({ name: "Fern", cpu_count: 8, revision: revision + 2 });
    expect((await robin.put(`${path}/${uuid}`, { name: "Ivy" })).json()).toMatchObject({ name: "Ivy" });
  });

  it("holds the displays against the mode that is stored, and the mode against the displays", async () => {
    const { robin, create } = await people();
    const { uuid } = await create();
    for (const body of [displays({}, {}), { display_mode: "FOLDABLE" }]) {
      const refused = await robin.put(`${path}/${uuid}`, body);
      expect(codeOf(refused)).toEqual([400, "invalid_request"]);
      expect(refused.json().fields[0].field).toBe("display_settings.displays");
    }
    expect((await robin.get(`${path}/${uuid}`)).json()).toMatchObject({ display_mode: "REGULAR", ...displays({}) });
  });

  it("refuses a form factor that the image of one of its recipes does not support", async () => {
    const { db, robin, create } = await people();
    const { uuid } = await create();
    const image = await aCustom(db, "os_images", robin.user, { form_factors: ["PHONE", "TABLET"] });
    await aCustom(db, "recipes", robin.user, { hardware_profile_uuid: uuid, os_image_uuid: image });
    expect(codeOf(await robin.put(`${path}/${uuid}`, { form_factor: "TV" }))).toEqual([400, "FORM_FACTOR_MISMATCH"]);
    expect((await robin.put(`${path}/${uuid}`, { form_factor: "TABLET" })).statusCode).toBe(200);
  });

  it("leaves devices that run as they were started", async () => {
    const { db, robin, create } = await people();
    const { uuid } = await create();
    const image = await aCustom(db, "os_images", robin.user);
    const recipe = await aCustom(db, "recipes", robin.user, { hardware_profile_uuid: uuid, os_image_uuid: image });
    const start = async (instance_name: string) =>
      (await robin.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name })).json();
    const before = await start("before");
    await robin.put(`${path}/${uuid}`, displays({ width: 720 }));
    expect((await robin.get(`/v1/instances/${before.uuid}`)).json().hardware_profile.width).toBe(1080);
    expect((await start("after")).hardware_profile.width).toBe(720);
  });
});

describe("DELETE /v1/hardware-profiles/:uuid", () => {
  it("leaves its recipes incomplete, after telling how many there are", async () => {
    const { db, robin, stranger, create, audited } = await people();
    const { uuid } = await create();
    const image = await aCustom(db, "os_images", robin.user);
    const parts = { hardware_profile_uuid: uuid, os_image_uuid: image };
    const recipe = await aCustom(db, "recipes", robin.user, parts);
    // Cannot be, and would not be counted.
    await aCustom(db, "recipes", stranger.user, parts);
    expect((await robin.get(`${path}/${uuid}`)).json().recipe_count).toBe(1);
    const deleted = await robin.delete(`${path}/${uuid}/`);
    expect([deleted.statusCode, deleted.body]).toEqual([204, ""]);
    expect(codeOf(await robin.get(`${path}/${uuid}`))).toEqual([404, "HARDWARE_PROFILE_NOT_FOUND"]);
    expect((await robin.get(`/v2/recipes/${recipe}`)).json()).toMatchObject({ hardware_profile: null });
    expect(codeOf(await robin.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "one" }))).toEqual([
      409,
      "RECIPE_INCOMPLETE",
    ]);
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "hardware_profile.delete", subject: expect.stringContaining(uuid) }),
    );
  });
});

describe("a profile that is not the caller's", () => {
  it.each(["put", "delete"] as const)("is not changed by %s", async (method) => {
    const { robin, kim, stranger, create } = await people();
    const own = await create();
    const kept = await official(robin);
    const refused = async (who: typeof robin, uuid: string) =>
      codeOf(await who[method](`${path}/${uuid}`, { name: "x" }));
    expect(await refused(kim, own.uuid)).toEqual([403, "HARDWARE_PROFILE_NOT_ALLOWED"]);
    expect(await refused(stranger, own.uuid)).toEqual([404, "HARDWARE_PROFILE_NOT_FOUND"]);
    expect(await refused(robin, kept.uuid)).toEqual([403, "HARDWARE_PROFILE_NOT_ALLOWED"]);
    expect(await refused(robin, randomUUID())).toEqual([404, "HARDWARE_PROFILE_NOT_FOUND"]);
    expect(codeOf(await robin[method](`${path}/1`, {}))).toEqual([400, "INVALID_IDENTIFIER"]);
    expect((await robin.get(`${path}/${own.uuid}`)).json()).toEqual(own);
    expect((await robin.get(`${path}/${kept.uuid}`)).json()).toEqual(kept);
  });

  it("is not made, changed or deleted by guests", async () => {
    const { as, create } = await people();
    const guest = await as({ role: "guest" });
    const { uuid } = await create();
    const answers = [
      await guest.post(path, minimal),
      await guest.put(`${path}/${uuid}`, { name: "x" }),
      await guest.delete(`${path}/${uuid}`),
    ];
    expect(answers.map(codeOf)).toEqual([
      [403, "FORBIDDEN"],
      [403, "FORBIDDEN"],
      [403, "FORBIDDEN"],
    ]);
  });
});
