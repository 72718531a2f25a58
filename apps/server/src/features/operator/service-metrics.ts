import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { countJobs, findOverdue } from "../../platform/jobs/operate-jobs.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { listUnattended } from "../instances/gateways.ts";
import { countDevices, countUnsentMails, listGateways } from "./operator.store.ts";

/** What the database knows about the whole service: each process that reports it reports the same. */
export function addServiceMetrics(metrics: Metrics, { db, clock }: { db: Database; clock: Clock }): void {
  metrics.gauge("terrarium_devices", "Devices by state.", async () =>
    (await countDevices(db)).map(({ state, count }) => ({ labels: { state }, value: count })),
  );
  metrics.gauge("terrarium_devices_unattended", "Devices that no gateway looks after.", async () => [
    { value: (await listUnattended(db)).length },
  ]);
  metrics.gauge("terrarium_gateway_devices", "Devices of each gateway that is up.", async () =>
    (await listGateways(db)).map(({ id, devices }) => ({ labels: { gateway: id }, value: devices })),
  );
  metrics.gauge("terrarium_jobs", "Jobs by name and state: waiting, running or failed.", async () =>
    (await countJobs(db)).flatMap(({ name, ...counts }) =>
      Object.entries(counts).map(([state, value]) => ({ labels: { name, state }, value })),
    ),
  );
  metrics.gauge("terrarium_jobs_oldest_late_seconds", "How long the longest overdue job has waited.", async () => {
    const { since } = await findOverdue(db, new Date(clock.now()));
    return [{ value: since ? Math.max(0, (clock.now() - since.getTime()) / 1000) : 0 }];
  });
  metrics.gauge("terrarium_mails_unsent", "Mails that no server has taken yet.", async () => [
    { value: await countUnsentMails(db) },
  ]);
}
