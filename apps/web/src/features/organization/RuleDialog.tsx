import type { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { snack } from "../../components/snack-queue.ts";
import { queryClient } from "../../session/client.ts";
import { organizationKey, signInRulesKey } from "../../shared/organizations.queries.ts";
import { ProofDialog } from "../../shared/proof/ProofDialog.tsx";
import type { Proof } from "../../shared/proof/use-proof.ts";

interface Props {
  /** What will be different. */
  text: string;
  /** Changes it, with what proves who one is. */
  send: (proof: Proof) => Promise<unknown>;
  /** What is said when it is refused for another reason than the proof. */
  refusalOf?: (code: AppError["code"] | undefined) => string | undefined;
  onClose: () => void;
}

/** Asks a manager to prove who they are before members sign in by other rules. */
export function RuleDialog({ text, send, refusalOf, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ProofDialog
      title={t("organization.rules.confirm")}
      text={text}
      submit={t("organization.save")}
      busy={t("organization.busy")}
      send={async (proof) => {
        await send(proof);
        onClose();
        snack("success", t("organization.rules.done"));
        await Promise.all(
          [organizationKey, signInRulesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
        );
      }}
      refusalOf={(code) => refusalOf?.(code) ?? t("organization.failed")}
      onClose={onClose}
    />
  );
}
