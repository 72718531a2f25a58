import type { ApiToken } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { SecretDialog } from "../../components/SecretDialog.tsx";

export type NewToken = ApiToken & { token: string };

/** Shows a new token, this once. */
export function TokenSecretDialog({ token, onClose }: { token: NewToken; onClose: () => void }) {
  const { t } = useTranslation();
  const words = {
    title: t("apiTokens.secret.title"),
    help: t("apiTokens.secret.help"),
    label: t("apiTokens.secret.label", token),
    copy: t("apiTokens.secret.copy"),
    done: t("apiTokens.secret.done"),
  };
  return <SecretDialog secret={token.token} words={words} onClose={onClose} />;
}
