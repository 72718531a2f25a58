import type { organizations } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import type { TaxSettings } from "../payments/tax.ts";
import { type OwnRuleDeps, requireOfOwn } from "../second-factor/require.ts";
import { editOrganization } from "./edit-organization.ts";
import { getOrganization } from "./organizations.ts";

export const organizationRoutes = (
  deps: OwnRuleDeps & { taxes: TaxSettings },
): Handlers<typeof organizations, Actor> => ({
  get: ({ actor, params }) => getOrganization(deps, actor, params.uuid),
  edit: (call) => editOrganization(deps, call.actor, { ...call.params, ...call.body }, byCaller(call)),
  requireSecondFactor: async (call) => {
    const { actor, params, body } = call;
    await getOrganization(deps, actor, params.uuid);
    await requireOfOwn(deps, actor, { organization: params.uuid, ...body }, byCaller(call));
    return getOrganization(deps, actor, params.uuid);
  },
});
