import "../en/passwords.ts";
import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { client } from "../session/client.ts";
import { MailButton } from "./MailButton.tsx";

/** Mails a link to set a password to somebody who is signed in: the page that asks for an address is not for them. */
export function MailPasswordLink({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <MailButton
      send={() => client.passwords.requestLink({ body: { email } })}
      label={t("passwords.mail.button")}
      sent={t("passwords.mail.sent", { email, hours: limits.passwordLinkHours })}
    />
  );
}
