// A process whose worker claims a job and never finishes it: `stuck-worker.ts <database url> <time>`.
import { TestClock } from "@terrarium/clock";
import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { z } from "zod";
import { createLog } from "../../log.ts";
import { defineJob } from "../job.ts";
import { JobWorker } from "../worker.ts";

const [, , url = "", now = ""] = process.argv;
const db = new Kysely<never>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: url, max: 1 }) }) });
const water = defineJob({
  name: "water",
  payload: z.unknown(),
  run: () => {
    process.send?.("begun");
    return new Promise<void>(() => undefined);
  },
});
const log = createLog("silent", "test");
void new JobWorker({ db, clock: new TestClock(Number(now)), log, jobs: [water], deps: undefined }).runDue();
