import { eventually, startDevice } from "@terrarium/e2e/support/instances.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { setTimeout } from "node:timers/promises";
import { print } from "./support/figures.ts";
import { megabytes, usageOf } from "./support/processes.ts";

/** What devices cost that nobody watches, and how that grows. */

const STEPS = [1, 50, 200];
const MEASURE_MS = 10_000;

const server = await TestServer.start();
try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(STEPS.at(-1)));
  const { client } = await server.signIn(demo.manager);
  const isOurs = (command: string) =>
    command.includes("apps/server/src/main.ts") || command.includes("packages/simulator/");
  const empty = await usageOf(server.dataDir, isOurs);
  console.log("Idle devices");
  print("0 devices", megabytes(empty.rssBytes));
  let running = 0;
  for (const step of STEPS) {
    const began = performance.now();
    for (; running < step; running++) await startDevice(client, { name: `idle-${running}` });
    await eventually(
      "all are online",
      async () => (await client.instances.list({ query: { state: ["ONLINE"], page_size: 1 } })).count === step,
    );
    const seconds = (performance.now() - began) / 1000;
    const before = await usageOf(server.dataDir, isOurs);
    await setTimeout(MEASURE_MS);
    const after = await usageOf(server.dataDir, isOurs);
    const core = ((after.cpuSeconds - before.cpuSeconds) / (MEASURE_MS / 1000)) * 100;
    const each = (after.rssBytes - empty.rssBytes) / step;
    print(
      `${step} devices`,
      `${megabytes(after.rssBytes)}, ${megabytes(each)} each, ${core.toFixed(1)} % of a core, up in ${seconds.toFixed(1)} s`,
    );
  }
} finally {
  await server.stop();
}
