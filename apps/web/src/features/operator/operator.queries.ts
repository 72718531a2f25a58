import "../../en/operator.ts";
import { keepPreviousData } from "@tanstack/react-query";
import type {
  Job,
  OperatedOrganization,
  OperatedPerson,
  operator,
  operatorBilling,
  PlanRequest,
  Reply,
  Sent,
  trials,
} from "@terrarium/contract";
import { dateTime } from "../../components/dates.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { publicSettings } from "../../session/settings.ts";
import { isGone } from "../../shared/is-gone.ts";

type Routes = typeof operator;
type Billing = typeof operatorBilling;
type Call = { signal: AbortSignal };
export type Overview = Reply<Routes["overview"]>;
export type ListedOrganization = Reply<Routes["organizations"]>["results"][number];
export type OfficialRecipe = Reply<Routes["catalogue"]>["recipes"][number];
export type Terms = Sent<Routes["setTerms"]>["body"];

const root = "operator";
const LOOK_EVERY_MS = 10_000;

/** How the service is, read again as often as its processes report. */
export const overview = {
  queryKey: [root, "overview"] as const,
  queryFn: ({ signal }: Call) => client.operator.overview({}, { signal }),
  refetchInterval: LOOK_EVERY_MS,
};

const organizations = [root, "organizations"] as const;
export const organizationPage = (query: Sent<Routes["organizations"]>["query"]) => ({
  queryKey: [...organizations, query] as const,
  queryFn: ({ signal }: Call) => client.operator.organizations({ query }, { signal }),
  placeholderData: keepPreviousData,
});

export const organizationOf = (uuid: string) => ({
  queryKey: [root, "organization", uuid] as const,
  queryFn: ({ signal }: Call) => client.operator.organization({ params: { uuid } }, { signal }),
});

const people = [root, "people"] as const;
export const peoplePage = (uuid: string, query: Sent<Routes["people"]>["query"]) => ({
  queryKey: [...people, uuid, query] as const,
  queryFn: ({ signal }: Call) => client.operator.people({ params: { uuid }, query }, { signal }),
  placeholderData: keepPreviousData,
});

const requests = [root, "requests"] as const;
export const requestPage = (query: Sent<(typeof trials)["list"]>["query"]) => ({
  queryKey: [...requests, query] as const,
  queryFn: ({ signal }: Call) => client.trials.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});

export type Decision = Sent<(typeof trials)["decide"]>["body"]["decision"];

/** Approves what an organization has asked for, or rejects it. The form says what was refused. */
export const decide = mutation({
  mutationKey: [root, "decide"],
  mutationFn: ({ request: { uuid }, ...body }: { request: PlanRequest; decision: Decision; reason: string }) =>
    client.trials.decide({ params: { uuid }, body }),
  invalidates: () => [requests, organizations],
  says: (t, { organization }, { decision }) => t(`operator.requests.${decision}.done`, organization),
});

const jobs = [root, "jobs"] as const;
export const jobPage = (query: Sent<Routes["jobs"]>["query"]) => ({
  queryKey: [...jobs, query] as const,
  queryFn: ({ signal }: Call) => client.operator.jobs({ query }, { signal }),
  placeholderData: keepPreviousData,
});

export const catalogue = {
  queryKey: [root, "catalogue"] as const,
  queryFn: async ({ signal }: Call) => (await client.operator.catalogue({}, { signal })).recipes,
};

/** Makes an official recipe of a device that is there already. */
export const offerDevice = mutation({
  mutationKey: [root, "offer"],
  mutationFn: ({ gateway, runtime, key }: Sent<Routes["offer"]>["body"] & { name: string }) =>
    client.operator.offer({ body: { gateway, runtime, key } }),
  invalidates: () => [overview.queryKey, catalogue.queryKey],
  says: (t, { name }) => t("operator.found.done", { name }),
  refuses: (t, error, { name }) => t(isGone(error) ? "operator.found.gone" : "errors.operatorOffer", { name }),
});

/** Changes the license, the limits and the zone of an organization. The form says what was refused. */
export const setTerms = mutation({
  mutationKey: [root, "terms"],
  mutationFn: ({ organization: { uuid }, ...body }: Terms & { organization: OperatedOrganization }) =>
    client.operator.setTerms({ params: { uuid }, body }),
  caches: (cache, changed: OperatedOrganization) => cache.setQueryData(organizationOf(changed.uuid).queryKey, changed),
  invalidates: () => [organizations],
  announces: (t, { name }) => t("operator.organization.dialog.done", { name }),
});

/** What can be done with a person: the names of the sentences too. */
export type PersonAct = "disable" | "enable" | "factor";

/** Does it. The form says what was refused. */
export const actOnPerson = mutation({
  mutationKey: [root, "person"],
  mutationFn: async ({
    person,
    act,
    ...body
  }: {
    person: OperatedPerson;
    act: PersonAct;
    reason: string;
    password?: string;
  }) => {
    const params = { uuid: person.uuid };
    if (act === "factor") await client.operator.removeSecondFactors({ params, body });
    else await client.operator.setStatus({ params, body: { reason: body.reason, is_enabled: act === "enable" } });
  },
  invalidates: () => [people],
  says: (t, _, { person, act }) => t(`operator.people.${act}.done`, { name: nameOf(person) }),
});

export const setGateway = mutation({
  mutationKey: [root, "gateway"],
  mutationFn: ({ id, is_draining }: { id: string; is_draining: boolean }) =>
    client.operator.setGateway({ params: { id }, body: { is_draining } }),
  invalidates: () => [overview.queryKey],
  says: (t, _, { id, is_draining }) => t(`operator.gateways.${is_draining ? "drained" : "undrained"}`, { id }),
  refuses: (t) => t("errors.operatorJob"),
});

