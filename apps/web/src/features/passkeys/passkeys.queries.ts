import type { Passkey } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import type { Proof } from "../../shared/proof/use-proof.ts";

/** The passkeys of whoever is signed in, and a name for another. There are 20 at most. */
export const passkeysOf = (uuid: string) => ({
  queryKey: ["passkeys", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.passkeys.list({ params: { uuid } }, { signal }),
});

interface OfOne {
  user: string;
  passkey: Passkey;
}

/** The dialog says what was refused. */
export const renamePasskey = mutation({
  mutationKey: ["passkeys", "rename"],
  mutationFn: ({ user, passkey, name }: OfOne & { name: string }) =>
    client.passkeys.rename({ params: { uuid: user, passkey: passkey.uuid }, body: { name } }),
  invalidates: () => [["passkeys"]],
  announces: (t, _, { name }) => t("passkeys.rename.done", { name }),
});

/** The dialog says what was refused. */
export const removePasskey = mutation({
  mutationKey: ["passkeys", "remove"],
  mutationFn: ({ user, passkey, proof }: OfOne & { proof: Proof }) =>
    client.passkeys.remove({ params: { uuid: user, passkey: passkey.uuid }, body: proof }),
  invalidates: () => [["passkeys"], ["second-factor"]],
  announces: (t, _, { passkey }) => t("passkeys.remove.done", passkey),
});
