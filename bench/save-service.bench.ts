import type { InstanceEvent } from "@terrarium/contract";
import { eventually, untilState } from "@terrarium/e2e/support/instances.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { fill } from "./support/fill-device.ts";
import { percentile, print } from "./support/figures.ts";

/**
 * What it costs to save a device of the whole service and to start from what was saved, by how much has changed on it. Times are those of
 * the device's history: from the request until it is SAVED, or ONLINE. A plain start of the same round is the baseline.
 */

const SIZES_MB = [0.1, 1, 10, 100];
const ROUNDS = 5;
const MB = 1024 * 1024;

const server = await TestServer.start();
const sql = new Client(await readFile(join(server.dataDir, "database-url"), "utf8"));
await sql.connect();

/** The milliseconds between two events of a device. */
async function between(uuid: string, from: InstanceEvent | "ask", to: InstanceEvent): Promise<number> {
  const { rows } = await sql.query<{ ms: number }>(
    `SELECT extract(epoch FROM max(at) FILTER (WHERE event = $3) - max(at) FILTER (WHERE event = $2))::float8 * 1000 AS ms
      FROM instance_events WHERE instance_uuid = $1`,
    [uuid, from, to],
  );
  return rows[0]?.ms ?? Number.NaN;
}

async function storedBytes(): Promise<number> {
  const { rows } = await sql.query<{ bytes: number }>("SELECT coalesce(sum(size), 0)::float8 AS bytes FROM layers");
  return rows[0]?.bytes ?? 0;
}

try {
  const { client } = await server.signIn(demo.manager);
  const [official] = (await client.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } })).results;
  if (!official) throw new Error("there is no Phone 6.1");

  const startFrom = async (recipe: string) => {
    const { uuid } = await client.recipes.start({
      params: { uuid: recipe },
      body: { instance_name: "bench", rename_on_conflict: true },
    });
    await untilState(client, uuid, "ONLINE");
    return { uuid, ms: await between(uuid, "ask", "booted") };
  };
  const stop = async (uuid: string) => {
    await client.instances.stop({ params: { uuid } });
    await untilGone(uuid);
  };
  const untilGone = (uuid: string) =>
    eventually(`${uuid} is gone`, async () => {
      const { rows } = await sql.query<{ state: string }>("SELECT state FROM instances WHERE uuid = $1", [uuid]);
      return rows[0]?.state === "DELETED";
    });
  const adbOf = async (uuid: string) => {
    const { rows } = await sql.query<{ machine: { host: string; port: number } }>(
      "SELECT machine FROM instances WHERE uuid = $1",
      [uuid],
    );
    return rows[0]!.machine;
  };

  // The first start waits for a process.
  await stop((await startFrom(official.uuid)).uuid);
  console.log(`Saving through the service, p50 of ${ROUNDS}`);
  for (const megabytes of SIZES_MB) {
    const figures = { plain: [] as number[], save: [] as number[], from: [] as number[], bytes: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await startFrom(official.uuid);
      figures.plain.push(plain.ms);
      await fill(await adbOf(plain.uuid), megabytes);
      const before = await storedBytes();
      const saved = await client.instances.save({ params: { uuid: plain.uuid }, body: { action: "save_as" } });
      await untilGone(plain.uuid);
      figures.save.push(await between(plain.uuid, "save", "saved"));
      figures.bytes.push((await storedBytes()) - before);
      const from = await startFrom(saved.uuid);
      figures.from.push(from.ms);
      await stop(from.uuid);
    }
    const p50 = (name: keyof typeof figures) => percentile(figures[name], 0.5);
    const ratio = (name: "save" | "from") => (p50(name) / p50("plain")).toFixed(2);
    print(`${megabytes} MB changed: plain start (ms)`, p50("plain").toFixed(0));
    print(
      "  save (ms)",
      `${p50("save").toFixed(0)}, ${ratio("save")} plain starts; ${(p50("bytes") / MB).toFixed(2)} MB stored`,
    );
    print("  start from it (ms)", `${p50("from").toFixed(0)}, ${ratio("from")} plain starts`);
  }
} finally {
  await sql.end();
  await server.stop();
}
