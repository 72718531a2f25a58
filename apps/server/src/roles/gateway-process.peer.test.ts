import { TestClock } from "@terrarium/clock";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../platform/log.ts";
import { startGatewayProcess } from "./gateway-process.ts";

/** A program to run instead of the gateway. */
async function aProgram(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-peer-gateway-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, "program.mjs");
  await writeFile(program, code);
  return program;
}

const deps = () => ({ clock: new TestClock(0), log: createLog("silent", "test") });

it("is not restarted when its first start fails", async () => {
  const { clock, log } = deps();
  const starting = startGatewayProcess(await aProgram("process.exit(3)"), {}, { clock, log });
  await expect(starting).rejects.toThrow("The gateway could not start (exit 3).");
  await clock.advance(0);
  expect(clock.sleeping).toBe(0);
});

it("waits before a restart when it dies later, and stops waiting when it is stopped", async () => {
  const { clock, log } = deps();
  const program = await aProgram(`
    process.send({ ready: true });
    process.disconnect();
  `);
  const gateway = await startGatewayProcess(program, {}, { clock, log });
  await expect.poll(() => clock.sleeping).toBe(1);
  await gateway.stop({ endDevices: false });
  expect(clock.sleeping).toBe(0);
});

it("is restarted at once when it dies after a minute", async () => {
  const { clock, log } = deps();
  const folder = await mkdtemp(join(tmpdir(), "terrarium-peer-gateway-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lives = join(folder, "lives");
  const program = await aProgram(`
    import { appendFileSync } from "node:fs";
    appendFileSync(process.env.LIVES, process.pid + "\\n");
    process.send({ ready: true });
    process.on("message", () => process.exit(0));
  `);
  const gateway = await startGatewayProcess(program, { LIVES: lives }, { clock, log });
  const pids = async () => (await readFile(lives, "utf8")).trim().split("\n").map(Number);
  await clock.advance(60_000);
  process.kill((await pids())[0] ?? 0, "SIGKILL");
  await expect.poll(async () => (await pids()).length).toBe(2);
  process.kill((await pids())[1] ?? 0, "SIGKILL");
  await expect.poll(() => clock.sleeping).toBe(1);
  await gateway.stop({ endDevices: false });
});

it("is started once more to end the devices when it is not there, and not otherwise", async () => {
  const { clock, log } = deps();
  const folder = await mkdtemp(join(tmpdir(), "terrarium-peer-gateway-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const told = join(folder, "told");
  const program = await aProgram(`
    import { appendFileSync, existsSync } from "node:fs";
    process.on("message", ({ stop }) => {
      appendFileSync(process.env.TOLD, stop.endDevices + "\\n");
      process.exit(existsSync(process.env.TOLD + ".dies") ? 1 : 0);
    });
    process.send({ ready: true });
    if (!existsSync(process.env.TOLD + ".lives")) process.exit(1);
  `);
  const start = () => startGatewayProcess(program, { TOLD: told }, { clock, log });
  const lines = () => readFile(told, "utf8").catch(() => "");

  const left = await start();
  await expect.poll(() => clock.sleeping).toBe(1);
  await left.stop({ endDevices: false });
  expect(await lines()).toBe("");

  const ended = await start();
  await expect.poll(() => clock.sleeping).toBe(1);
  await writeFile(`${told}.lives`, "");
  await ended.stop({ endDevices: true });
  expect(await lines()).toBe("true\n");

  await (await start()).stop({ endDevices: true });
  expect(await lines()).toBe("true\ntrue\n");

  // It dies while it ends the devices: the next goes on, and that is all.
  await writeFile(`${told}.dies`, "");
  await (await start()).stop({ endDevices: true });
  expect(await lines()).toBe("true\n".repeat(4));
  expect(clock.sleeping).toBe(0);
});

it("is killed when it does not stop within 25 s, as when it is stopped by a signal", async () => {
  const { clock, log } = deps();
  const program = await aProgram(`
    process.send({ ready: true });
    process.on("message", () => process.kill(process.pid, "SIGSTOP"));
  `);
  const gateway = await startGatewayProcess(program, {}, { clock, log });
  let hasStopped = false;
  const stopping = gateway.stop({ endDevices: true }).then(() => (hasStopped = true));
  await clock.advance(24_999);
  expect(hasStopped).toBe(false);
  await clock.advance(1);
  await stopping;
  expect(clock.sleeping).toBe(0);
});
