import type { Identity } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import type { Proof } from "../../shared/proof/use-proof.ts";

/** The dialog shows a refusal itself. */
export const unlinkIdentity = mutation({
  mutationKey: ["identities", "unlink"],
  mutationFn: ({ user, identity, proof }: { user: string; identity: Identity; proof: Proof }) =>
    client.sso.unlink({ params: { uuid: user, identity: identity.uuid }, body: proof }),
  invalidates: () => [["identities"]],
  announces: (t, _, { identity }) => t("sso.linked.done", { label: identity.label }),
});
