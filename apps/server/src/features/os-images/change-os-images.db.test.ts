import type { OsImage, Recipe } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { collectLayers, LAYER_GRACE_MS } from "../layers/layers.jobs.ts";

const path = "/v1/os-images";
const layers = [
  { sha256: "a".repeat(64), size: 100 },
  { sha256: "b".repeat(64), size: 20 },
];

/** Robin and the colleague Kim, their manager, a stranger, and images of Robin's. */
async function people() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const image = (fields: object = {}) => aCustom(test.db, "os_images", robin.user, { name: "Fern", ...fields });
  return {
    ...test,
    organization,
    robin,
    kim: await test.as({ organization }),
    manager: await test.as({ organization, role: "manager" }),
    stranger: await test.as(),
    image,
    saved: () => image({ layers: JSON.stringify(layers), previous_layers: JSON.stringify(layers.slice(0, 1)) }),
  };
}

type Person = Awaited<ReturnType<typeof people>>["robin"];

const official = async (reader: Person): Promise<OsImage> =>
  (await reader.get(`${path}?source=official&page_size=1`)).json<{ results: [OsImage] }>().results[0];

const codeOf = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  (answer.json() as { code: string }).code,
];

describe("POST /v1/os-images/:uuid/duplicate", () => {
  it("creates an image of the caller's that runs what the official one runs", async () => {
    const { db, robin, kim, audited } = await people();
    const original = await official(robin);
    const answer = await robin.post(`${path}/${original.uuid}/duplicate/`, { name: "  Moss " });
    const copy = answer.json<OsImage>();
    expect([answer.statusCode, copy]).toEqual([
      201,
      {
        ...original,
        uuid: expect.any(String),
        name: "Moss",
        is_official: false,
        recipe_count: 0,
        owner: { uuid: robin.user.uuid, email: robin.user.email, first_name: "Robin", last_name: "Reed" },
      },
    ]);
    expect((await kim.get(`${path}/${copy.uuid}/`)).json()).toEqual(copy);
    const artefacts = await db
      .selectFrom("os_images")
      .select(["artefact", "layers"])
      .where("uuid", "in", [original.uuid, copy.uuid])
      .execute();
    expect(artefacts[0]).toEqual(artefacts[1]);
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "os_image.duplicate", subject: expect.stringContaining(copy.uuid) }),
    );
  });

  it("shares the saved state of a colleague's, but not the one before it", async () => {
    const { db, kim, saved } = await people();
    const original = await saved();
    const copy = (await kim.post(`${path}/${original}/duplicate`, { name: "Mine" })).json<OsImage>();
    expect(copy).toMatchObject({ saved_size: 120, owner: { uuid: kim.user.uuid } });
    const row = await db.selectFrom("os_images").selectAll().where("uuid", "=", copy.uuid).executeTakeFirstOrThrow();
    expect([row.layers, row.previous_layers]).toEqual([layers, null]);
  });

  it.each(["CREATING", "UPDATING", "ERROR"])("refuses an image that is %s", async (status) => {
    const { robin, image } = await people();
    const refused = await robin.post(`${path}/${await image({ status })}/duplicate`, { name: "Moss" });
    expect(codeOf(refused)).toEqual([409, "OS_IMAGE_NOT_READY"]);
  });
});

describe("PUT /v1/os-images/:uuid", () => {
  it("renames it, for the owner and the manager", async () => {
    const { db, clock, robin, manager, saved, audited } = await people();
    const uuid = await saved();
    const before = (await robin.get(`${path}/${uuid}`)).json<OsImage>();
    await clock.advance(60_000);
    const renamed = await robin.put(`${path}/${uuid}`, { name: " Moss " });
    expect([renamed.statusCode, renamed.json()]).toEqual([
      200,
      { ...before, name: "Moss", revision: before.revision + 1 },
    ]);
    expect((await manager.put(`${path}/${uuid}/`, { name: "Lichen" })).json()).toMatchObject({ name: "Lichen" });
    const { updated_at } = await db
      .selectFrom("os_images")
      .select("updated_at")
      .where("uuid", "=", uuid)
      .executeTakeFirstOrThrow();
    expect(updated_at.getTime()).toBe(clock.now());
    expect((await audited()).filter(({ action }) => action === "os_image.edit").length).toBe(2);
  });
});

