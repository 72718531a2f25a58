import type { Offer } from "@terrarium/contract";
import { deleteOldSignUps, mailSignUpLink } from "../features/accounts/accounts.jobs.ts";
import { deleteOldAuditRecords, sealNewRecords } from "../features/audit/audit.jobs.ts";
import {
  chargeInvoice,
  confirmPayments,
  lookAtCharge,
  refundPayment,
  repricePlans,
  runBilling,
  settleOld,
  stopUncovered,
  writeOffWaiting,
} from "../features/billing/billing.jobs.ts";
import { watchBudgets } from "../features/budgets/budgets.jobs.ts";
import { collectCaptures } from "../features/captures/captures.jobs.ts";
import { deleteSpentPuzzles } from "../features/bot-check/bot-check.jobs.ts";
import { forgetGone } from "../features/catalogue/catalogue.jobs.ts";
import { joinGroupsLate } from "../features/groups/groups.jobs.ts";
import {
  deleteOldInstances,
  endUnattendedInstances,
  forgetOldKeys,
  measureBoots,
} from "../features/instances/instances.jobs.ts";
import { watchQueue } from "../features/instances/queue.jobs.ts";
import { mailPlanJob } from "../features/billing/mail-plan.ts";
import type { InvoiceLinks } from "../features/invoices/invoice-links.ts";
import { mailInvoiceJob } from "../features/invoices/mail-invoice.ts";
import { deleteOldInvitations } from "../features/invitations/invitations.jobs.ts";
import { collectLayers } from "../features/layers/layers.jobs.ts";
import { deleteOldStripeEvents } from "../features/payments/payments.jobs.ts";
import type { PaymentProvider } from "../features/payments/payment-provider.ts";
import type { TaxSettings } from "../features/payments/tax.ts";
import { removeCard } from "../features/payments/remove-card.ts";
import { deleteSpentChallenges } from "../features/passkeys/passkeys.jobs.ts";
import { deleteUnusedAccounts, stopAbandonedDevices } from "../features/profile/profile.jobs.ts";
import { deleteOldProgramSignIns } from "../features/program-sign-ins/program-sign-ins.jobs.ts";
import { endOldSessions, forgetOldSessions } from "../features/sessions/sessions.jobs.ts";
import { deleteOldPasswordLinks, mailPasswordLink } from "../features/passwords/passwords.jobs.ts";
import { superviseShowcase } from "../features/showcase/showcase.jobs.ts";
import type { Showcase } from "../features/showcase/showcase.ts";
import { deleteOldFlows } from "../features/sso/sso.jobs.ts";
import type { SupportTarget } from "../features/support/support.ts";
import { callSupportWebhook } from "../features/support/support.jobs.ts";
import { refillPools } from "../features/warm-pool/warm-pool.jobs.ts";
import { WebhookDispatcher } from "../features/webhooks/dispatcher.ts";
import { deleteOldWebhooks } from "../features/webhooks/webhooks.jobs.ts";
import { deleteOldJobs } from "../platform/jobs/delete-old-jobs.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { JobHandler } from "../platform/jobs/job.ts";
import { type Periodic, startPeriodic } from "../platform/jobs/periodic.ts";
import { JobWorker } from "../platform/jobs/worker.ts";
import { deleteOldAttempts } from "../platform/rate-limits/database-rate-limiter.ts";
import type { Logger } from "../platform/log.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import { deleteOldMails, sendMailJob } from "../platform/mail/send-mail.ts";
import type { OutsidePolicy } from "../platform/outbound/post-outside.ts";
import type { Sealer } from "../platform/sealer.ts";
import type { Settings } from "../settings.ts";
import type { LinkingDeps } from "../features/deps.ts";

/** Passed to every job. */
export interface JobDeps extends LinkingDeps {
  log: Logger;
  /** Undefined when mails are stored and not sent. */
  mailer: Mailer | undefined;
  /** The longest that a device runs without its gateway. */
  keepDevicesMs: number;
  support?: SupportTarget | undefined;
  files: FileStore;
  retention: Settings["retention"];
  /** The names of the runtimes that this installation has. */
  runtimes: ReadonlySet<string>;
  payments: PaymentProvider;
  taxes: TaxSettings;
  showcase?: Showcase | undefined;
  invoiceLinks: InvoiceLinks;
  webhookSealer: Sealer;
  /** Where webhooks may lead. */
  webhookTargets: OutsidePolicy;
  /** What using the service costs, by the settings. */
  offer: Offer;
}

/** Every job that can be enqueued. */
const jobs: readonly JobHandler<JobDeps>[] = [
  sendMailJob,
  mailPasswordLink,
  mailSignUpLink,
  callSupportWebhook,
  chargeInvoice,
  lookAtCharge,
  refundPayment,
  repricePlans,
  removeCard,
  mailInvoiceJob,
  mailPlanJob,
];

/** All periodic work. */
const periodicWork = (deps: JobDeps): readonly Periodic<JobDeps>[] => [
  endUnattendedInstances(deps),
  superviseShowcase(deps),
  refillPools,
  watchQueue,
  endOldSessions,
  forgetOldSessions,
  forgetOldKeys,
  measureBoots,
  forgetGone,
  deleteOldPasswordLinks,
  deleteOldSignUps,
  deleteSpentPuzzles,
  deleteSpentChallenges,
  deleteOldProgramSignIns,
  deleteOldInvitations,
  joinGroupsLate,
  deleteOldFlows,
  deleteUnusedAccounts,
  stopAbandonedDevices,
  deleteOldAttempts,
  deleteOldInstances,
  collectLayers,
  collectCaptures,
  sealNewRecords,
  deleteOldAuditRecords,
  deleteOldJobs,
  deleteOldMails,
  deleteOldWebhooks,
  runBilling,
  confirmPayments,
  stopUncovered,
  settleOld,
  writeOffWaiting,
  watchBudgets,
  deleteOldStripeEvents,
];

/** Runs jobs and periodic work, and sends webhooks. Any number of processes may do so concurrently. */
export function startJobs(deps: JobDeps): { stop(): Promise<void> } {
  const worker = new JobWorker({ ...deps, jobs, deps });
  worker.start();
  const webhooks = new WebhookDispatcher(deps);
  webhooks.start();
  const schedule = startPeriodic({ ...deps, periodic: periodicWork(deps), deps });
  return {
    async stop() {
      await Promise.all([worker.stop(), webhooks.stop(), schedule.stop()]);
    },
  };
}
