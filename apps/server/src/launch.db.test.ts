import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import { expect, it, onTestFinished } from "vitest";
import { launch } from "./launch.ts";
import { createLog } from "./platform/log.ts";
import { readSettings } from "./settings.ts";
import { createTestDatabase } from "./testing/database.ts";

it("runs jobs in a process that does nothing else", async () => {
  const { db, url } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "terrarium-launch-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const env = { DATABASE_URL: url, TERRARIUM_ROLES: "jobs", TERRARIUM_DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: "0" };
  const clock = new TestClock();
  const log = createLog("silent", "jobs");
  const launched = await launch({ settings: readSettings(env), runtimes: [], clock, log, program: "", env });
  onTestFinished(() => launched.stop({ endDevices: false }));
  // What asks whether the process is well asks this port.
  expect(launched.port).toBeGreaterThan(0);
  await db.insertInto("gateways").values({ id: "nobody", address: "127.0.0.1:1", zones: null }).execute();
  // Periodic work that only this role does.
  await expect
    .poll(async () => (await clock.advance(30_000), db.selectFrom("gateways").select("id").execute()), {
      timeout: 20_000,
    })
    .toEqual([]);
});
