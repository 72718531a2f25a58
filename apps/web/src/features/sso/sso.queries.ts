import type { Identity } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";

export const unlinkIdentity = mutation({
  mutationKey: ["identities", "unlink"],
  mutationFn: ({ user, identity }: { user: string; identity: Identity }) =>
    client.sso.unlink({ params: { uuid: user, identity: identity.uuid } }),
  invalidates: () => [["identities"]],
  announces: (t, _, { identity }) => t("sso.linked.done", { label: identity.label }),
  refuses: (t) => t("sso.linked.failed"),
});
