import { untilState, startDevice } from "@terrarium/e2e/support/instances.ts";
import { usageOfRoles } from "@terrarium/e2e/support/processes.ts";
import { TestServer, demo } from "@terrarium/e2e/support/server.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { print } from "./support/figures.ts";

/**
 * An authenticated list of ten devices, compared with a bare node:http server that sends the same bytes: requests per second, and CPU
 * time per request, which depends less on what else the machine is doing.
 */

const load = fileURLToPath(new URL("support/load.ts", import.meta.url));
const LOAD_SECONDS = 4;
const WARM_UPS = 3;
const DEVICES = 10;
/** As many API tokens as one user may have. */
const CALLERS = 25;
/** A display that nobody watches is closed 30 s after its start. */
const REST_MS = 33_000;

/** The load comes from a process of its own, so that it does not share a thread with what it measures. */
async function answeredBy(url: string, connections: number, tokens: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [load, url, String(connections), ...tokens]);
  return Number(stdout);
}

const server = await TestServer.start();
try {
  const { client, token } = await server.signIn(demo.manager);
  for (let count = 0; count < DEVICES; count++) {
    const { uuid } = await startDevice(client);
    await untilState(client, uuid, "ONLINE");
  }
  await setTimeout(REST_MS);
  const list = `${server.url}/cloud/v2/instances`;
  const body = await (await fetch(list, { headers: { authorization: `Bearer ${token}` } })).text();
  const bare = createServer((_request, response) =>
    response.setHeader("content-type", "application/json").end(body),
  ).listen(0, "127.0.0.1");
  await once(bare, "listening");
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;

  const bareUse = async () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const serverUse = async () => (await usageOfRoles(server.dataDir, "server")).cpuSeconds * 1e6;
  const databaseUse = async () => (await usageOfRoles(server.dataDir, "database", "backend")).cpuSeconds * 1e6;
  /** The requests per second, and the CPU time per request of each process group in microseconds. */
  const measure = async (url: string, connections: number, tokens: string[], uses: (() => Promise<number>)[]) => {
    const before = await Promise.all(uses.map((use) => use()));
    const answered = await answeredBy(url, connections, tokens);
    const after = await Promise.all(uses.map((use) => use()));
    const each = after.map((use, index) => (use - (before[index] ?? 0)) / answered);
    return { rate: answered / LOAD_SECONDS, each };
  };

  console.log(`An authenticated list of ${DEVICES} devices (${(body.length / 1024).toFixed(0)} kB)`);
  // Callers with one token who ask the same at once share an answer; those with tokens of their own do not.
  const tokens: string[] = [];
  for (let caller = 1; caller <= CALLERS; caller++)
    tokens.push((await client.apiTokens.create({ body: { description: `bench ${caller}` } })).token);
  const callers = [
    { label: "1 connection", connections: 1, tokens: tokens.slice(0, 1) },
    { label: "8 connections, a token each", connections: 8, tokens },
    { label: `32 connections with ${CALLERS} tokens`, connections: 32, tokens },
    { label: "32 connections with one token", connections: 32, tokens: tokens.slice(0, 1) },
  ];
  // V8 is still optimising the server after four seconds, and a bare one no more after one.
  for (let count = 0; count < WARM_UPS; count++) await answeredBy(list, 32, tokens);
  for (const { label, connections, tokens: theirs } of callers) {
    const floor = await measure(bareUrl, connections, theirs, [bareUse]);
    const ours = await measure(list, connections, theirs, [serverUse, databaseUse]);
    const [node = Number.NaN, database = Number.NaN] = ours.each;
    const [bareNode = Number.NaN] = floor.each;
    print(
      label,
      `${ours.rate.toFixed(0)}/s, bare node ${floor.rate.toFixed(0)}/s, ratio ${(ours.rate / floor.rate).toFixed(3)}; ` +
        `CPU ${node.toFixed(0)} us node + ${database.toFixed(0)} us PostgreSQL, bare ${bareNode.toFixed(0)} us, ` +
        `ratio ${(bareNode / (node + database)).toFixed(3)}; aim: 0.25`,
    );
  }
  bare.close();
} finally {
  await server.stop();
}
