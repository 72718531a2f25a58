import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, operator, operatorEnvironment, TestServer } from "./support/server.ts";

let server: TestServer;
/** Where backups are written. */
let folder: string;
/** One that was made while a device ran. */
let file: string;
let saved: Awaited<ReturnType<typeof operate>>;
let uuid: string;

beforeAll(async () => {
  server = await preparedServer();
  folder = await mkdtemp(join(tmpdir(), "terrarium-e2e-backups-"));
  file = join(folder, "running.tar.gz");
  const { client } = await server.signIn(demo.user);
  ({ uuid } = await startDevice(client));
  await untilState(client, uuid, "ONLINE");
  saved = await operate(server.dataDir, ["backup", file]);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function aDataDir(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "terrarium-e2e-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/**
 * Runs the operator tool, and kills it as soon as it has printed so many lines.
 * @returns its exit code (null if it was killed), and what it printed
 */
async function operate(dataDir: string, words: string[], { killAfter = Infinity } = {}) {
  const tool = spawn(process.execPath, [operator, ...words], {
    env: operatorEnvironment(dataDir),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(tool, "exit") as Promise<[number | null]>;
  const lines: string[] = [];
  const errors: string[] = [];
  tool.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  for await (const line of createInterface(tool.stdout)) {
    lines.push(line);
    if (lines.length >= killAfter) tool.kill("SIGKILL");
  }
  return { code: (await ended)[0], lines, errors: errors.join("") };
}

/** After how many lines to kill: at the first, and in the middle. Near the last, all may be done before the signal arrives. */
function killPoints(lines: number): number[] {
  return [1, Math.ceil(lines / 2)].filter((point) => point < lines);
}

describe("npm run operator -- backup, and restore", () => {
  it("bring an installation with running devices to an empty machine, also when a restore was killed", async () => {
    expect(saved.lines.at(-1)).toContain(`${file} is complete`);
    const { client: here } = await server.signIn(demo.user);
    expect((await here.instances.get({ params: { uuid } })).state).toBe("ONLINE");
    const restored = await operate(await aDataDir(), ["restore", file]);
    expect(restored).toMatchObject({ code: 0, errors: "" });
    expect(restored.lines).toContain("devices that ran when the backup was made, and have ended: 1");
    // Nothing is left half: the same can be done again.
    const dataDir = await aDataDir();
    for (const killAfter of killPoints(restored.lines.length))
      expect((await operate(dataDir, ["restore", file], { killAfter })).code).toBe(null);
    expect(await operate(dataDir, ["restore", file])).toMatchObject({
      code: 0,
      lines: restored.lines.slice(0, -1).concat(expect.stringContaining("Everything is restored")),
    });

    const other = await TestServer.start({}, dataDir);
    onTestFinished(() => other.stop());
    const { client } = await other.signIn(demo.user);
    expect((await client.instances.get({ params: { uuid } })).state).toBe("ERROR");
    const next = await startDevice(client);
    await untilState(client, next.uuid, "ONLINE");
  });

  it("say why they refuse", async () => {
    const busy = await operate(server.dataDir, ["restore", file]);
    expect([busy.code, busy.errors]).toEqual([1, expect.stringMatching(/in use by another Terrarium server/)]);
    const missing = await operate(await aDataDir(), ["restore", join(folder, "missing")]);
    expect([missing.code, missing.errors]).toEqual([1, expect.stringMatching(/ENOENT/)]);
  });

  it("leave nothing half when a backup is killed", async () => {
    const killed = join(folder, "killed.tar.gz");
    for (const killAfter of killPoints(saved.lines.length)) {
      expect((await operate(server.dataDir, ["backup", killed], { killAfter })).code).toBe(null);
      const left = (await readdir(folder)).filter((name) => name.startsWith("killed"));
      expect(left).not.toContain("killed.tar.gz");
    }
    await server.operate("backup", killed);
    expect((await readdir(folder)).filter((name) => name.startsWith("killed"))).toEqual(["killed.tar.gz"]);
  });
});
