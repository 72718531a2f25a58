import { eventually, startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { setTimeout } from "node:timers/promises";
import { print } from "./support/figures.ts";
import { megabytes, usageOf } from "./support/processes.ts";

/** What starts and stops leave behind: the memory of each process after rounds of them, when no device is left. */

const ROUNDS = 4;
const STARTS = 250;
/** Concurrent starts. */
const WIDTH = 8;
/** Time in which processes may give memory back. */
const REST_MS = 5_000;

const server = await TestServer.start();
try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(4 * WIDTH));
  const { client } = await server.signIn(demo.manager);
  const kinds = {
    server: (command: string, roles: string) => command.includes("apps/server/src/main.ts") && roles !== "gateway",
    gateway: (command: string, roles: string) => command.includes("apps/server/src/main.ts") && roles === "gateway",
    simulator: (command: string) => command.includes("simulator/src/host-main.ts"),
  };
  const report = async (label: string) => {
    const parts = Object.entries(kinds).map(
      async ([name, matches]) => `${name} ${megabytes((await usageOf(server.dataDir, matches)).rssBytes)}`,
    );
    print(label, (await Promise.all(parts)).join(", "));
  };
  const startAndStop = async () => {
    const { uuid } = await startDevice(client);
    await untilState(client, uuid, "ONLINE");
    await client.instances.stop({ params: { uuid } });
  };
  const noneLeft = async () => (await client.instances.list({ query: { page_size: 1 } })).count === 0;

  console.log(`Memory after rounds of ${STARTS} devices that were started and stopped`);
  await report("before");
  for (let round = 1; round <= ROUNDS; round++) {
    let left = STARTS;
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        while (left-- > 0) await startAndStop();
      }),
    );
    await eventually("no device is left", noneLeft);
    await setTimeout(REST_MS);
    await report(`round ${round}`);
  }
} finally {
  await server.stop();
}
