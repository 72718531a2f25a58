import { type Client, createClient } from "@terrarium/sdk";
import { AppError } from "@terrarium/contract";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { databaseOf } from "../support/database.ts";
import { eventually } from "../support/instances.ts";
import { sumOf, type Usage, usageOfRoles } from "../support/processes.ts";
import { addManager } from "../support/operator.ts";
import { TestServer } from "../support/server.ts";
import { Machine, makeNetwork } from "./machine.ts";

/** As many starts at once as a busy installation sees. */
const WIDTH = 24;
/** A device at rest has closed its display by then. */
const REST_MS = 33_000;
const MEASURE_MS = 10_000;
/** What restarts a service that was killed waits as long. */
const RESTART_MS = 3_000;
/** By default devices run for five minutes without their gateway, and it may come back for half a minute more. */
const KEPT_MS = 360_000;
const PATIENCE_MS = 1_800_000;
/** Five processes that start at once on a busy machine. */
const UP_MS = 180_000;

export interface Fault {
  what: string;
  /** How many devices it concerned, how many were adopted, and by which reasons the others ended. */
  devices: number;
  adopted: number;
  ended: Record<string, number>;
  seconds: number;
}

export interface Outcome {
  devices: number;
  networks: number;
  startSeconds: number;
  readyMs: number[];
  none: Usage;
  /** By all machines together when all devices were at rest. */
  rest: {
    servers: Usage;
    devices: Usage;
    database: Usage;
    seconds: { servers: number; devices: number; database: number };
  };
  databaseBytes: number;
  faults: Fault[];
  /** What is wrong with the runs that are billed by; nothing if all is well. */
  billing: string[];
}

/** Three processes that serve the API, two machines with devices; then a process, the devices and all of a machine are killed. */
export async function runFleet(devices: number, say: (line: string) => void): Promise<Outcome> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const first = await TestServer.start({ LOG_LEVEL: "fatal" });
    stops.push(() => first.stop());
    await first.operate("gateways", "drain", "embedded");
    const database = await databaseOf(first.dataDir);
    stops.unshift(() => database.end());
    const url = database.options.connectionString ?? "";

    const add = async (
      name: string,
      more: Record<string, string>,
      network = undefined as ReturnType<typeof makeNetwork>,
    ) => {
      const machine = await Machine.of(name, { DATABASE_URL: url, ...more }, network);
      stops.push(() => machine.remove());
      machine.start();
      return machine;
    };
    const apis = [
      await add("api2", { TERRARIUM_ROLES: "api,realtime,jobs" }),
      await add("api3", { TERRARIUM_ROLES: "api,realtime,jobs" }),
    ];
    const networks = [makeNetwork(1), makeNetwork(2)];
    const gateways = await Promise.all(
      networks.map((network, index) =>
        add(
          `host${index + 1}`,
          {
            TERRARIUM_ROLES: "gateway",
            TERRARIUM_GATEWAY_NAME: `host${index + 1}`,
            // Either can have all, so that those of a machine that is lost can be started anew.
            TERRARIUM_SIMULATOR_MAX_DEVICES: String(devices),
          },
          network,
        ),
      ),
    );
    const urls = [first.url, ...(await Promise.all(apis.map(urlOf)))];
    await eventually("the gateways are up", async () => (await count(database, "gateways")) === 3, UP_MS);
    say(
      `3 api, 2 machines${networks[0] ? " in networks of their own" : " (no network namespaces here)"}, 1 PostgreSQL`,
    );
    const machines = [...apis, ...gateways];
    const none = sumOf(await serversOf(first, machines));

    const clients = await signIn(first, urls, devices);
    const { results } = await clients[0]!.recipes.list({ query: { search: "Phone 6.1", page_size: 1 } });
    const recipe = results[0]?.uuid ?? "";
    const began = performance.now();
    let asked = 0;
    const starting = async () => {
      while (asked < devices) await start(clients[asked % clients.length]!, recipe, `fleet-${asked++}`);
    };
    await Promise.all(Array.from({ length: WIDTH }, starting));
    await eventually("all devices are online", async () => (await online(database)) === devices, PATIENCE_MS);
    const startSeconds = (performance.now() - began) / 1000;
    say(`${devices} devices are online after ${startSeconds.toFixed(1)} s`);
    const readyMs = (
      await database.query<{ ms: number }>(
        "SELECT (1000 * extract(epoch FROM online_at - created_at))::float8 AS ms FROM instances WHERE state = 'ONLINE'",
      )
    ).rows.map(({ ms }) => ms);

    await sleep(REST_MS);
    const rest = await measure(first, machines);
    say("they are at rest");

    const faults: Fault[] = [];
    const fault = async (what: string, holder: string, act: () => Promise<void>, limitMs: number) => {
      const before = await heldBy(database, holder);
      const from = performance.now();
      await act();
      const after = await settled(database, before, from, limitMs);
      faults.push({ what, devices: before.size, ...after });
      say(`${what}: ${before.size} devices, settled after ${after.seconds.toFixed(1)} s`);
    };
    const [one, two] = gateways as [Machine, Machine];
    const restart = async () => {
      await two.end("SIGKILL");
      await sleep(RESTART_MS);
      two.start();
    };
    await fault("a gateway is killed, and restarted after 3 s", two.name, restart, 60_000);
    await fault("the processes of a machine's devices are killed", one.name, () => one.killDevices(), 60_000);
    // Where it has no network of its own its address still answers, as when its gateway alone was killed.
    await fault("a machine is lost", two.name, () => two.lose(), KEPT_MS);

    const { rows } = await database.query<{ bytes: number }>(
      "SELECT pg_database_size(current_database())::float8 AS bytes",
    );
    return {
      devices,
      networks: networks.filter((network) => network !== undefined).length,
      startSeconds,
      readyMs,
      none,
      rest,
      databaseBytes: rows[0]?.bytes ?? 0,
      faults,
      billing: await wrongRuns(database),
    };
  } finally {
    for (const stop of stops.toReversed()) await stop().catch(() => undefined);
  }
}

