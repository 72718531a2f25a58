import { TestServer, demo } from "@terrarium/e2e/support/server.ts";
import { startDevice } from "@terrarium/e2e/support/instances.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { print } from "./support/figures.ts";

/** Requests a second of an authenticated list of ten devices, beside a bare node:http server that sends the same bytes. */

const load = fileURLToPath(new URL("support/load.ts", import.meta.url));
const DEVICES = 10;

/** The load comes from a process of its own, so that it does not share a thread with what it measures. */
async function requestsPerSecond(url: string, token: string, connections: number): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [load, url, token, String(connections)]);
  return Number(stdout);
}

const server = await TestServer.start();
try {
  const { client, token } = await server.signIn(demo.manager);
  for (let count = 0; count < DEVICES; count++) await startDevice(client);
  const list = `${server.url}/cloud/v2/instances`;
  const body = await (await fetch(list, { headers: { authorization: `Bearer ${token}` } })).text();
  const bare = createServer((_request, response) =>
    response.setHeader("content-type", "application/json").end(body),
  ).listen(0, "127.0.0.1");
  await once(bare, "listening");
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;

  console.log(`An authenticated list of ${DEVICES} devices (${(body.length / 1024).toFixed(0)} kB)`);
  for (const connections of [1, 8, 32]) {
    const floor = await requestsPerSecond(bareUrl, token, connections);
    const ours = await requestsPerSecond(list, token, connections);
    print(
      `${connections} connections`,
      `${ours.toFixed(0)}/s, bare node ${floor.toFixed(0)}/s, ratio ${(ours / floor).toFixed(3)}`,
    );
  }
  bare.close();
} finally {
  await server.stop();
}
