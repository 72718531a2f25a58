import { TestServer, demo } from "@terrarium/e2e/support/server.ts";
import { startDevice } from "@terrarium/e2e/support/instances.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { print } from "./support/figures.ts";

/** Requests per second for an authenticated list of ten devices, compared with a bare node:http server that sends the same bytes. */

const load = fileURLToPath(new URL("support/load.ts", import.meta.url));
const DEVICES = 10;
/** The maximum number of API tokens of one user. */
const CALLERS = 25;

/** The load generator is a separate process, so that it does not share a thread with what it measures. */
async function requestsPerSecond(url: string, connections: number, tokens: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [load, url, String(connections), ...tokens]);
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
  // Concurrent equal requests with one token share a reply; those with different tokens do not.
  const tokens: string[] = [];
  for (let caller = 1; caller <= CALLERS; caller++)
    tokens.push((await client.apiTokens.create({ body: { description: `bench ${caller}` } })).token);
  const callers = [
    { label: "1 connection", connections: 1, tokens: tokens.slice(0, 1) },
    { label: "8 connections, one token each", connections: 8, tokens },
    { label: `32 connections with ${CALLERS} tokens`, connections: 32, tokens },
    { label: "32 connections with one token", connections: 32, tokens: tokens.slice(0, 1) },
  ];
  for (const { label, connections, tokens: own } of callers) {
    const floor = await requestsPerSecond(bareUrl, connections, own);
    const ours = await requestsPerSecond(list, connections, own);
    print(label, `${ours.toFixed(0)}/s, bare node ${floor.toFixed(0)}/s, ratio ${(ours / floor).toFixed(3)}`);
  }
  bare.close();
} finally {
  await server.stop();
}