const urlOf = (machine: Machine) =>
  eventually(`${machine.name} is up`, async () => /http:\/\/localhost:\d+/.exec(machine.output)?.[0], UP_MS);

/** Managers of organizations of their own, at each process: so many starts of one person a minute are refused. */
async function signIn(server: TestServer, urls: readonly string[], devices: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (const name of ["Fern", "Moss", "Reed"]) {
    const account = await addManager(server, name);
    await server.operate("organizations", "limit", name, String(Math.ceil(devices / 3)));
    await server.operate("organizations", "license", name, "metered", "active");
    const { token } = await server.signIn(account);
    clients.push(...urls.map((baseUrl) => createClient({ baseUrl, token: () => token })));
  }
  // In turn, so that each organization has a third of the devices.
  return clients.map((_, index) => clients[(index % 3) * urls.length + Math.floor(index / 3)]!);
}

async function start(client: Client, uuid: string, name: string): Promise<void> {
  for (;;)
    try {
      const timeouts = { inactivity: 0, global: 0 };
      await client.recipes.start(
        { params: { uuid }, body: { instance_name: name, timeouts } },
        { idempotencyKey: name },
      );
      return;
    } catch (error) {
      // On a busy machine the gateways may be late with their beats.
      const isLater = error instanceof AppError && ["TOO_MANY_REQUESTS", "ZONE_NOT_AVAILABLE"].includes(error.code);
      if (!isLater) throw error;
      await sleep(1_000);
    }
}

