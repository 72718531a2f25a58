import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { BegunSession, TotpSetup } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { AppKey } from "./AppKey.tsx";
import { CodeField } from "./CodeField.tsx";
import { RecoveryCodes } from "../../shared/recovery-codes/RecoveryCodes.tsx";
import { requiredSetup } from "./second-factor.queries.ts";
import { useCodeForm } from "./use-code-form.ts";

const SetUpPasskey = lazy(() => fetchCode(() => import("../../shared/passkeys/SetUpPasskey.tsx")));

interface Props {
  ticket: string;
  onSignedIn: (session: BegunSession) => Promise<unknown>;
  onExpired: () => void;
  onBack: () => void;
}

/**
 * For somebody who cannot sign in before they have set up an authenticator app, or a passkey. The session begins when they have saved the
 * codes.
 */
export function RequiredSetup({ ticket, onSignedIn, onExpired, onBack }: Props) {
  const { t } = useTranslation();
  const [isGoing, setGoing] = useState(false);
  const [done, setDone] = useState<BegunSession & { recovery_codes: string[] }>();
  const { data: setup, error, refetch } = useQuery(requiredSetup(ticket));
  const isExpired = error instanceof AppError && error.code === "SECOND_FACTOR_EXPIRED";
  useEffect(() => {
    if (isExpired) onExpired();
  }, [isExpired, onExpired]);
  if (done) {
    const go = () => {
      setGoing(true);
      void onSignedIn(done).finally(() => setGoing(false));
    };
    return (
      <EntryPage title={t("secondFactor.keep.title")}>
        {/* The form had the focus, and is gone. */}
        <Box tabIndex={-1} ref={focusWhenShown} sx={{ display: "grid", gap: 4, outline: 0 }}>
          <RecoveryCodes codes={done.recovery_codes} email={done.user.email} />
        </Box>
        <Button
          variant="contained"
          color="primary"
          size="large"
          aria-disabled={isGoing || undefined}
          onClick={() => !isGoing && go()}
        >
          {t("secondFactor.keep.go")}
        </Button>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={t("secondFactor.setUp.title")}>
      <Typography color="textSecondary" tabIndex={-1} ref={focusWhenShown} sx={{ outline: 0 }}>
        {t("secondFactor.setUp.required")}
      </Typography>
      {error && !isExpired && (
        <>
          <Typography role="alert">{t("secondFactor.setUp.failed")}</Typography>
          <Button variant="contained" color="primary" size="large" onClick={() => void refetch()}>
            {t("common.tryAgain")}
          </Button>
        </>
      )}
      {!setup && !error && (
        <Delayed>
          <Skeleton variant="rounded" height={300} component="output" aria-label={t("secondFactor.setUp.loading")} />
        </Delayed>
      )}
      {setup && <SetupForm setup={setup} onDone={setDone} onExpired={onExpired} />}
      {!isExpired && (
        <Suspense>
          <SetUpPasskey ticket={ticket} onDone={setDone} onExpired={onExpired} />
        </Suspense>
      )}
      <Button variant="text" size="large" onClick={onBack}>
        {t("secondFactor.confirm.back")}
      </Button>
    </EntryPage>
  );
}

interface FormProps {
  setup: TotpSetup;
  onDone: (session: BegunSession & { recovery_codes: string[] }) => void;
  onExpired: () => void;
}

function SetupForm({ setup, onDone, onExpired }: FormProps) {
  const { t } = useTranslation();
  const { setup_ticket } = setup;
  const send = async (code: string) =>
    onDone(
      await client.secondFactor.addRequiredTotp({ body: { setup_ticket, code, browser_token: knownBrowser.token } }),
    );
  const form = useCodeForm("totp", send, onExpired);
  const submit = (
    <SubmitButton form={form} busy={t("secondFactor.proof.busy")} size="large">
      {t("secondFactor.setUp.confirm")}
    </SubmitButton>
  );
  return (
    <>
      <AppKey setup={setup} />
      <Form form={form} submit={submit}>
        <CodeField form={form} kind="totp" label={t("secondFactor.setUp.code")} />
      </Form>
    </>
  );
}
