import { AppError } from "@terrarium/contract";
import { eventually, startDevice } from "@terrarium/e2e/support/instances.ts";
import { type Usage, usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { setTimeout } from "node:timers/promises";
import { megabytes, print } from "./support/figures.ts";

/** What idle devices cost, and how that grows with their number: `idle.bench.ts [DEVICES]`. */

const most = Number(process.argv[2] ?? 1_000);
const STEPS = [1, 50, 200, 1_000, 2_000, 5_000].filter((step) => step < most).concat(most);
/** Concurrent starts. */
const WIDTH = 8;
/** The time limit for a step. */
const STEP_MS = 600 * most;
/** So many starts of one person a minute are refused. */
const REFUSED_MS = 1_000;
/** A display without viewers is closed 30 s after the start; a little more, for the memory to be released. */
const REST_MS = 33_000;
const MEASURE_MS = 8_000;

const server = await TestServer.start({ TERRARIUM_SIMULATOR_MAX_DEVICES: String(most) });
try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(most));
  const people = await Promise.all([demo.manager, demo.user].map(async (who) => (await server.signIn(who)).client));
  const usage = async () => ({
    simulator: await usageOfRoles(server.dataDir, "host"),
    server: await usageOfRoles(server.dataDir, "server", "gateway"),
    database: await usageOfRoles(server.dataDir, "database", "backend"),
  });
  const core = (before: Usage, after: Usage) =>
    `${(((after.cpuSeconds - before.cpuSeconds) / (MEASURE_MS / 1000)) * 100).toFixed(1)} % of a core`;
  const start = async (number: number): Promise<unknown> =>
    startDevice(people[number % 2]!, { name: `idle-${number}` }).catch(async (error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "TOO_MANY_REQUESTS") throw error;
      await setTimeout(REFUSED_MS);
      return start(number);
    });
  const online = async () => {
    const counts = people.map(
      async (client) => await client.instances.list({ query: { state: ["ONLINE"], page_size: 1 } }),
    );
    return (await Promise.all(counts)).reduce((sum, { count }) => sum + count, 0);
  };

  console.log("Idle devices");
  const empty = await usage();
  print("none: the server's processes", megabytes(empty.server.bytes));
  let first: Usage | undefined;
  let running = 0;
  for (const step of STEPS) {
    const began = performance.now();
    const starting = async () => {
      while (running < step) await start(running++);
    };
    await Promise.race([
      Promise.all(Array.from({ length: WIDTH }, starting)),
      setTimeout(STEP_MS, undefined, { ref: false }).then(() => {
        throw new Error(`${step} devices did not start within ${STEP_MS / 1000} s`);
      }),
    ]);
    await eventually(`${step} devices are online`, async () => (await online()) === step, STEP_MS);
    const seconds = (performance.now() - began) / 1000;
    await setTimeout(REST_MS);
    const before = await usage();
    await setTimeout(MEASURE_MS);
    const after = await usage();
    first ??= after.simulator;
    const each =
      step > 1 ? `, ${megabytes((after.simulator.bytes - first.bytes) / (step - 1), 1)} for each additional one` : "";
    const name = `${step} ${step === 1 ? "device" : "devices"}`;
    print(
      `${name}: simulator`,
      `${megabytes(after.simulator.bytes)}${each}, ${core(before.simulator, after.simulator)}`,
    );
    print(
      `${name}: server without the database`,
      `${megabytes(after.server.bytes)}, ${core(before.server, after.server)}`,
    );
    print(`${name}: PostgreSQL`, `${megabytes(after.database.bytes)}, ${core(before.database, after.database)}`);
    print(`${name}: online after`, `${seconds.toFixed(1)} s`);
  }
} finally {
  await server.stop();
}
