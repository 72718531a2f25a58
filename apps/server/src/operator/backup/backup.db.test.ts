import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { migrations, type Schema } from "../../database/schema.ts";
import { createDatabase } from "../../platform/db/database.ts";
import { FileLayers } from "../../features/layers/layer-store.ts";
import { collectLayers } from "../../features/layers/layers.jobs.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { openFileStore } from "../../platform/files/open-file-store.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { aCustom } from "../../testing/factories.ts";
import { backUp } from "./back-up.ts";
import { openBackup, restore, type RestoreOptions } from "./restore.ts";

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A directory for files and the key, and the archive that is written from it. */
async function aPlace() {
  const dataDir = await aFolder();
  const clock = new TestClock();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const store = () => openFileStore({ dataDir, s3: undefined });
  return {
    dataDir,
    adbKeyFile: join(dataDir, "adbkey"),
    archive: join(dataDir, "backup.tar.gz"),
    clock,
    said,
    say,
    store,
  };
}

/** Restores to an empty database; returns its URL, or throws. */
async function restoreTo(
  url: string,
  archive: string,
  place?: Awaited<ReturnType<typeof aPlace>> & Pick<RestoreOptions, "overwritesFiles" | "sendsMails">,
  list = migrations,
) {
  const { store, ...options } = place ?? (await aPlace());
  await restore(await openBackup(archive, list), { ...options, url, files: store, migrations: list });
}

