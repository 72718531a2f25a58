import type { invitations } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { pageOf } from "../../platform/http/pages.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import type { UserDeps } from "../users/users.ts";
import { cancelInvitation, getInvitations, invite, type InvitationDeps, resendInvitations } from "./invitations.ts";
import { getInvitation, join } from "./join.ts";

export const invitationRoutes = (deps: InvitationDeps & UserDeps): Handlers<typeof invitations, Actor> => ({
  invite: async (call) => {
    const { emails, optionalMessage, message } = call.body;
    const wanted = { emails, message: optionalMessage ?? message ?? "" };
    return { results: await invite(deps, call.actor, wanted, byCaller(call)) };
  },
  resend: async (call) => ({
    results: await resendInvitations(deps, call.actor, call.body.genyids, byCaller(call)),
  }),
  list: async ({ actor, query, url }) => pageOf(await getInvitations(deps, actor, query), query, url),
  cancel: (call) => cancelInvitation(deps, call.actor, call.params.uuid, byCaller(call)),
  get: ({ params }) => getInvitation(deps, params.token),
  accept: ({ params, headers, body, ...from }) =>
    join(deps, { key: params.token, authorization: headers.authorization, ...body }, from),
});
