import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { Client } from "pg";
import { print, spread } from "./figures.ts";

const SIZES = [100, 1_000, 10_000] as const;
const CALLS = 100;
/** Until statements are prepared and planned. */
const WARM_UP = 8;
/** The unit of CPU times is 10 ms. */
const LEAST_CPU_SECONDS = 0.05;

/** An organization's rows, and those of somebody else, who has as many. */
interface Seed {
  sql: Client;
  /** How many there are already, and how many there should be. */
  from: number;
  to: number;
  owner: string;
  organization: string;
  other: { owner: string; organization: string };
}

export interface ListBench {
  title: string;
  path: string;
  /** Queries by what they are called, for a list of so many rows; or whole addresses, of other lists of the same rows. */
  queries: (rows: number) => Record<string, string>;
  /** Runs once, before anything is seeded. */
  prepare?: (server: TestServer) => Promise<void>;
  seed: (seed: Seed) => Promise<void>;
  /** Lines about the query plans of the full list. Throws if one is not as it should be. */
  plans: (url: string, reader: { uuid: string; organization: string }) => Promise<string[]>;
}

interface Measured {
  took: number[];
  /** Milliseconds of a processor for each call: the server's and the database's. */
  cpu: number;
}

/** Reads lists over HTTP while they grow: how long each takes, and how the processor time of a call grows with the rows. */
export async function benchLists({ title, path, queries, prepare, seed, plans }: ListBench): Promise<void> {
  const server = await TestServer.start();
  const url = await readFile(join(server.dataDir, "database-url"), "utf8");
  const sql = new Client(url);
  await sql.connect();
  try {
    const { token } = await server.signIn(demo.manager);
    await prepare?.(server);
    const reader = await readerOf(sql, demo.manager.email);
    const other = await anOther(sql, reader.uuid);
    const measured = new Map<string, Measured[]>();
    let from = 0;
    for (const to of SIZES) {
      await seed({ sql, from, to, owner: reader.uuid, organization: reader.organization, other });
      await sql.query("VACUUM ANALYZE");
      from = to;
      for (const [label, query] of Object.entries(queries(to))) {
        const figures = await measure(server, token, query.startsWith("/") ? query : `${path}?${query}`);
        measured.set(label, [...(measured.get(label) ?? []), figures]);
      }
    }
    console.log(`${title}: ${SIZES.at(-1)} rows, and the processor time of a call at ${SIZES.join(", ")} rows`);
    for (const [label, sizes] of measured) {
      const { took = [] } = sizes.at(-1) ?? {};
      const cpu = sizes.map((figures) => figures.cpu.toFixed(1)).join(", ");
      const growth = sizes.slice(1).map((figures, index) => `x${(figures.cpu / (sizes[index]?.cpu ?? 1)).toFixed(1)}`);
      print(label, `${spread(took, 1)} ms; CPU ${cpu} ms: ${growth.join(", ")}`);
    }
    for (const line of await plans(url, reader)) console.log(`  ${line}`);
  } finally {
    await sql.end();
    await server.stop();
  }
}

async function readerOf(sql: Client, email: string): Promise<{ uuid: string; organization: string }> {
  const { rows } = await sql.query<{ uuid: string; organization: string }>(
    "SELECT uuid, organization_uuid AS organization FROM users WHERE email = $1",
    [email],
  );
  if (!rows[0]) throw new Error(`there is no ${email}`);
  return rows[0];
}

/** A copy of a person, in an organization of their own. */
async function anOther(sql: Client, of: string): Promise<{ owner: string; organization: string }> {
  const organization = (
    await sql.query<{ uuid: string }>(
      "INSERT INTO organizations (uuid, name, created_at) VALUES (gen_random_uuid(), 'Others', now()) RETURNING uuid",
    )
  ).rows[0]!.uuid;
  const { rows } = await sql.query<{ uuid: string }>(
    `INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, password_hash, created_at)
      SELECT gen_random_uuid(), 'other@demo.test', 'An', 'Other', $2, password_hash, created_at FROM users WHERE uuid = $1
      RETURNING uuid`,
    [of, organization],
  );
  return { owner: rows[0]!.uuid, organization };
}

async function measure(server: TestServer, token: string, address: string): Promise<Measured> {
  const took: number[] = [];
  const call = async () => {
    const began = performance.now();
    const reply = await fetch(`${server.url}/cloud${address}`, { headers: { authorization: `Bearer ${token}` } });
    await reply.text();
    if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
    took.push(performance.now() - began);
  };
  for (let count = 0; count < WARM_UP; count++) await call();
  took.length = 0;
  const before = await cpuSeconds(server);
  let used = 0;
  // A list that costs little is read more often, so that its processor time can be told.
  for (let calls = 0; calls < CALLS || used < LEAST_CPU_SECONDS; calls++) {
    await call();
    if (calls % CALLS === CALLS - 1) used = (await cpuSeconds(server)) - before;
  }
  used = (await cpuSeconds(server)) - before;
  return { took, cpu: (used / took.length) * 1e3 };
}

const cpuSeconds = async ({ dataDir }: TestServer): Promise<number> =>
  (await usageOfRoles(dataDir, "server", "database", "backend")).cpuSeconds;
