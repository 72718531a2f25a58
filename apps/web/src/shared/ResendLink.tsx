import "../en/confirmation.ts";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { client } from "../session/client.ts";
import { destinationOf } from "../session/guards.ts";
import { MailButton } from "./MailButton.tsx";

/** Mails the link to confirm an address once more. */
export function ResendLink({ email }: { email: string }) {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    <MailButton
      send={() => client.accounts.resendLink({ query: { redirect: destinationOf(search) }, body: { email } })}
      label={t("confirmation.resend.button")}
      sent={t("confirmation.resend.sent")}
    />
  );
}
