import "../../en/passwords.ts";
import { Box, Button, Typography } from "@mui/material";
import { email, limits, required } from "@terrarium/contract";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { client } from "../../session/client.ts";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { TurnstileField } from "../../shared/bot-check/TurnstileField.tsx";
import { useBotCheck } from "../../shared/bot-check/use-bot-check.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { MailboxLink } from "../../shared/MailboxLink.tsx";

export default function ForgotPasswordPage() {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo === undefined)
    return (
      <EntryPage title={t("passwords.request.title")}>
        <Typography color="textSecondary">{t("passwords.request.lead")}</Typography>
        <RequestForm onSent={setSentTo} />
      </EntryPage>
    );
  const says = { email: sentTo, hours: limits.passwordLinkHours };
  return (
    <EntryPage title={t("passwords.request.sent.title")}>
      {/* The form had the focus, and is gone. */}
      <Box tabIndex={-1} ref={focusWhenShown} sx={{ outline: 0 }}>
        <Typography sx={{ overflowWrap: "anywhere" }}>{t("passwords.request.sent.text", says)}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {t("passwords.request.sent.again")}
        </Typography>
      </Box>
      <MailboxLink />
      <Button size="large" onClick={() => setSentTo(undefined)}>
        {t("passwords.request.sent.other")}
      </Button>
      <BackToSignIn />
    </EntryPage>
  );
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTranslation();
  const { botCheck, known } = useBotCheck();
  useEffect(() => botCheck?.prepare(), [botCheck]);
  const form = useAppForm({
    initial: { email: "" },
    rules: { email: [required, email] },
    async send(typed) {
      const address = typed.email.trim();
      const turnstileCaptcha_token = await (await known()).take();
      await client.passwords.requestLink({ body: { email: address, turnstileCaptcha_token } });
      onSent(address);
    },
    refusalOf: (code) => {
      if (code === "BOT_CHECK_FAILED") return t("passwords.request.robot");
      return t(code === "TOO_MANY_REQUESTS" ? "passwords.request.tooMany" : "passwords.request.failed");
    },
  });
  const submit = (
    <>
      <SubmitButton form={form} busy={t("passwords.request.busy")} size="large">
        {t("passwords.request.submit")}
      </SubmitButton>
      <BackToSignIn />
    </>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <TextField
        form={form}
        name="email"
        label={t("passwords.request.email")}
        type="email"
        autoComplete="username"
        reservesLine
      />
      <TurnstileField check={botCheck} />
    </Form>
  );
}

function BackToSignIn() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to={useOnTheWay()("/signin")} variant="text" size="large">
      {t("passwords.request.back")}
    </Button>
  );
}
