import { systemClock } from "@terrarium/clock";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { TestServer } from "@terrarium/e2e/support/server.ts";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Schema } from "../apps/server/src/database/schema.ts";
import { Audit } from "../apps/server/src/features/audit/audit.ts";
import { sealRecords, verifyChain } from "../apps/server/src/features/audit/chain.ts";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { print } from "./support/figures.ts";

/**
 * What the hash chain of the audit log costs for each record, beside what it costs to write the record without it, which is the baseline.
 * Records are written one in a transaction, as routes do, into a log that has so many already; they are then sealed 1,000 at once, as after
 * a burst, and 10 at once, as a quiet server does. Time is that of the call; CPU is ours and the database's.
 */

const SIZES = [1_000, 10_000, 100_000];
const WRITTEN = 2_000;
const FEW = 10;

// Without the role `jobs`, nothing else seals.
const server = await TestServer.start({ TERRARIUM_ROLES: "api" });
const db = createDatabase<Schema>(await readFile(join(server.dataDir, "database-url"), "utf8"), { max: 1 });
const audit = new Audit({ clock: systemClock, log: createLog("silent", "bench") });
const by = {
  kind: "user",
  user: randomUUID(),
  credential: randomUUID(),
  organization: randomUUID(),
  address: "203.0.113.7",
  requestId: randomUUID(),
} as const;
const write = () =>
  audit.record(db, by, {
    action: "api_token.create",
    subject: { kind: "api_token", uuid: randomUUID() },
    details: { description: "ci", scope: "devices", expires_at: null },
  });

interface Cost {
  ms: number;
  cpuMs: number;
}

/** What `work` costs for each of so many records. */
async function costOf(records: number, work: () => Promise<unknown>): Promise<Cost> {
  const cpu = async () => {
    const { user, system } = process.cpuUsage();
    return (await usageOfRoles(server.dataDir, "database", "backend")).cpuSeconds * 1e3 + (user + system) / 1e3;
  };
  const before = await cpu();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  return { ms: ms / records, cpuMs: ((await cpu()) - before) / records };
}

const say = (label: string, { ms, cpuMs }: Cost, base?: Cost) =>
  print(
    label,
    `${ms.toFixed(3)} ms, CPU ${cpuMs.toFixed(3)} ms` +
      (base ? `: x${(ms / base.ms).toFixed(2)}, CPU x${(cpuMs / base.cpuMs).toFixed(2)}` : ""),
  );

/** Fills the log, and seals what it has. */
async function fill(to: number): Promise<void> {
  await sql`
    INSERT INTO audit_records (at, action, outcome, actor_kind, actor_uuid, organization_uuid, subject_kind, subject_uuid, address, details)
    SELECT now(), 'session.open', 'done', 'user', gen_random_uuid(), ${by.organization}::uuid, 'session', gen_random_uuid(), '203.0.113.7', '{}'
    FROM generate_series(1, ${to}::int - (SELECT count(*)::int FROM audit_records))`.execute(db);
  await sealRecords(db, Infinity);
  await sql`VACUUM ANALYZE audit_records`.execute(db);
}

try {
  for (let count = 0; count < 200; count++) await write();
  for (const size of SIZES) {
    await fill(size);
    console.log(`The audit log with ${size} records, for each of ${WRITTEN} more`);
    const written = await costOf(WRITTEN, async () => {
      for (let count = 0; count < WRITTEN; count++) await write();
    });
    say("written, without the chain", written);
    const many = await costOf(WRITTEN, () => sealRecords(db));
    say("sealed, 1,000 at once", many, written);
    // Ten take less than what the clock of processor time can tell, so both are measured, and the writing is taken off.
    const both = await costOf(WRITTEN, async () => {
      for (let round = 0; round < WRITTEN / FEW; round++) {
        for (let count = 0; count < FEW; count++) await write();
        await sealRecords(db);
      }
    });
    const few = { ms: both.ms - written.ms, cpuMs: both.cpuMs - written.cpuMs };
    say("sealed, 10 at once", few, written);
    const verdict = await verifyChain(db);
    if (verdict.fault || verdict.unsealed > 0) throw new Error(`The chain is not whole: ${JSON.stringify(verdict)}`);
    say(`verified, all ${verdict.sealed}`, await costOf(verdict.sealed, () => verifyChain(db)), written);
  }
} finally {
  await db.destroy();
  await server.stop();
}
