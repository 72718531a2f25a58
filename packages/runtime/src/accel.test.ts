import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@terrarium/clock";
import { expect, it, onTestFinished } from "vitest";
import { tryToBoot } from "./accel.ts";

/** As time goes by where a guest hangs. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 100, signal) };

/** Tries a program that does this instead of what QEMU does. */
async function trial(script: string, clock: Clock = systemClock) {
  const folder = await mkdtemp(join(tmpdir(), "accel-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, "qemu");
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return tryToBoot({ program, accel: "kvm", clock, watchdogMs: clock === hasty ? 5_000 : 60_000 });
}

it("takes only what the trial guest itself says for a boot", async () => {
  expect(await trial("exit 33")).toBeUndefined();
  expect(await trial("exit 0")).toBe("a trial guest did not boot: QEMU ended with 0");
  expect(await trial("echo first >&2; echo failed to set MSR >&2; exit 1")).toBe(
    "a trial guest did not boot: failed to set MSR",
  );
});

it("ends a trial guest that hangs", async () => {
  expect(await trial("exec sleep 1000", hasty)).toBe("a trial guest did not boot in 5 s");
});

it("says that there is no program", async () => {
  const tried = await tryToBoot({ program: "/nowhere/qemu", accel: "tcg", clock: systemClock });
  expect(tried).toBe("a trial guest did not boot: spawn /nowhere/qemu ENOENT");
});
