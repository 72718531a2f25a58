import "../en/confirmation.ts";
import { useTranslation } from "react-i18next";
import { client } from "../session/client.ts";
import { MailButton } from "./MailButton.tsx";

/** Mails the link to confirm an address once more. */
export function ResendLink({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <MailButton
      send={() => client.accounts.resendLink({ body: { email } })}
      label={t("confirmation.resend.button")}
      sent={t("confirmation.resend.sent")}
    />
  );
}
