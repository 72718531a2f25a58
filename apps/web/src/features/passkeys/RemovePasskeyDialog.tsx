import { useMutation } from "@tanstack/react-query";
import type { Passkey } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useMe } from "../../session/user.ts";
import { isGone } from "../../shared/is-gone.ts";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import { removePasskey } from "./passkeys.queries.ts";

interface Props {
  passkey: Passkey;
  onClose: () => void;
  onRemoved: () => void;
}

/** Says what it means to remove a passkey, and asks for the proof of who one is. */
export function RemovePasskeyDialog({ passkey, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const { uuid: user } = useMe();
  const { mutateAsync: remove } = useMutation(removePasskey);
  return (
    <ProofDialog
      title={t("passkeys.remove.title", passkey)}
      text={t("passkeys.remove.help")}
      submit={t("passkeys.remove.act")}
      busy={t("passkeys.remove.busy")}
      isDestructive
      onClose={onClose}
      send={async (proof) => {
        await remove({ user, passkey, proof }).catch((error: unknown) => {
          // One that is gone already was what was wanted.
          if (!isGone(error)) throw error;
        });
        onRemoved();
      }}
      refusalOf={(code) => t(code === "LAST_SECOND_FACTOR" ? "prove.lastFactor" : "passkeys.remove.failed")}
    />
  );
}