const afterJobs = () => [jobs, overview.queryKey];

export const retryJob = mutation({
  mutationKey: [root, "retry"],
  mutationFn: ({ id }: Job) => client.operator.retryJob({ params: { id } }),
  invalidates: afterJobs,
  says: (t, _, { name }) => t("operator.jobs.retried", { name }),
  refuses: (t, error) => t(isGone(error) ? "operator.jobs.refused" : "errors.operatorJob"),
});

export const discardJob = mutation({
  mutationKey: [root, "discard"],
  mutationFn: ({ id }: Job) => client.operator.discardJob({ params: { id } }),
  invalidates: afterJobs,
  says: (t, _, { name }) => t("operator.jobs.discardDialog.done", { name }),
  refuses: (t, error) => t(isGone(error) ? "operator.jobs.refused" : "errors.operatorJob"),
});

export const retryAllJobs = mutation({
  mutationKey: [root, "retry all"],
  mutationFn: () => client.operator.retryJobs({ body: {} }),
  invalidates: afterJobs,
  says: (t, { count }) => t("operator.jobs.retryAllDialog.done", { count }),
  refuses: (t) => t("errors.operatorJob"),
});

const billing = [root, "billing"] as const;
const ofOrganization = (uuid: string) => [...billing, uuid] as const;

export const billingOf = (uuid: string) => ({
  queryKey: [...ofOrganization(uuid), "facts"] as const,
  queryFn: ({ signal }: Call) => client.operatorBilling.get({ params: { uuid } }, { signal }),
});

export const invoicePage = (uuid: string, query: Sent<Billing["invoices"]>["query"]) => ({
  queryKey: [...ofOrganization(uuid), "invoices", query] as const,
  queryFn: ({ signal }: Call) => client.operatorBilling.invoices({ params: { uuid }, query }, { signal }),
  placeholderData: keepPreviousData,
});

/** What can be done for an organization or with an invoice: the names of the sentences too. */
export type BillingAct = "price" | "tax" | "minutes" | "cancel" | "refund" | "paid";

/** Does it. `uuid` is that of the organization or the invoice, `figure` cents, percent or minutes; null for a tax that its country decides. The form says what was refused. */
export const actOnBilling = mutation({
  mutationKey: [...billing, "act"],
  mutationFn: async ({
    act,
    uuid,
    figure,
    reason,
  }: {
    act: BillingAct;
    uuid: string;
    figure: number | null;
    reason: string;
  }) => {
    const params = { uuid };
    if (act === "tax") await client.operatorBilling.setTax({ params, body: { reason, percentage: figure } });
    if (act === "paid") await client.operatorBilling.markPaid({ params, body: { reason } });
    if (act === "cancel") await client.operatorBilling.cancelPlan({ params, body: { reason } });
    if (figure === null) return;
    if (act === "price") await client.operatorBilling.setPrice({ params, body: { reason, price: figure } });
    if (act === "minutes") await client.operatorBilling.grantMinutes({ params, body: { reason, minutes: figure } });
    if (act === "refund") await client.operatorBilling.refund({ params, body: { reason, amount: figure } });
  },
  invalidates: () => [billing],
  says: (t) => t("operator.billing.done"),
});

export type DueInvoice = Reply<Billing["due"]>["invoices"][number];

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/** The invoices of a dry run. It costs the service something, so it is not repeated for each look. */
export const dueIn = (days: number) => ({
  queryKey: [...billing, "due", days] as const,
  queryFn: async ({ signal }: Call) => {
    if (days === 0) return client.operatorBilling.due({ query: {} }, { signal });
    // By the clock of the service, which may have been moved.
    const { now } = await client.operatorBilling.clock({}, { signal });
    const until = new Date(Date.parse(now) + days * DAY_MS).toISOString();
    return client.operatorBilling.due({ query: { until } }, { signal });
  },
  staleTime: MINUTE_MS,
});

export const billNow = mutation({
  mutationKey: [...billing, "run"],
  mutationFn: () => client.operatorBilling.run(),
  invalidates: () => [billing],
  says: (t, { count }) => t("operator.run.dialog.done", { count }),
  refuses: (t) => t("errors.operatorJob"),
});

const pricesKey = [root, "prices"] as const;
export const prices = {
  queryKey: pricesKey,
  queryFn: ({ signal }: Call) => client.operatorBilling.prices({}, { signal }),
};

/** Changes them; null is what the settings say. The form says what was refused. */
export const setPrices = mutation({
  mutationKey: [...pricesKey, "set"],
  mutationFn: (body: Sent<Billing["setPrices"]>["body"]) => client.operatorBilling.setPrices({ body }),
  // A plan may be billed for it.
  invalidates: () => [pricesKey, billing, publicSettings.queryKey],
  says: (t) => t("operator.prices.done"),
});

const clockKey = [root, "clock"] as const;
export const serviceClock = {
  queryKey: clockKey,
  queryFn: ({ signal }: Call) => client.operatorBilling.clock({}, { signal }),
};

/** Moves it forward. The form says what was refused. */
export const moveClock = mutation({
  mutationKey: [...clockKey, "move"],
  mutationFn: (body: Sent<Billing["moveClock"]>["body"]) => client.operatorBilling.moveClock({ body }),
  invalidates: () => [[root]],
  says: (t, { now }) => t("operator.run.moveDialog.done", { time: dateTime(now, "") }),
});
