import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { processesWith } from "./platform/postgres/processes.ts";

/** Starts a server with its own data directory and, as a terminal would, in its own process group. */
async function startServer() {
  const dataDir = await mkdtemp(join(tmpdir(), "terrarium-peer-main-"));
  await chmod(dataDir, 0o755);
  const env = {
    ...process.env,
    NODE_ENV: "test",
    HOST: "127.0.0.1",
    PORT: "0",
    TERRARIUM_DATA_DIR: dataDir,
    TERRARIUM_KEEP_DEVICES_SECONDS: "0",
  };
  const server = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(server, "exit");
  onTestFinished(async () => {
    server.kill("SIGKILL");
    for (const pid of await left(dataDir)) process.kill(pid, "SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  });
  return { dataDir, ended, signal: (name: NodeJS.Signals) => process.kill(-(server.pid ?? 0), name) };
}

const left = async (dataDir: string): Promise<number[]> => [
  ...(await processesWith(join(dataDir, "cluster"))),
  ...(await processesWith(join(dataDir, "simulator/0.sock"))),
];

/** Resolves when the database runs and nothing else was started yet. */
async function untilDatabaseRuns(dataDir: string): Promise<void> {
  for await (const { filename } of watch(dataDir)) if (filename === "database-url") return;
}

it.each(["SIGINT", "SIGTERM"] as const)("leaves nothing running when it receives %s while starting", async (name) => {
  const { dataDir, ended, signal } = await startServer();
  await untilDatabaseRuns(dataDir);
  signal(name);
  expect(await ended).toEqual([0, null]);
  expect(await left(dataDir)).toEqual([]);
});
