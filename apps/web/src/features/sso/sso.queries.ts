import type { Identity } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";

/** The dialog shows a refusal itself. */
export const unlinkIdentity = mutation({
  mutationKey: ["identities", "unlink"],
  mutationFn: ({ user, identity, password }: { user: string; identity: Identity; password: string }) =>
    client.sso.unlink({ params: { uuid: user, identity: identity.uuid }, body: { password } }),
  invalidates: () => [["identities"]],
  announces: (t, _, { identity }) => t("sso.linked.done", { label: identity.label }),
});
