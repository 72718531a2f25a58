import type { DeviceRuntime } from "@terrarium/runtime";
import { FakeMachines, fakeRuntime, type FakeRuntimeOptions } from "@terrarium/runtime/testing";
import type { createServer } from "node:http";
import { onTestFinished } from "vitest";
import type { Database } from "../database/schema.ts";
import { upsertGateway } from "../features/instances/gateways.ts";
import { createLog } from "../platform/log.ts";
import { startGateway } from "../roles/gateway.ts";
import { KEEP_DEVICES_MS, type TestApp } from "./app.ts";

/** The fake runtime, under the name that the catalogue's images ask for. Its machines outlive any gateway. */
export function aRuntime(place = "here", more: FakeRuntimeOptions = {}) {
  const runtime = fakeRuntime({ name: "simulator", machines: new FakeMachines(place), ...more });
  return { runtime, machines: runtime.machines.running };
}

/** A gateway whose devices are booted as soon as they are linked. */
export async function aGateway(
  { db, url, clock }: Pick<TestApp, "db" | "url" | "clock">,
  runtime: DeviceRuntime | DeviceRuntime[],
  { name = "one", connects = true, zones = null }: { name?: string; connects?: boolean; zones?: string[] | null } = {},
) {
  let used: (instance: string) => void = () => undefined;
  const gateway = await startGateway({
    db,
    databaseUrl: url,
    clock,
    log: createLog("silent", "test"),
    runtimes: [runtime].flat(),
    name,
    zones,
    host: "127.0.0.1",
    port: 0,
    address: undefined,
    keepDevicesMs: KEEP_DEVICES_MS,
    displays: (onUse) => ({
      connect: async (_instance, _adb, signal) => {
        used = onUse;
        if (!connects)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        const never = new AbortController().signal;
        return {
          booted: async () => undefined,
          wanted: async () => undefined,
          openDisplay: async () => ({ gone: never, close: async () => undefined }),
          gone: never,
          close: async () => undefined,
        };
      },
      ended: () => undefined,
      credentials: () => [],
      credentialEnded: () => undefined,
      participants: () => [],
      participantLeft: () => undefined,
      controlChanged: () => undefined,
      serve: (server: ReturnType<typeof createServer>) => void server,
      stop: async () => undefined,
    }),
  });
  let stopped = false;
  const stop = async (endDevices: boolean) => {
    if (stopped) return;
    stopped = true;
    await gateway.stop({ endDevices });
  };
  onTestFinished(() => stop(false));
  return { leave: () => stop(false), end: () => stop(true), used: (uuid: string) => used(uuid) };
}

/** As a gateway leaves its row that was killed. */
export const aDeadGateway = async ({ db }: { db: Database }, id: string): Promise<string> => {
  await upsertGateway(db, id, "127.0.0.1:1");
  return id;
};

/** Waits until a state is read. @throws Error after ten seconds */
export async function until(state: string, read: () => Promise<string | undefined>): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (let now = await read(); now !== state; now = await read()) {
    if (performance.now() > deadline) throw new Error(`still ${now}, not ${state}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