/** All rows of all tables, as JSON texts. */
async function everything(url: string): Promise<Record<string, string[]>> {
  const db = createDatabase<Schema>(url, { max: 1 });
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`.execute(db);
  const found: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    if (name.startsWith("kysely_")) continue;
    const rows = await sql<{ row: string }>`SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t`.execute(db);
    found[name] = rows.rows.map(({ row }) => row).sort();
  }
  await db.destroy();
  return found;
}

const signIn = (app: TestApp, { email, password }: { email: string; password: string }) =>
  app.call("POST", "/v1/users/login", { body: { email, password } });

describe("a backup that is restored", () => {
  it("gives every account, token, organization and recipe back", async () => {
    const app = await createTestApp();
    const manager = await app.as({ role: "manager" });
    const recipe = await aCustom(app.db, "recipes", manager.user, { name: "Möös\t\\N\n'quoted'" });
    const made = await manager.post("/v1/api-tokens", { description: "CI" });
    const token: string = made.json().token;
    await app.db
      .updateTable("sessions")
      .set({ ended_at: new Date(0) })
      .execute();
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });

    const database = await createTestDatabase({ empty: true });
    await restoreTo(database.url, place.archive);
    expect(await everything(database.url)).toEqual(await everything(app.url));

    const restored = await createTestApp({ database });
    const login = await signIn(restored, manager.user);
    expect(login.statusCode).toBe(200);
    const headers = { "x-api-token": token };
    const recipes = (await restored.call("GET", "/v3/recipes?page_size=-1", { headers })).json().results as object[];
    expect(recipes).toContainEqual(expect.objectContaining({ uuid: recipe, name: "Möös\t\\N\n'quoted'" }));
    expect((await signIn(restored, { ...manager.user, password: "wrong" })).statusCode).toBe(401);
  });

  it("gives the layers of saved devices back, so that devices can be started from them", async () => {
    const app = await createTestApp();
    const place = await aPlace();
    const layers = new FileLayers(await place.store(), app.db);
    const never = new AbortController().signal;
    const layer = await layers.put(Readable.from([Buffer.from("moss")]), never);
    const manager = await app.as({ role: "manager" });
    const image = await aCustom(app.db, "os_images", manager.user, { layers: JSON.stringify([layer]) });
    await backUp(place.archive, { ...place, url: app.url, files: await place.store() });

    const database = await createTestDatabase({ empty: true });
    const elsewhere = { ...(await aPlace()), archive: place.archive };
    await restoreTo(database.url, place.archive, elsewhere);
    const row = await database.db
      .selectFrom("os_images")
      .select("layers")
      .where("uuid", "=", image)
      .executeTakeFirstOrThrow();
    const restored = new FileLayers(await elsewhere.store(), database.db);
    expect(String(await buffer(restored.get(row.layers[0]!, never)))).toBe("moss");
    await collectLayers.run({ db: database.db, clock: place.clock, files: await elsewhere.store() });
    expect(await restored.has(layer)).toBe(true);
  });

  it("tells webhooks nothing, and gives up what waited for them", async () => {
    const app = await createTestApp();
    const manager = await app.as({ role: "manager" });
    const events = ["instance.created", "instance.failed", "recipe.created", "user.joined"];
    await manager.post("/v1/webhooks", { url: "https://ci.example.com/", events });
    await aCustom(app.db, "recipes", manager.user);
    await manager.start();
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });

    const database = await createTestDatabase({ empty: true });
    await restoreTo(database.url, place.archive, place);
    const told = await database.db.selectFrom("webhook_deliveries").select(["type", "state"]).orderBy("id").execute();
    expect(told).toEqual([
      { type: "recipe.created", state: "failed" },
      { type: "instance.created", state: "failed" },
    ]);
    expect(place.said).toContain("webhooks that waited when the backup was made, and can be replayed: 2");
  });

  it("frees a recipe into which a device was being saved", async () => {
    const app = await createTestApp();
    const manager = await app.as({ role: "manager" });
    const uuid: string = (await manager.start()).json().uuid;
    const image = await aCustom(app.db, "os_images", manager.user, { status: "UPDATING" });
    const recipe = await aCustom(app.db, "recipes", manager.user, { os_image_uuid: image, status: "UPDATING" });
    const save = JSON.stringify({ action: "update", recipeUuid: recipe, osImageUuid: image, progress: 5 });
    await app.db.updateTable("instances").set({ state: "SAVING", save }).where("uuid", "=", uuid).execute();
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });

    const database = await createTestDatabase({ empty: true });
    await restoreTo(database.url, place.archive, place);
    const statusOf = async (table: "recipes" | "os_images", of: string) =>
      (await database.db.selectFrom(table).select("status").where("uuid", "=", of).executeTakeFirst())?.status;
    expect([await statusOf("recipes", recipe), await statusOf("os_images", image)]).toEqual(["READY", "READY"]);
  });

  it("ends the devices that ran, as their machines are gone, and the sessions", async () => {
    const app = await createTestApp();
    const manager = await app.as({ role: "manager" });
    const started: string[] = [];
    for (const state of ["CREATING", "ONLINE", "SAVED", "STOPPING", "DELETING", "EXPIRED", "DELETED"] as const) {
      const uuid: string = (await manager.start()).json().uuid;
      await app.db.updateTable("instances").set({ state, lease_holder: "gone" }).where("uuid", "=", uuid).execute();
      started.push(uuid);
    }
    await app.db.insertInto("gateways").values({ id: "gone", address: "127.0.0.1:1" }).execute();
    await app.db.insertInto("draining_gateways").values({ id: "gone" }).execute();
    const server = { id: randomUUID(), host: "gone", pid: 1, roles: ["api"], version: "0", load: "{}" };
    await app.db.insertInto("servers").values(server).execute();
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });

    const database = await createTestDatabase({ empty: true });
    await restoreTo(database.url, place.archive, place);
    const restored = await createTestApp({ database });
    const states = await Promise.all(started.map(restored.instance));
    expect(states).toEqual(["ERROR", "ERROR", "ERROR", "DELETED", "DELETED", "EXPIRED", "DELETED"]);
    expect(place.said).toContain("devices that ran when the backup was made, and have ended: 5");
    const { lease_holder, reason, machine } = await restored.db
      .selectFrom("instances")
      .select(["lease_holder", "reason", "machine"])
      .where("uuid", "=", started[1]!)
      .executeTakeFirstOrThrow();
    expect({ lease_holder, reason, machine }).toEqual({ lease_holder: null, reason: "machine_gone", machine: null });
    expect(await restored.db.selectFrom("gateways").selectAll().execute()).toEqual([]);
    expect(await restored.db.selectFrom("draining_gateways").selectAll().execute()).toEqual([]);
    expect(await restored.db.selectFrom("servers").selectAll().execute()).toEqual([]);

    const answer = await restored.call("GET", "/v1/users/me", { headers: manager.headers });
    expect(answer.statusCode).toBe(401);
    // New rows get new numbers.
    const again = await restored.as({ role: "manager" });
    expect((await again.start()).statusCode).toBe(201);
  });

  it("brings the files of the store and the adb key", async () => {
    const { url: source } = await createTestApp();
    const [from, to] = [await aPlace(), await aPlace()];
    await writeFile(from.adbKeyFile, "the key", { mode: 0o600 });
    const store = await from.store();
    const big = randomBytes(9 * 1024 ** 2);
    const files = { "layers/a/one.bin": big, "layers/two.bin": Buffer.from("two"), empty: Buffer.alloc(0) };
    for (const [key, content] of Object.entries(files))
      await store.put(key, Readable.from([content]), { maxBytes: 1e8 });
    await backUp(from.archive, { ...from, url: source, files: store });

    await restoreTo((await createTestDatabase({ empty: true })).url, from.archive, to);
    const restored = await to.store();
    for (const [key, content] of Object.entries(files))
      expect((await buffer(await restored.get(key))).equals(content)).toBe(true);
    expect(await readFile(to.adbKeyFile, "utf8")).toBe("the key");
    expect((await stat(to.adbKeyFile)).mode & 0o777).toBe(0o600);
  });

  it("of an older version gets the migrations that it lacks, after its rows", async () => {
    const app = await createTestApp();
    await app.as({ role: "manager" });
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });
    const newer = {
      ...migrations,
      "9001-nickname": {
        up: async (db: Parameters<(typeof migrations)[string]["up"]>[0]) => {
          await sql`ALTER TABLE users ADD COLUMN nickname text`.execute(db);
          await sql`UPDATE users SET nickname = first_name`.execute(db);
        },
      },
    };
    const { url } = await createTestDatabase({ empty: true });
    await restoreTo(url, place.archive, undefined, newer);
    expect((await everything(url)).users!.map((row) => JSON.parse(row).nickname as string)).toEqual(["Robin"]);
  });
});

describe("mails that wait when a backup is made", () => {
  it.each([
    ["are not sent, and stay stored", {}, "dead"],
    ["are sent if the operator says so", { sendsMails: true }, "waiting"],
  ])("%s", async (_, how, state) => {
    const { db, url: source } = await createTestDatabase();
    const from = await aPlace();
    await sendMail(db, from.clock, { to: { address: "robin@fern.test" }, subject: "Hello", text: "a", html: "b" });
    await backUp(from.archive, { ...from, url: source, files: undefined });
    const { db: restored, url } = await createTestDatabase({ empty: true });
    const place = await aPlace();
    await restoreTo(url, from.archive, { ...place, ...how });
    expect((await sql`SELECT state FROM jobs`.execute(restored)).rows).toEqual([{ state }]);
    expect((await sql`SELECT sent_at, text FROM mails`.execute(restored)).rows).toEqual([{ sent_at: null, text: "a" }]);
    expect(place.said.filter((line) => line.includes("mails that waited"))).toHaveLength(state === "dead" ? 1 : 0);
  });
});

describe("restore refuses", () => {
  async function aBackup() {
    const app = await createTestApp();
    const place = await aPlace();
    await writeFile(place.adbKeyFile, "the key");
    await backUp(place.archive, { ...place, url: app.url, files: undefined });
    return { ...place, url: app.url };
  }

  it("a database that is not empty, and changes nothing", async () => {
    const { archive, url } = await aBackup();
    const before = await everything(url);
    await expect(restoreTo(url, archive)).rejects.toThrow("The database is not empty.");
    expect(await everything(url)).toEqual(before);
  });

  it("a data directory with another adb key", async () => {
    const { archive } = await aBackup();
    const place = await aPlace();
    await writeFile(place.adbKeyFile, "another key");
    const { url } = await createTestDatabase({ empty: true });
    await expect(restoreTo(url, archive, place)).rejects.toThrow("is the key of another installation");
    expect(await everything(url)).toEqual({});
    expect(await readdir(place.dataDir)).toEqual(["adbkey"]);
  });

  it("a file store that has other files, unless it is told to overwrite them", async () => {
    const { archive } = await aBackup();
    const place = await aPlace();
    const store = await place.store();
    await store.put("layers/one", Readable.from([Buffer.from("in use")]), { maxBytes: 100 });
    const { url } = await createTestDatabase({ empty: true });
    await expect(restoreTo(url, archive, place)).rejects.toThrow("The file store is in use: it has layers/one");
    expect(await everything(url)).toEqual({});
    await restoreTo(url, archive, { ...place, overwritesFiles: true });
    expect(Object.keys(await everything(url))).toContain("users");
  });

  it("no file store in which an interrupted restore of the same backup left files", async () => {
    const from = await aPlace();
    const files = await from.store();
    await files.put("layers/one", Readable.from([Buffer.from("one")]), { maxBytes: 100 });
    await backUp(from.archive, { ...from, url: (await createTestDatabase()).url, files });
    const place = await aPlace();
    const store = await place.store();
    await store.put("layers/one", Readable.from([Buffer.from("one")]), { maxBytes: 100 });
    const { url } = await createTestDatabase({ empty: true });
    await restoreTo(url, from.archive, place);
    await store.put("layers/one", Readable.from([Buffer.from("another")]), { maxBytes: 100 });
    const { url: other } = await createTestDatabase({ empty: true });
    await expect(restoreTo(other, from.archive, place)).rejects.toThrow("The file store is in use");
  });

  it("a backup of a newer version", async () => {
    const app = await createTestApp();
    await migrate(app.db, { ...migrations, "9001-newer": { up: async () => undefined } });
    const place = await aPlace();
    await backUp(place.archive, { ...place, url: app.url, files: undefined });
    const { url } = await createTestDatabase({ empty: true });
    await expect(restoreTo(url, place.archive)).rejects.toThrow(/newer version of Terrarium \(it has 9001-newer\)/);
    expect(await everything(url)).toEqual({});
  });

  it("rows that do not fit, and leaves the database empty so that it can be tried again", async () => {
    const place = await aBackup();
    const { url } = await createTestDatabase({ empty: true });
    const broken = {
      ...migrations,
      "9001-broken": {
        up: async (db: Parameters<(typeof migrations)[string]["up"]>[0]) => void (await sql`SELECT 1 / 0`.execute(db)),
      },
    };
    await expect(restoreTo(url, place.archive, place, broken)).rejects.toThrow("division by zero");
    expect(await everything(url)).toEqual({});
    await restoreTo(url, place.archive, place);
    expect(Object.keys(await everything(url))).toContain("users");
  });
});