describe("DELETE /v1/os-images/:uuid", () => {
  it("leaves its recipes incomplete, after telling how many there are and which", async () => {
    const { db, robin, stranger, image, audited } = await people();
    const uuid = await image();
    const recipe = await aCustom(db, "recipes", robin.user, { name: "Mine", os_image_uuid: uuid });
    await aCustom(db, "recipes", robin.user, { name: "Of another image" });
    // Cannot be, and would not be counted.
    await aCustom(db, "recipes", stranger.user, { os_image_uuid: uuid });
    expect((await robin.get(`${path}/${uuid}`)).json().recipe_count).toBe(1);
    const users = (await robin.get(`/v3/recipes?os_image_uuid=${uuid}`)).json<{ count: number; results: Recipe[] }>();
    expect([users.count, users.results.map(({ name }) => name)]).toEqual([1, ["Mine"]]);
    const deleted = await robin.delete(`${path}/${uuid}/`);
    expect([deleted.statusCode, deleted.body]).toEqual([204, ""]);
    expect(codeOf(await robin.get(`${path}/${uuid}`))).toEqual([404, "OS_IMAGE_NOT_FOUND"]);
    expect((await robin.get(`/v2/recipes/${recipe}`)).json()).toMatchObject({ os_image: null, arch: null });
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "os_image.delete", subject: expect.stringContaining(uuid) }),
    );
  });

  it.each(["CREATING", "UPDATING"])("is refused while it is saved into: %s", async (status) => {
    const { robin, image } = await people();
    const uuid = await image({ status });
    expect(codeOf(await robin.delete(`${path}/${uuid}`))).toEqual([409, "OS_IMAGE_MUST_NOT_BE_SAVING"]);
    expect((await robin.get(`${path}/${uuid}`)).json()).toMatchObject({ status });
    expect((await robin.put(`${path}/${uuid}`, { name: "Moss" })).json()).toMatchObject({ name: "Moss", status });
  });

  it("takes an image whose save has failed", async () => {
    const { robin, image } = await people();
    expect((await robin.delete(`${path}/${await image({ status: "ERROR" })}`)).statusCode).toBe(204);
  });

  it("keeps what a duplicate still uses, and lets the rest be collected", async () => {
    const { db, clock, files, layers: store, as, organization, robin, image } = await people();
    const put = (text: string) => store.put(bytesOf(text), new AbortController().signal);
    const [shared, lone] = [await put("shared"), await put("lone")];
    const original = await image({ layers: JSON.stringify([shared]), previous_layers: JSON.stringify([lone]) });
    const collect = async () => {
      await collectLayers.run({ db, clock, files });
      await clock.advance(LAYER_GRACE_MS + 1);
      await collectLayers.run({ db, clock, files });
      return [...files.stored.values()].map(String);
    };
    const copy = (await robin.post(`${path}/${original}/duplicate`, { name: "Copy" })).json<OsImage>();
    await robin.delete(`${path}/${original}`);
    expect(await collect()).toEqual(["shared"]);
    // Robin's session has ended meanwhile.
    const manager = await as({ organization, role: "manager" });
    expect((await manager.delete(`${path}/${copy.uuid}`)).statusCode).toBe(204);
    expect(await collect()).toEqual([]);
  });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe("an image that is not the caller's", () => {
  it.each(["put", "delete"] as const)("is not changed by %s", async (method) => {
    const { robin, kim, stranger, image } = await people();
    const own = await image();
    const kept = await official(robin);
    const refused = async (who: Person, uuid: string) => codeOf(await who[method](`${path}/${uuid}`, { name: "x" }));
    expect(await refused(kim, own)).toEqual([403, "OS_IMAGE_NOT_ALLOWED"]);
    expect(await refused(stranger, own)).toEqual([404, "OS_IMAGE_NOT_FOUND"]);
    expect(await refused(robin, kept.uuid)).toEqual([403, "OS_IMAGE_NOT_ALLOWED"]);
    expect(await refused(robin, randomUUID())).toEqual([404, "OS_IMAGE_NOT_FOUND"]);
    expect(codeOf(await robin[method](`${path}/1`, { name: "x" }))).toEqual([400, "INVALID_IDENTIFIER"]);
    expect((await robin.get(`${path}/${own}`)).json()).toMatchObject({ name: "Fern" });
    expect((await robin.get(`${path}/${kept.uuid}`)).json()).toEqual(kept);
  });

  it("is unknown to whoever would duplicate a stranger's", async () => {
    const { stranger, image } = await people();
    const refused = await stranger.post(`${path}/${await image()}/duplicate`, { name: "x" });
    expect(codeOf(refused)).toEqual([404, "OS_IMAGE_NOT_FOUND"]);
  });

  it("is not duplicated, renamed or deleted by guests", async () => {
    const { as, image } = await people();
    const guest = await as({ role: "guest" });
    const uuid = await image();
    const answers = [
      await guest.post(`${path}/${uuid}/duplicate`, { name: "x" }),
      await guest.put(`${path}/${uuid}`, { name: "x" }),
      await guest.delete(`${path}/${uuid}`),
    ];
    expect(answers.map((answer) => codeOf(answer)[1])).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
  });
});

it.each([{}, { name: " " }, { name: "x".repeat(251) }])("refuses the name in %j", async (body) => {
  const { robin, image } = await people();
  const uuid = await image();
  expect(codeOf(await robin.put(`${path}/${uuid}`, body))).toEqual([400, "invalid_request"]);
  expect(codeOf(await robin.post(`${path}/${uuid}/duplicate`, body))).toEqual([400, "invalid_request"]);
});
