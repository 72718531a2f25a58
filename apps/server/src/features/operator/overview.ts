import { type Answer, type operator } from "@terrarium/contract";
import { countJobs, findOverdue } from "../../platform/jobs/operate-jobs.ts";
import type { Mailer } from "../../platform/mail/mailer.ts";
import { stuckSince } from "../../platform/mail/send-mail.ts";
import { listUnattended } from "../instances/gateways.ts";
import { getPending } from "../trials/trials.ts";
import { attentionOf } from "./attention.ts";
import { offeredKey } from "./offer.ts";
import {
  countDevices,
  countUnsentMails,
  findDatabaseState,
  listGateways,
  listOfferedImages,
  listOfficial,
  listServers,
} from "./operator.store.ts";
import type { OperateDeps } from "./organizations.ts";

export { listDraining, listServers } from "./operator.store.ts";

export interface OverviewDeps extends Pick<OperateDeps, "db" | "clock"> {
  publicSettings: { version: string; has_mailbox: boolean };
  mailer?: Mailer | undefined;
}

/** How the service is. */
export async function getOverview({
  db,
  clock,
  mailer,
  publicSettings,
}: OverviewDeps): Promise<Answer<typeof operator.overview>> {
  const now = clock.now();
  const [servers, gateways, states, unattended, queues, overdue, unsent, stuck, requests, database] = await Promise.all(
    [
      listServers(db),
      listGateways(db),
      countDevices(db),
      listUnattended(db).then(({ length }) => length),
      countJobs(db),
      findOverdue(db, new Date(now)),
      countUnsentMails(db),
      stuckSince(db),
      getPending(db),
      findDatabaseState(db),
    ],
  );
  const secondsSince = (time: Date | null) => time && Math.max(0, Math.round((now - time.getTime()) / 1000));
  const offered = new Set((await listOfferedImages(db)).map((image) => offeredKey(image.runtime, image)));
  const overview = {
    version: publicSettings.version,
    servers: servers.map(({ load, started_at, ...server }) => ({
      ...server,
      ...load,
      started_at: started_at.toISOString(),
    })),
    gateways: gateways.map(({ found, ...gateway }) => ({
      ...gateway,
      machine: found.machine,
      found: found.devices.map(({ runtime, key, name, isFree, problem = null, image }) => ({
        runtime,
        key,
        name,
        problem,
        is_free: isFree,
        is_offered: image !== undefined && offered.has(offeredKey(runtime, image)),
      })),
    })),
    devices: { states, unattended },
    jobs: {
      queues,
      oldest_late_seconds: secondsSince(overdue.since),
    },
    mails: { unsent, stuck_seconds: secondsSince(stuck) },
    requests: { waiting: requests.length },
    database,
  };
  const hasMails = mailer !== undefined || publicSettings.has_mailbox;
  return { ...overview, attention: attentionOf(overview, { hasMails }) };
}

/** The official recipes, and whether devices can be started from them here. */
export async function getCatalogue({
  db,
  runtimes,
}: Pick<OperateDeps, "db"> & { runtimes: ReadonlySet<string> }): Promise<Answer<typeof operator.catalogue>> {
  const rows = await listOfficial(db);
  return {
    recipes: rows.map((row) => ({ ...row, is_runtime_configured: row.runtime !== null && runtimes.has(row.runtime) })),
  };
}
