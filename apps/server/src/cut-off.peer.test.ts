import { basePath, socketPath } from "@terrarium/contract";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { io } from "socket.io-client";
import { expect, inject, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Schema } from "./database/schema.ts";
import { databaseUrlFile } from "./settings.ts";
import { createDatabase } from "./platform/db/database.ts";

const READY = /ready at http:\/\/localhost:(\d+)/;

/** Starts the product as `npm start` does: with a gateway process, a database and simulated devices. */
async function startServer() {
  const dataDir = await mkdtemp(join(tmpdir(), "terrarium-peer-cut-off-"));
  await chmod(dataDir, 0o755);
  // What a server does at its first start takes longer than all of this.
  await promisify(execFile)("cp", ["-a", `${inject("preparedData")}/.`, dataDir]);
  const env = { ...process.env, NODE_ENV: "test", HOST: "127.0.0.1", PORT: "0", TERRARIUM_DATA_DIR: dataDir };
  const server = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], { env });
  onTestFinished(async () => {
    server.kill("SIGINT");
    if (server.exitCode === null) await once(server, "exit");
    await rm(dataDir, { recursive: true, force: true });
  });
  let output = "";
  for await (const chunk of server.stdout) {
    output += String(chunk);
    const port = READY.exec(output)?.[1];
    if (port) return { dataDir, port };
  }
  throw new Error(`the server ended before it was ready:\n${output}`);
}

it("cuts off who is removed from a live session, and a user who is disabled with SQL, within a second: calls, socket and viewer", async () => {
  const { dataDir, port } = await startServer();
  const origin = `http://127.0.0.1:${port}`;
  const db = createDatabase<Schema>(await readFile(databaseUrlFile(dataDir), "utf8"), { max: 1 });
  onTestFinished(() => db.destroy());
  const call = (path: string, token: string, body?: object) =>
    fetch(`${origin}${basePath}${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const email = "user@demo.test";
  const { token } = await (await call("/v1/users/login", "", { email, password: "terrarium1" })).json();

  const { results } = await (await call("/v3/recipes?page_size=1", token)).json();
  const start = await call(`/v1/recipes/${results[0].uuid}/start-disposable`, token, { instance_name: "one" });
  const { uuid } = await start.json();
  const granted = await call("/v1/instances/access-token", token, { instance_uuid: uuid });
  const { access_token } = await granted.json();
  const viewer = new WebSocket(`ws://127.0.0.1:${port}${basePath}/instances/${uuid}/player`);
  onTestFinished(() => viewer.terminate());
  await once(viewer, "open");
  viewer.send(JSON.stringify({ type: "token", token: access_token }));
  // Its first message comes when the display is open.
  await once(viewer, "message");
  const socket = io(origin, { path: socketPath, query: { token }, transports: ["websocket"], reconnection: false });
  onTestFinished(() => void socket.disconnect());
  await new Promise<void>((resolve) => socket.once("connect", resolve));

  // Somebody else takes part, and is removed.
  const guest = "manager@demo.test";
  const { token: theirs } = await (await call("/v1/users/login", "", { email: guest, password: "terrarium1" })).json();
  const shared = await call("/v1/livesessions/", token, { instance: uuid, invitations: [guest] });
  const session = (await shared.json()) as { participants: { uuid: string }[] };
  const theirGrant = await call("/v1/instances/access-token", theirs, { instance_uuid: uuid });
  const participant = new WebSocket(`ws://127.0.0.1:${port}${basePath}/instances/${uuid}/player`);
  onTestFinished(() => participant.terminate());
  await once(participant, "open");
  participant.send(JSON.stringify({ type: "token", token: (await theirGrant.json()).access_token }));
  await once(participant, "message");
  const cut = once(participant, "close");
  const removed = performance.now();
  await fetch(`${origin}${basePath}/v1/livesessions/participants/${session.participants[0]?.uuid}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await cut)[0]).toBe(4243);
  expect(performance.now() - removed).toBeLessThan(1_000);
  expect(viewer.readyState).toBe(WebSocket.OPEN);

  const cuts = Promise.all([
    once(viewer, "close").then(([code]) => [code, performance.now()]),
    new Promise((resolve) => socket.once("disconnect", (reason) => resolve([reason, performance.now()]))),
  ]);
  const before = performance.now();
  await db.updateTable("users").set({ is_enabled: false }).where("email", "=", email).execute();
  expect((await call("/v2/instances", token)).status).toBe(401);
  const afterMs = (performance.now() - before).toFixed(0);
  const [[code, viewerAt], [reason, socketAt]] = (await cuts) as [[number, number], [string, number]];
  console.info(
    `401 after ${afterMs} ms, socket ${(socketAt - before).toFixed(0)} ms, viewer ${(viewerAt - before).toFixed(0)} ms`,
  );
  expect([code, reason]).toEqual([4243, "io server disconnect"]);
  expect(Math.max(viewerAt, socketAt) - before).toBeLessThan(1_000);
});
