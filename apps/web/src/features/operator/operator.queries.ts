import "../../en/operator.ts";
import { keepPreviousData } from "@tanstack/react-query";
import type {
  Job,
  OperatedOrganization,
  OperatedPerson,
  operator,
  PlanRequest,
  Reply,
  Sent,
  trials,
} from "@terrarium/contract";
import { nameOf } from "../../components/PersonMark.tsx";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";

type Routes = typeof operator;
type Call = { signal: AbortSignal };
export type Overview = Reply<Routes["overview"]>;
export type ListedOrganization = Reply<Routes["organizations"]>["results"][number];
export type OfficialRecipe = Reply<Routes["catalogue"]>["recipes"][number];
export type Terms = Sent<Routes["setTerms"]>["body"];

const root = "operator";
const LOOK_EVERY_MS = 10_000;

/** How the service is, looked at again as often as its processes tell of themselves. */
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

/** Changes the license, the limits and the zone of an organization. The form says what was refused. */
export const setTerms = mutation({
  mutationKey: [root, "terms"],
  mutationFn: ({ organization: { uuid }, ...body }: Terms & { organization: OperatedOrganization }) =>
    client.operator.setTerms({ params: { uuid }, body }),
  keeps: (cache, changed: OperatedOrganization) => cache.setQueryData(organizationOf(changed.uuid).queryKey, changed),
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
