import { z } from "zod";
import { ByUuid, Description, Email, listOf, messageOf, Name, pageOf, Paging, Search, Time, Uuid } from "./fields.ts";
import { companyFields, limits, planRequestKinds, planRequestStates, trialKinds } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

const REQUIRED = "Required";

const Text = messageOf(limits.planRequestLength);

/** People count in numbers, or in ranges such as `11-50`. */
const countIn = (text: typeof Name) =>
  z.preprocess((value: string | number) => (typeof value === "number" ? String(value) : value), text);

const Asker = z.object({
  first_name: Name,
  last_name: Name,
  email: Email.meta({ description: "Where the answer should go. It is not verified" }),
  country: Name.meta({ description: "ISO 3166-1 alpha-2, or its name" }),
});

/** Somebody who asks for themselves may leave out what is about a company. */
export const TrialRequest = Asker.extend({
  type_license: z.preprocess(
    (value: string) => (typeof value === "string" ? value.toLowerCase() : value),
    z.enum(trialKinds),
  ),
  company_name: Description.default(""),
  role: Description.default(""),
  nb_of_employees: countIn(Description).default(""),
  nb_of_concurrent_vd: countIn(Description).default(""),
  company_activity: Description.default(""),
  use_cases: Text.min(1, REQUIRED),
  additional_info: Text.default(""),
}).superRefine((form, { addIssue }) => {
  if (form.type_license === "individual") return;
  for (const field of companyFields)
    if (form[field] === "") addIssue({ code: "custom", path: [field], message: REQUIRED });
});
export type TrialRequest = z.output<typeof TrialRequest>;

export const PremiumRequest = Asker.extend({
  company_name: Name,
  role: Name,
  nb_of_employees: countIn(Name),
  nb_of_concurrent_vd: countIn(Name),
  business_describe: Text.min(1, REQUIRED),
});
export type PremiumRequest = z.output<typeof PremiumRequest>;

/** What an organization has asked the operator for. */
export const PlanRequest = z.object({
  uuid: Uuid,
  kind: z.enum(planRequestKinds),
  state: z.enum(planRequestStates),
  organization: z.object({ uuid: Uuid, name: z.string() }),
  asked_by: z.string().meta({ description: "The address of the account, which is verified" }),
  form: z.record(z.string(), z.string()).meta({ description: "What was filled in" }),
  requested_at: Time,
  decided_at: Time.nullable(),
  reason: z.string().meta({ description: "Why it was rejected; empty for all others" }),
});
export type PlanRequest = z.infer<typeof PlanRequest>;

export const trialsTag = tag("Billing", "Trials", "Asking for a trial or a Premium plan.");

export const trials = routes({
  request: {
    method: "POST",
    path: "/v1/organizations/:uuid/trial-request",
    summary:
      "Ask for a free trial: up to 10 devices for a company, which takes an address at its own domain, or 2 for a person. The operator decides",
    access: "manager",
    audit: ["trial.request"],
    params: ByUuid,
    body: TrialRequest,
    status: 204,
    fails: ["ORGANIZATION_NOT_FOUND", "COMPANY_EMAIL_NEEDED", "OTHER_PLAN_ACTIVE", "TRIAL_REQUESTED", "TRIAL_USED"],
  },
  requestPremium: {
    method: "POST",
    path: "/v1/organizations/:uuid/premium-offer-request",
    summary: "Ask for an offer for a Premium plan",
    access: "manager",
    audit: ["premium.request"],
    params: ByUuid,
    body: PremiumRequest,
    status: 204,
    fails: ["ORGANIZATION_NOT_FOUND", "PREMIUM_REQUESTED"],
  },
  list: {
    method: "GET",
    path: "/v1/operator/plan-requests",
    summary: "What organizations have asked for, the latest first: trials and Premium plans",
    access: "operator",
    query: Paging.extend({
      search: Search.optional().meta({ description: "In the name of the organization, and in addresses" }),
      kind: listOf(z.enum(planRequestKinds)),
      state: listOf(z.enum(planRequestStates)),
    }),
    reply: pageOf(PlanRequest),
    fails: ["PAGE_TOO_LARGE"],
  },
  decide: {
    method: "POST",
    path: "/v1/operator/plan-requests/:uuid/decision",
    summary:
      "Approve a request, or reject it. A trial begins with its approval; what a Premium plan has is set for the organization. Its managers are told",
    access: "operator",
    audit: [
      "trial.approve",
      "trial.reject",
      "premium.approve",
      "premium.reject",
      "organization.set_license",
      "organization.set_limit",
      "organization.grant_minutes",
    ],
    params: ByUuid,
    body: z.object({
      decision: z.enum(["approve", "reject"]),
      reason: Name.meta({
        description: "Why. Its managers read it in their audit log, and in the mail if it is rejected",
      }),
    }),
    reply: PlanRequest,
    fails: ["PLAN_REQUEST_NOT_FOUND", "PLAN_REQUEST_DECIDED", "OTHER_PLAN_ACTIVE"],
  },
});
