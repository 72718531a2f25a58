import { TestClock } from "@terrarium/clock";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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
