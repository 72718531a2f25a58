import { AppError } from "@terrarium/contract";
import { eventually, startDevice, untilState } from "@terrarium/e2e/support/instances.ts";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { setTimeout } from "node:timers/promises";
import { megabytes, print } from "./support/figures.ts";

/** What starts and stops leave behind: the memory of each process after rounds of them, when no device is left. */

const ROUNDS = 4;
const STARTS = 250;
/** Concurrent starts. */
const WIDTH = 8;
const RETRY_MS = 1_000;
/** Time in which processes may give memory back. */
const REST_MS = 5_000;

const server = await TestServer.start();
try {
  await server.operate("organizations", "limit", "Northwind Mobile", String(4 * WIDTH));
  const { client } = await server.signIn(demo.manager);
  const kinds = { server: "server", gateway: "gateway", simulator: "host" } as const;
  const report = async (label: string) => {
    const figures = Object.entries(kinds).map(
      async ([name, role]) => `${name} ${megabytes((await usageOfRoles(server.dataDir, role)).bytes)}`,
    );
    print(label, (await Promise.all(figures)).join(", "));
  };
  /** A person may start 300 devices a minute. */
  const startWhenAllowed = async (): Promise<string> => {
    for (;;) {
      try {
        return (await startDevice(client)).uuid;
      } catch (error) {
        if (!(error instanceof AppError && error.code === "TOO_MANY_REQUESTS")) throw error;
        await setTimeout(RETRY_MS);
      }
    }
  };
  const startAndStop = async () => {
    const uuid = await startWhenAllowed();
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
