import type { Capture } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp, TEST_CAPTURE_BYTES } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { captureKey } from "./captures.ts";
import { collectCaptures, UNFINISHED_MS } from "./captures.jobs.ts";
import { openCapture } from "./save-capture.ts";
import { aCapture, contentOf } from "./testing/a-capture.ts";

interface Page {
  count: number;
  results: Capture[];
  used_bytes: number;
  max_bytes: number;
}
const MB = 1024 ** 2;
const facts = () => ({ width: 1080, height: 2400, durationMs: 1_500 });

async function create({ isAlone = false } = {}) {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const kim = await test.as({ organization: isAlone ? await anOrganization(test.db) : organization, role: "manager" });
  const device = (await robin.start({ instance_name: "one" })).json<{ uuid: string }>().uuid;
  const page = async (query = "") => (await robin.get(`/v1/captures${query}`)).json<Page>();
  const open = (kind: Capture["kind"] = "recording") =>
    openCapture(test.saving, { instance: device, user: robin.user.uuid, credential: robin.user.uuid, kind });
  const kept = async () => {
    const keys = [];
    for await (const { key } of test.files.list("captures")) keys.push(key);
    return keys;
  };
  return { ...test, organization, robin, kim, device, page, open, kept };
}

describe("captures", () => {
  it("are listed and deleted by a manager as well, who cannot open those of others", async () => {
    const { robin, kim, device, kept, audited, as, organization, ...test } = await create();
    const { uuid } = await aCapture(test, robin, { instance: device });
    const [mine, colleague, stranger] = [
      await aCapture(test, kim),
      await as({ organization }),
      await as({ role: "manager" }),
    ];
    const seenBy = async (person: typeof kim, query = "?organization_wide=true") =>
      (await person.get(`/v1/captures${query}`))
        .json<Page>()
        .results.map((each) => each.uuid)
        .toSorted();
    expect(await seenBy(kim)).toEqual([uuid, mine.uuid].toSorted());
    expect(await seenBy(kim, "")).toEqual([mine.uuid]);
    expect([await seenBy(colleague), await seenBy(robin), await seenBy(stranger)]).toEqual([[], [uuid], []]);
    const { first_name, last_name, email } = robin.user;
    const { results } = (await kim.get(`/v1/captures?organization_wide=true&instance=${device}`)).json<Page>();
    expect(results.map(({ owner }) => owner)).toEqual([{ uuid: robin.user.uuid, email, first_name, last_name }]);
    for (const path of ["", "/file"]) expect((await kim.get(`/v1/captures/${uuid}${path}`)).statusCode).toBe(404);
    for (const person of [colleague, stranger])
      expect((await person.delete(`/v1/captures/${uuid}`)).json().code).toBe("CAPTURE_NOT_FOUND");
    expect([(await kim.delete(`/v1/captures/${uuid}`)).statusCode, await kept()]).toEqual([
      204,
      [captureKey(mine.uuid)],
    ]);
    expect((await audited()).at(-1)).toMatchObject({
      action: "capture.delete",
      details: { made_by: robin.user.uuid },
    });
    await kim.delete(`/v1/captures/${mine.uuid}`);
    expect((await audited()).at(-1)?.details).not.toHaveProperty("made_by");
  });

  it("stay with the organization in which they were made", async () => {
    const { robin, device, page, db, ...test } = await create();
    const { uuid } = await aCapture(test, robin, { instance: device });
    expect((await page()).count).toBe(1);
    const organization_uuid = await anOrganization(db);
    await db.updateTable("users").set({ organization_uuid }).where("uuid", "=", robin.user.uuid).execute();
    expect((await page()).count).toBe(0);
    expect((await robin.get(`/v1/captures/${uuid}/file`)).statusCode).toBe(404);
  });

  it("are listed for who made them, the latest first, in pages, by device, kind and name", async () => {
    const { robin, kim, device, page, clock, ...test } = await create();
    const first = await aCapture(test, robin, { instance: device });
    await clock.advance(1_000);
    const second = await aCapture(test, robin, { kind: "recording", durationMs: 2_500, bytes: 9, instance: device });
    const other = await aCapture(test, robin, { device: { instance_name: "100% fern" }, bytes: 5 });
    await aCapture(test, kim, { instance: device });
    const uuids = async (query: string) => (await page(query)).results.map(({ uuid }) => uuid);
    expect((await uuids("")).toSorted()).toEqual([first.uuid, second.uuid, other.uuid].toSorted());
    expect(await uuids(`?instance=${device}`)).toEqual([second.uuid, first.uuid]);
    expect(await uuids("?kind=recording")).toEqual([second.uuid]);
    expect(await uuids("?kind=recording,screenshot&search=0%25%20FE")).toEqual([other.uuid]);
    expect(await uuids("?ordering=-bytes&page_size=2&page=1")).toEqual([second.uuid, other.uuid]);
    expect(await uuids("?ordering=-bytes&page_size=2&page=2")).toEqual([first.uuid]);
    expect(await page("?kind=replay")).toMatchObject({ count: 0, used_bytes: 22, max_bytes: TEST_CAPTURE_BYTES });
    expect(second).toEqual({
      uuid: expect.any(String),
      kind: "recording",
      owner: {
        uuid: robin.user.uuid,
        email: robin.user.email,
        first_name: robin.user.first_name,
        last_name: robin.user.last_name,
      },
      instance_uuid: device,
      instance_name: "one",
      media_type: "video/mp4",
      bytes: 9,
      duration_ms: 2_500,
      width: 1080,
      height: 2400,
      created_at: new Date(clock.now()).toISOString(),
    });
    expect((await robin.get(`/v1/captures/${second.uuid}`)).json()).toEqual(second);
  });

  it("are sent as files with a name that says of what, and when", async () => {
    const { robin, ...test } = await create();
    const { uuid } = await aCapture(test, robin, { device: { instance_name: 'a/b "ä"\\..' } });
    const answer = await robin.get(`/v1/captures/${uuid}/file`);
    expect([answer.statusCode, answer.headers["content-type"], answer.rawPayload]).toEqual([
      200,
      "image/png",
      Buffer.alloc(4, 7),
    ]);
    expect(decodeURIComponent(String(answer.headers["content-disposition"]))).toMatch(
      /filename\*=UTF-8''a-b -ä-\.\. 2026-03-02 09\.00\.00\.png$/,
    );
    // A letter of two halves, which is where it is cut.
    const long = await aCapture(test, robin, { device: { instance_name: `${"a".repeat(49)}𝒜𝒜` } });
    const { headers } = await robin.get(`/v1/captures/${long.uuid}/file`);
    expect(decodeURIComponent(String(headers["content-disposition"]))).toContain(`${"a".repeat(49)}- 2026`);
  });

  it("are no longer there when they were deleted, nor their files, which is recorded", async () => {
    const { robin, page, kept, audited, ...test } = await create();
    const { uuid, instance_uuid: instance } = await aCapture(test, robin);
    const answer = await robin.delete(`/v1/captures/${uuid}`);
    expect([answer.statusCode, await kept(), (await page()).count]).toEqual([204, [], 0]);
    expect((await robin.delete(`/v1/captures/${uuid}`)).json().code).toBe("CAPTURE_NOT_FOUND");
    expect((await robin.get(`/v1/captures/${uuid}/file`)).json().code).toBe("CAPTURE_NOT_FOUND");
    const acts = (await audited()).filter(({ action }) => action.startsWith("capture."));
    expect(acts.map(({ action, subject, details }) => ({ action, subject, details }))).toEqual(
      ["capture.create", "capture.delete"].map((action) => ({
        action,
        subject: `capture ${uuid}`,
        details: { kind: "screenshot", bytes: 4, instance },
      })),
    );
  });

  it("stay when their device is gone, and go with their owner's account", async () => {
    const { robin, db, device, page, kept, clock, files, ...test } = await create();
    await aCapture(test, robin, { instance: device });
    await db.deleteFrom("instance_events").where("instance_uuid", "=", device).execute();
    await db.deleteFrom("instances").where("uuid", "=", device).execute();
    expect((await page()).count).toBe(1);
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json<{ captures: object[] }>();
    expect(held.captures).toMatchObject([{ device, device_name: "one", bytes: 4 }]);
    expect((await robin.delete(`/v1/users/${robin.user.uuid}`, { password: robin.user.password })).statusCode).toBe(
      204,
    );
    expect(await db.selectFrom("captures").selectAll().execute()).toEqual([]);
    expect(await kept()).toHaveLength(1);
    await collectCaptures.run({ db, clock, files });
    expect(await kept()).toEqual([]);
  });
});

