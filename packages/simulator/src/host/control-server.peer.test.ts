import { TestClock } from "@terrarium/clock";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startControlServer } from "./control-server.ts";
import type { DeviceHost } from "./device-host.ts";

it.each([
  ["without devices ends soon", 0, 10_000],
  ["keeps its devices for the time it was told", 1, 300_000],
])("a host that nobody watches %s", async (_, size, endsAfter) => {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-control-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const clock = new TestClock();
  const control = await startControlServer({
    path: join(folder, "control.sock"),
    host: { size } as DeviceHost,
    clock,
    orphanMs: 300_000,
    log: () => undefined,
  });
  onTestFinished(() => control.stop());
  let reason: string | undefined;
  void control.over.then((why) => (reason = why));
  await clock.advance(endsAfter - 1);
  expect(reason).toBeUndefined();
  await clock.advance(1);
  expect(reason).toBe(`nobody watched for ${endsAfter} ms`);
});
