import type { Webhook } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { SecretDialog } from "../../components/SecretDialog.tsx";
import { webhookName } from "./webhook-name.ts";

interface Props {
  webhook: Webhook & { secret: string };
  help: string;
  onClose: () => void;
}

/** Shows the secret of a webhook, this once. */
export function WebhookSecretDialog({ webhook, help, onClose }: Props) {
  const { t } = useTranslation();
  const words = {
    title: t("webhooks.secret.title"),
    help,
    label: t("webhooks.secret.label", { name: webhookName(webhook) }),
    copy: t("webhooks.secret.copy"),
    done: t("webhooks.secret.done"),
  };
  return <SecretDialog secret={webhook.secret} words={words} onClose={onClose} />;
}