describe("room for captures", () => {
  it("is for all of an organization together, of which one has half, and is asked for before anything is done", async () => {
    const { robin, kim, page, open, ...test } = await create();
    const [half, third] = [TEST_CAPTURE_BYTES / 2, await test.as({ organization: test.organization })];
    const isFull = (bound: number) => ({ code: "CAPTURES_FULL", details: { max_bytes: String(bound) } });
    await aCapture(test, kim, { bytes: half });
    await expect(aCapture(test, kim, { bytes: 1 })).rejects.toMatchObject(isFull(half));
    await aCapture(test, robin, { bytes: half - 10 });
    await aCapture(test, third, { bytes: 10 });
    await expect(open()).rejects.toMatchObject(isFull(TEST_CAPTURE_BYTES));
    expect(await page()).toMatchObject({
      count: 1,
      used_bytes: TEST_CAPTURE_BYTES,
      own_bytes: half - 10,
      own_max_bytes: half,
    });
    const other = await test.as();
    expect(await aCapture(test, other)).toMatchObject({ bytes: 4 });
  });

  it("is all for one who is alone, and for no more than half when a colleague comes", async () => {
    const { robin, kim, page, open, db } = await create();
    const enable = (is_enabled: boolean) =>
      db.updateTable("users").set({ is_enabled }).where("uuid", "=", kim.user.uuid).execute();
    await enable(false);
    expect(await page()).toMatchObject({ own_max_bytes: TEST_CAPTURE_BYTES });
    await (await open()).save(contentOf(40 * MB), { facts });
    await enable(true);
    expect(await page()).toMatchObject({ own_bytes: 40 * MB, own_max_bytes: 32 * MB });
    await expect(open()).rejects.toMatchObject({ code: "CAPTURES_FULL" });
    expect((await robin.get("/v1/captures")).statusCode).toBe(200);
  });

  it("is shared by those that are written at the same time", async () => {
    const { open, page, kept, db } = await create({ isAlone: true });
    const all = await Promise.all(Array.from({ length: 4 }, () => open()));
    await expect(open()).rejects.toMatchObject({ code: "CAPTURES_FULL" });
    await all[3]?.drop();
    const told: string[] = [];
    const save = (nth: number, bytes: number) =>
      all[nth]!.save(contentOf(bytes), { facts, onFull: () => void told.push(`full ${nth}`) });
    const large = await save(0, 30 * MB);
    expect([large.bytes, told]).toEqual([30 * MB, []]);
    // What is left is two megabytes; whoever ends then is kept.
    await save(1, 19 * MB);
    expect(told).toEqual(["full 1"]);
    await expect(all[2]!.save(contentOf(17 * MB), { facts })).rejects.toMatchObject({ code: "CAPTURES_FULL" });
    expect([(await page()).used_bytes, (await kept()).length]).toEqual([49 * MB, 2]);
    expect(await db.selectFrom("captures").select("uuid").where("is_whole", "=", false).execute()).toEqual([]);
  });

  it("is not taken again by one that has met the end of it and is not over", async () => {
    const { open, page, robin, ...test } = await create({ isAlone: true });
    const other = await aCapture(test, robin, { bytes: 50 * MB });
    const told: string[] = [];
    const reserved: number[] = [];
    const hung = (async function* () {
      yield* contentOf(20 * MB);
      await robin.delete(`/v1/captures/${other.uuid}`);
      yield* contentOf(20 * MB);
      reserved.push((await page()).used_bytes);
    })();
    const saved = await (await open()).save(hung, { facts, onFull: () => void told.push("full") });
    expect([told, saved.bytes]).toEqual([["full"], 40 * MB]);
    // What it had reserved before.
    expect(reserved[0]).toBeLessThanOrEqual(16 * MB);
  });

  it("is given back by what could not be written, and by what was never ended", async () => {
    const { open, page, kept, clock, db, files } = await create();
    const failing = (async function* () {
      yield new Uint8Array(10);
      throw new Error("the device is gone");
    })();
    await expect((await open()).save(failing, { facts })).rejects.toThrow("the device is gone");
    expect([(await page()).used_bytes, await kept()]).toEqual([0, []]);

    const { uuid } = await open();
    expect(await page()).toMatchObject({ count: 0, used_bytes: 16 * MB });
    const killed = captureKey(uuid);
    await files.put(killed, contentOf(3), { maxBytes: 3 });
    const collect = () => collectCaptures.run({ db, clock, files });
    await clock.advance(UNFINISHED_MS - 1_000);
    await collect();
    expect([(await page()).used_bytes, await kept()]).toEqual([16 * MB, [killed]]);
    await clock.advance(2_000);
    await collect();
    expect((await sql`SELECT FROM captures`.execute(db)).rows).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  it("leaves nothing of somebody whose account ends meanwhile", async () => {
    const { open, robin, db, kept, clock, files } = await create();
    const opened = await open();
    await robin.delete(`/v1/users/${robin.user.uuid}`, { password: robin.user.password });
    await expect(opened.save(contentOf(3), { facts })).rejects.toMatchObject({ code: "CAPTURE_NOT_FOUND" });
    await collectCaptures.run({ db, clock, files });
    expect(await kept()).toEqual([]);
  });
});
