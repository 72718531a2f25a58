import type { Clock } from "@terrarium/clock";
import type { Database } from "../database/schema.ts";
import { endOverdueInstances, forgetOldKeys } from "../features/instances/instances.jobs.ts";
import { endOldSessions, forgetOldSessions } from "../features/sessions/sessions.jobs.ts";
import { deleteOldJobs } from "../platform/jobs/delete-old-jobs.ts";
import type { JobHandler } from "../platform/jobs/job.ts";
import { type Periodic, startPeriodic } from "../platform/jobs/periodic.ts";
import { JobWorker } from "../platform/jobs/worker.ts";
import type { Logger } from "../platform/log.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import { deleteOldMails, sendMailJob } from "../platform/mail/send-mail.ts";

/** What jobs are run with. */
export interface JobDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  /** Undefined when mails are kept and not sent. */
  mailer: Mailer | undefined;
}

/** Every job that can be enqueued. */
const jobs: readonly JobHandler<JobDeps>[] = [sendMailJob];

/** Everything that comes round by the clock. */
const periodic: readonly Periodic<JobDeps>[] = [
  endOverdueInstances,
  endOldSessions,
  forgetOldSessions,
  forgetOldKeys,
  deleteOldJobs,
  deleteOldMails,
];

/** Does what is due by the clock. Any number of processes may. */
export function startJobs(deps: JobDeps): { stop(): Promise<void> } {
  const worker = new JobWorker({ ...deps, jobs, deps });
  worker.start();
  const round = startPeriodic({ ...deps, periodic, deps });
  return {
    async stop() {
      await Promise.all([worker.stop(), round.stop()]);
    },
  };
}
