import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AdbLink, connectAdb, ReverseTable, serveAdb } from "@terrarium/adb";
import { MemoryDuplex } from "@terrarium/adb/testing";
import { type Clock, TestClock } from "@terrarium/clock";
import type { MachineSpec } from "@terrarium/runtime";
import { deviceServices } from "../adb/device-services.ts";
import { SimulatedDevice } from "../device/simulated-device.ts";
import { commands } from "../host/commands.ts";
import { FairTurns } from "../shell/fair-turns.ts";
import type { WorkLimits } from "../shell/work-budget.ts";
import { aSpec } from "./a-spec.ts";
import { createPlainScreen, type PlainScreen } from "./plain-screen.ts";

export interface TestDevice {
  device: SimulatedDevice;
  /** A host's link to it, in memory. */
  adb: AdbLink;
  screen: PlainScreen;
  /** What the device's side threw that was not the host's doing; a test expects none. */
  faults: unknown[];
  /** How often adbd has restarted; the link stays. */
  restarts: { count: number };
  stop(): void;
}

/** Turns of work in which each step takes 0.01 ms. */
function countedTurns(): FairTurns {
  let now = 0;
  return new FairTurns(() => (now += 0.01));
}

/** A booted device with a plain screen, and an adb link to it. */
export async function testDevice({
  spec = aSpec(),
  clock = new TestClock(),
  maxDiskBytes = 256 * 1024 * 1024,
  limits,
  turns = countedTurns(),
  restore,
}: {
  spec?: MachineSpec;
  clock?: Clock;
  maxDiskBytes?: number;
  /** What one command line may use. */
  limits?: WorkLimits;
  /** By default work takes as long as it says, however busy the machine is, so that a `TestClock` finds it where it should be. */
  turns?: FairTurns;
  /** Acts on the device before it boots. */
  restore?: (device: SimulatedDevice) => Promise<void>;
} = {}): Promise<TestDevice> {
  const folder = mkdtempSync(join(tmpdir(), "device-"));
  const device = new SimulatedDevice({
    spec,
    clock,
    createScreen: createPlainScreen,
    commandNames: commands.names,
    maxDiskBytes,
    spillFolder: folder,
  });
  await restore?.(device);
  const booting = device.boot();
  if (clock instanceof TestClock) await clock.advance(1000);
  await booting;
  const [host, daemon] = MemoryDuplex.pair();
  const faults: unknown[] = [];
  const restarts = { count: 0 };
  const reverses = new ReverseTable();
  serveAdb(daemon, {
    banner: { product: "p", model: "m", device: "d" },
    services: deviceServices({ device, commands, limits, turns, reverses, restart: () => restarts.count++ }),
    reverses,
    report: (error) => faults.push(error),
  });
  const adb = await connectAdb(host);
  return {
    device,
    adb,
    screen: device.display.screen as PlainScreen,
    faults,
    restarts,
    stop() {
      adb.close();
      device.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
