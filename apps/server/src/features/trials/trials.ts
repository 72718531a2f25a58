import {
  type Answer,
  AppError,
  type PlanRequest,
  type PlanRequestKind,
  type Received,
  type trials,
  trialTerms,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { isDisposable, isWebmail } from "../accounts/email-domains.ts";
import type { By } from "../audit/by.ts";
import { grantMinutes, usedMinutes } from "../billing/minutes.ts";
import { minuteAccount } from "../organizations/change-organization.ts";
import { setTerms } from "../organizations/set-terms.ts";
import type { Actor } from "../sessions/actor.ts";
import { trialEnd } from "./trial-of.ts";
import { askedMail, decidedMail, receivedMail } from "./trial-mails.ts";
import {
  findManagers,
  findRequest,
  hasRunningPlan,
  insertRequest,
  listRequests,
  lockOrganization,
  type PlanRequestRow,
  standingRequests,
  updateRequest,
} from "./trials.store.ts";
import type { FeatureDeps } from "../deps.ts";

export interface TrialDeps extends FeatureDeps {
  /** Where mailed links lead. */
  pagesAt: () => string;
}

type Routes = typeof trials;
export type AskDeps = TrialDeps & {
  publicSettings: { operator: { contact: string | null }; trial_review_days: number };
};

/**
 * Asks for a trial for one's own organization.
 * @throws AppError ORGANIZATION_NOT_FOUND, COMPANY_EMAIL_NEEDED, OTHER_PLAN_ACTIVE, TRIAL_REQUESTED, TRIAL_USED
 */
export async function requestTrial(
  deps: AskDeps,
  actor: Actor,
  organization: string,
  { type_license: kind, ...form }: Received<Routes["request"]>["body"],
  by: By,
): Promise<void> {
  refuseOthers(actor, organization);
  const { email } = form;
  if (kind === "enterprise" && ((await isWebmail(email)) || (await isDisposable(email))))
    throw new AppError("COMPANY_EMAIL_NEEDED");
  await ask(deps, actor, { organization, kind, form, by });
}

/**
 * Asks for an offer for one's own organization.
 * @throws AppError ORGANIZATION_NOT_FOUND, PREMIUM_REQUESTED
 */
export const requestPremium = (
  deps: AskDeps,
  actor: Actor,
  organization: string,
  form: Received<Routes["requestPremium"]>["body"],
  by: By,
): Promise<void> => ask(deps, actor, { organization, kind: "premium", form, by });

function refuseOthers(actor: Actor, organization: string): void {
  if (actor.organization !== organization) throw new AppError("ORGANIZATION_NOT_FOUND");
}

async function ask(
  { db, clock, audit, pagesAt, publicSettings }: AskDeps,
  actor: Actor,
  asked: { organization: string; kind: PlanRequestKind; form: Record<string, string>; by: By },
): Promise<void> {
  const { organization, kind, form, by } = asked;
  refuseOthers(actor, organization);
  const uuid = randomUUID();
  await transaction(db, async (trx) => {
    // Requests of one organization take turns.
    const row = await lockOrganization(trx, organization);
    if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
    const standing = (await standingRequests(trx, organization)).filter(
      (request) => (request.kind === "premium") === (kind === "premium"),
    );
    if (standing.some(({ state }) => state === "REQUESTED"))
      throw new AppError(kind === "premium" ? "PREMIUM_REQUESTED" : "TRIAL_REQUESTED");
    if (kind !== "premium") {
      if (standing.length > 0) throw new AppError("TRIAL_USED");
      await refusePlan(trx, organization, row.license_type);
    }
    await insertRequest(trx, {
      uuid,
      organization_uuid: organization,
      user_uuid: actor.uuid,
      kind,
      form: JSON.stringify(form),
      requested_at: new Date(clock.now()),
    });
    await audit.record(trx, by, {
      action: kind === "premium" ? "premium.request" : "trial.request",
      subject: { kind: "organization", uuid: organization },
      details: { kind },
    });
    const request = await known(trx, uuid);
    const about = { kind, organization: row.name, pagesAt: pagesAt() };
    const mail = (address: string, content: MailContent) => sendMail(trx, clock, { to: { address }, ...content });
    await mail(request.asked_by, receivedMail({ ...about, days: publicSettings.trial_review_days }));
    const { contact } = publicSettings.operator;
    if (contact !== null) await mail(contact, askedMail({ ...about, askedBy: request.asked_by, form }));
  });
}

/** A trial is for who has no plan. @throws AppError OTHER_PLAN_ACTIVE */
async function refusePlan(trx: Database, organization: string, license: string): Promise<void> {
  if (license === "fixed" || (await hasRunningPlan(trx, organization))) throw new AppError("OTHER_PLAN_ACTIVE");
}

/** A page of what organizations have asked for. */
export async function getRequests(
  { db }: Pick<TrialDeps, "db">,
  query: Received<Routes["list"]>["query"],
  url: string,
): Promise<Answer<Routes["list"]>> {
  const { count, results } = await listRequests(db, query, windowOf(query));
  return pageOf({ count, results: results.map(presentRequest) }, query, url);
}

/** What waits to be decided, the latest first. */
export const getPending = async (db: Database): Promise<PlanRequest[]> =>
  (await listRequests(db, { state: ["REQUESTED"] }, windowOf({ page: 1, page_size: -1 }))).results.map(presentRequest);

const presentRequest = ({ organization_uuid, organization_name, ...row }: PlanRequestRow): PlanRequest => ({
  uuid: row.uuid,
  kind: row.kind,
  state: row.state,
  organization: { uuid: organization_uuid, name: organization_name },
  asked_by: row.asked_by,
  form: row.form,
  requested_at: row.requested_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  reason: row.reason,
});

/**
 * Approves a request, or rejects it, and notifies the managers. A trial begins at once.
 * @throws AppError PLAN_REQUEST_NOT_FOUND, PLAN_REQUEST_DECIDED, OTHER_PLAN_ACTIVE
 */
export async function decide(
  { db, clock, audit, pagesAt }: TrialDeps,
  uuid: string,
  { decision, reason }: Received<Routes["decide"]>["body"],
  by: By,
): Promise<PlanRequest> {
  return transaction(db, async (trx) => {
    const { organization_uuid: organization } = await known(trx, uuid);
    const row = await lockOrganization(trx, organization);
    // Read again, as somebody else may have decided meanwhile.
    const { kind, state } = await known(trx, uuid);
    if (!row || state !== "REQUESTED") throw new AppError("PLAN_REQUEST_DECIDED");
    const isApproved = decision === "approve";
    const now = new Date(clock.now());
    let ends: Date | undefined;
    await updateRequest(trx, uuid, {
      state: isApproved ? "APPROVED" : "REJECTED",
      decided_at: now,
      reason: isApproved ? "" : reason,
    });
    if (isApproved && kind !== "premium") {
      await refusePlan(trx, organization, row.license_type);
      ends = trialEnd(kind, now);
      const { devices, minutes } = trialTerms[kind];
      const terms = { license_is_active: true, license_expires_at: ends, instances_max: devices };
      const operated = { db: trx, audit, by: { ...by, reason } };
      await setTerms(operated, organization, terms);
      // With what is left of those of a new account it has as many as the trial says.
      const { left } = await usedMinutes(trx, await minuteAccount(trx, organization), now);
      if (left < minutes) await grantMinutes({ ...operated, now }, organization, minutes - left);
    }
    await audit.record(
      trx,
      { ...by, reason },
      {
        action: `${kind === "premium" ? "premium" : "trial"}.${decision}`,
        subject: { kind: "organization", uuid: organization },
        organization,
        details: { kind },
      },
    );
    const about = { kind, organization: row.name, pagesAt: pagesAt() };
    const content = decidedMail({ ...about, ...(isApproved ? { isApproved, ends } : { isApproved, reason }) });
    for (const { address } of await findManagers(trx, organization))
      await sendMail(trx, clock, { to: { address }, ...content });
    return presentRequest(await known(trx, uuid));
  });
}

async function known(db: Database, uuid: string): Promise<PlanRequestRow> {
  const row = await findRequest(db, uuid);
  if (!row) throw new AppError("PLAN_REQUEST_NOT_FOUND");
  return row;
}
