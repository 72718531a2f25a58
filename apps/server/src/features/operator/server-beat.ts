import { type Clock, every } from "@terrarium/clock";
import { randomUUID } from "node:crypto";
import { availableParallelism, freemem, hostname, loadavg, totalmem } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Database } from "../../database/schema.ts";
import type { Logger } from "../../platform/log.ts";
import type { ServerLoad } from "./operator.tables.ts";
import { deleteServer, findSilentServers, upsertServer } from "./operator.store.ts";

export { deleteServers as forgetServers } from "./operator.store.ts";

const BEAT_MS = 10_000;
/** Twice in a row: the operator is warned a little later. */
const SILENT_S = 25;
/** Each look wakes a process that may be at rest: at 20 ms that was half of what a gateway costs then. */
const RESOLUTION_MS = 100;

interface BeatDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  roles: readonly string[];
  version: string;
}

/**
 * Reports to the operator every ten seconds that this process is there, and how it is doing. `stop` removes it; one that was killed is
 * removed by another process on the machine, or shown as silent for an hour.
 */
export async function startServerBeat({
  db,
  clock,
  log,
  roles,
  version,
}: BeatDeps): Promise<{ stop(): Promise<void> }> {
  const server = { id: randomUUID(), host: hostname(), pid: process.pid, roles: [...roles], version };
  const measure = startMeasuring(clock);
  const end = new AbortController();
  const beat = async () => {
    await upsertServer(db, { ...server, load: measure.read() });
    // Containers may share a name, and have processes with the same numbers: one that still reports is there.
    for (const { id, pid } of await findSilentServers(db, server.host, SILENT_S))
      if (pid === server.pid || !isAlive(pid)) await deleteServer(db, id);
  };
  await beat();
  const beating = every(
    clock,
    BEAT_MS,
    () => beat().catch((error: unknown) => log.warn({ err: error }, "the process could not say how it is doing")),
    end.signal,
  );
  return {
    async stop() {
      end.abort();
      await beating;
      measure.stop();
      // A database that is gone ends nothing but the service.
      await deleteServer(db, server.id).catch(() => undefined);
    },
  };
}

/** Measures what has happened since the last reading. */
function startMeasuring(clock: Pick<Clock, "monotonic">): { read(): ServerLoad; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let [cpu, at] = [process.cpuUsage(), clock.monotonic()];
  return {
    read() {
      const [used, now] = [process.cpuUsage(cpu), clock.monotonic()];
      const elapsedMs = Math.max(1, now - at);
      // The histogram counts the wait that was asked for as well. Without a turn since then it knows nothing.
      const late = delay.count > 0 ? Math.max(0, delay.percentile(95) / 1e6 - RESOLUTION_MS) : 0;
      [cpu, at] = [process.cpuUsage(), now];
      delay.reset();
      return {
        cpu: round((used.user + used.system) / 1000 / elapsedMs),
        memory_bytes: process.memoryUsage.rss(),
        event_loop_ms: round(late),
        host_load: round((loadavg()[0] ?? 0) / availableParallelism()),
        host_memory: round(1 - freemem() / totalmem()),
      };
    },
    stop: () => void delay.disable(),
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Whether there is a process of this number on the machine; another account's counts. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
