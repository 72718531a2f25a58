import { rename, writeFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Imported into the server and its gateway (see vitals.ts): on SIGUSR2, writes what only the process itself knows to a file. It collects
 * garbage first, so that the heap is what is in use.
 */
const RESOLUTION_MS = 20;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on("SIGUSR2", () => {
  // An idle loop is measured as the resolution.
  const loopDelayMs = Math.max(0, delays.max / 1e6 - RESOLUTION_MS);
  collectGarbage();
  delays.reset();
  const { heapUsed, external } = process.memoryUsage();
  const file = `${process.env.SOAK_VITALS_DIR}/${process.pid}`;
  const text = JSON.stringify({ heapBytes: heapUsed + external, loopDelayMs });
  void writeFile(`${file}.part`, text).then(() => rename(`${file}.part`, file));
});
