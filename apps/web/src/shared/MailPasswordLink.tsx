import "../en/passwords.ts";
import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { client } from "../session/client.ts";
import { TurnstileField } from "./bot-check/TurnstileField.tsx";
import { useBotCheck } from "./bot-check/use-bot-check.ts";
import { MailButton } from "./MailButton.tsx";

/** Mails a link to set a password to somebody who is signed in: the page that asks for an address is not for them. */
export function MailPasswordLink({ email }: { email: string }) {
  const { t } = useTranslation();
  const { botCheck, known } = useBotCheck();
  const send = async () => {
    const turnstileCaptcha_token = await (await known()).take();
    await client.passwords.requestLink({ body: { email, turnstileCaptcha_token } });
  };
  return (
    <>
      <TurnstileField check={botCheck} />
      <MailButton
        send={send}
        label={t("passwords.mail.button")}
        sent={t("passwords.mail.sent", { email, hours: limits.passwordLinkHours })}
      />
    </>
  );
}
