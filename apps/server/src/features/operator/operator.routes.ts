import type { operator } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { setGateway } from "./gateways.ts";
import { discardJob, listJobs, retryJob, retryJobs } from "./jobs.ts";
import {
  changeOrganization,
  getOrganization,
  listOrganizations,
  listPeople,
  type OperateDeps,
  removeFactors,
  setStatus,
} from "./organizations.ts";
import { offerDevice } from "./offer.ts";
import { getCatalogue, getOverview, type OverviewDeps } from "./overview.ts";

type Deps = OperateDeps & OverviewDeps & { runtimes: ReadonlySet<string> };

export const operatorRoutes = (deps: Deps): Handlers<typeof operator, Actor> => ({
  overview: () => getOverview(deps),
  organizations: ({ query, url }) => listOrganizations(deps, query, url),
  organization: ({ params }) => getOrganization(deps, params.uuid),
  setTerms: (call) => {
    const { reason, ...wanted } = call.body;
    return changeOrganization(deps, call.params.uuid, wanted, { ...byCaller(call), reason });
  },
  people: ({ params, query, url }) => listPeople(deps, params.uuid, query, url),
  setStatus: (call) => {
    const { reason, is_enabled } = call.body;
    return setStatus(deps, call.params.uuid, is_enabled, { ...byCaller(call), reason });
  },
  removeSecondFactors: (call) => {
    const { reason, password } = call.body;
    return removeFactors(deps, call.actor, { ...call.params, password }, { ...byCaller(call), reason });
  },
  setGateway: (call) => setGateway(deps, call.params.id, call.body.is_draining, byCaller(call)),
  jobs: ({ query, url }) => listJobs(deps, query, url),
  retryJobs: (call) => retryJobs(deps, call.body.name, byCaller(call)),
  retryJob: (call) => retryJob(deps, call.params.id, byCaller(call)),
  discardJob: (call) => discardJob(deps, call.params.id, byCaller(call)),
  offer: (call) => offerDevice(deps, call.body, byCaller(call)),
  catalogue: () => getCatalogue(deps),
});