const count = async (database: Pool, table: "gateways"): Promise<number> =>
  (await database.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`)).rows[0]?.count ?? 0;

const online = async (database: Pool): Promise<number> =>
  (await database.query<{ count: number }>("SELECT count(*)::integer AS count FROM instances WHERE state = 'ONLINE'"))
    .rows[0]?.count ?? 0;

/** A gateway's devices, each with the number of its lease. */
async function heldBy(database: Pool, holder: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query<{ uuid: string; lease_epoch: number }>(
    "SELECT uuid, lease_epoch FROM instances WHERE lease_holder = $1 AND state = 'ONLINE'",
    [holder],
  );
  return new Map(rows.map(({ uuid, lease_epoch }) => [uuid, lease_epoch]));
}

/** Waits until each of these devices was taken on anew, or has ended with a reason. */
async function settled(database: Pool, before: ReadonlyMap<string, number>, from: number, limitMs: number) {
  for (;;) {
    const { rows } = await database.query<{ uuid: string; state: string; reason: string | null; lease_epoch: number }>(
      "SELECT uuid, state, reason, lease_epoch FROM instances WHERE uuid = ANY($1)",
      [[...before.keys()]],
    );
    const adopted = rows.filter(
      ({ uuid, state, lease_epoch }) => state === "ONLINE" && lease_epoch > (before.get(uuid) ?? Infinity),
    ).length;
    const reasons = rows.flatMap(({ state, reason }) => (state === "ERROR" && reason !== null ? [reason] : []));
    const ended: Record<string, number> = {};
    for (const reason of reasons) ended[reason] = (ended[reason] ?? 0) + 1;
    const ms = performance.now() - from;
    if (adopted + reasons.length === before.size || ms > limitMs) return { adopted, ended, seconds: ms / 1000 };
    await sleep(250);
  }
}

const serversOf = async (first: TestServer, machines: readonly Machine[]): Promise<Usage[]> => [
  await usageOfRoles(first.dataDir, "server", "gateway"),
  ...(await Promise.all(machines.map(async (machine) => (await machine.usage()).server))),
];

/** What all of it uses, and how much of the processors within some seconds. */
async function measure(first: TestServer, machines: readonly Machine[]): Promise<Outcome["rest"]> {
  const now = async () => ({
    servers: sumOf(await serversOf(first, machines)),
    devices: sumOf(await Promise.all(machines.map(async (machine) => (await machine.usage()).devices))),
    database: await usageOfRoles(first.dataDir, "database", "backend"),
  });
  const before = await now();
  await sleep(MEASURE_MS);
  const after = await now();
  const share = (part: "servers" | "devices" | "database") =>
    (after[part].cpuSeconds - before[part].cpuSeconds) / (MEASURE_MS / 1000);
  return { ...after, seconds: { servers: share("servers"), devices: share("devices"), database: share("database") } };
}

/** Runs of one device that overlap, that are open of a device that has ended, or that are longer than they can be. */
async function wrongRuns(database: Pool): Promise<string[]> {
  const { rows } = await database.query<{ wrong: string }>(`
    SELECT 'two runs of ' || one.instance_uuid AS wrong FROM runs AS one JOIN runs AS other
      ON one.instance_uuid = other.instance_uuid AND one.revision < other.revision AND one.ended_at > other.began_at
    UNION ALL SELECT 'an open run of ' || instance_uuid || ', which is ' || state FROM runs JOIN instances ON uuid = instance_uuid
      WHERE runs.ended_at = 'infinity' AND state NOT IN ('ONLINE', 'SAVING')
    UNION ALL SELECT 'no run of ' || uuid FROM instances WHERE state = 'ONLINE'
      AND NOT EXISTS (SELECT FROM runs WHERE instance_uuid = uuid AND runs.ended_at = 'infinity')
    UNION ALL SELECT instance_uuid || ' used ' || used_ms || ' ms of ' || extract(epoch FROM ended_at - began_at) || ' s' FROM runs
      WHERE ended_at < 'infinity' AND used_ms > 1000 * extract(epoch FROM ended_at - began_at) + 10000`);
  return rows.map(({ wrong }) => wrong);
}
