import { monitorEventLoopDelay } from "node:perf_hooks";
import type { PoolUse } from "../db/database.ts";
import type { Metrics } from "./metrics.ts";

/** Each look wakes a process that may be at rest. */
const RESOLUTION_MS = 100;

/** How the process itself is doing. Returns what ends the measuring. */
export function addProcessMetrics(metrics: Metrics): () => void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  metrics.gauge(
    "terrarium_event_loop_delay_seconds",
    "By how much the event loop was late since this was last read.",
    () => {
      const late = (nanoseconds: number) =>
        delay.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
      const samples = [
        { labels: { quantile: "0.5" }, value: late(delay.percentile(50)) },
        { labels: { quantile: "0.99" }, value: late(delay.percentile(99)) },
        { labels: { quantile: "1" }, value: late(delay.max) },
      ];
      delay.reset();
      return samples;
    },
  );
  metrics.gauge(
    "process_cpu_seconds_total",
    "Time of processors that the process used.",
    () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
    "counter",
  );
  metrics.gauge("process_resident_memory_bytes", "Memory of the process.", () => [
    { value: process.memoryUsage.rss() },
  ]);
  metrics.gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", () => [
    { value: performance.timeOrigin / 1000 },
  ]);
  return () => void delay.disable();
}

/** How the connections to the database are used. */
export function addPoolMetrics(metrics: Metrics, use: () => PoolUse): void {
  metrics.gauge(
    "terrarium_database_pool",
    "Connections of the pool that are used or idle, and queries that wait for one.",
    () => Object.entries(use()).map(([state, value]) => ({ labels: { state }, value })),
  );
}
