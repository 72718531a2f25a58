import "../../en/second-factor.ts";
import { Button, Typography } from "@mui/material";
import type { BegunSession } from "@terrarium/contract";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCode } from "../../components/fetch-code.ts";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import type { Asked } from "../../session/second-factor.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { CodeField } from "./CodeField.tsx";
import { RequiredSetup } from "./RequiredSetup.tsx";
import { type CodeKind, useCodeForm } from "./use-code-form.ts";

const ConfirmWithPasskey = lazy(() => fetchCode(() => import("../../shared/passkeys/ConfirmWithPasskey.tsx")));

interface Props {
  asked: Asked;
  /** Takes the session over. */
  onSignedIn: (session: BegunSession) => Promise<unknown>;
  /** Leads back to where the sign-in began. */
  onBack: () => void;
}

/** The second step of a sign-in: its confirmation, or the setup of what it is confirmed with from then on. */
export default function SecondFactorStep({ asked, onSignedIn, onBack }: Props) {
  const { t } = useTranslation();
  const [isExpired, setExpired] = useState(false);
  const step = {
    ticket: asked.ticket,
    onExpired: () => setExpired(true),
    onBack,
    onSignedIn: async (session: BegunSession) => {
      knownBrowser.remember(session.browser_token);
      await onSignedIn(session);
    },
  };
  if (isExpired)
    return (
      <EntryPage title={t("secondFactor.expired.title")}>
        <Typography role="alert">{t("secondFactor.expired.text")}</Typography>
        <Button variant="contained" color="primary" size="large" onClick={onBack}>
          {t("secondFactor.confirm.back")}
        </Button>
      </EntryPage>
    );
  return asked.methods ? <Confirm {...step} methods={asked.methods.split(" ")} /> : <RequiredSetup {...step} />;
}

interface ConfirmProps extends Omit<Props, "asked"> {
  ticket: string;
  methods: readonly string[];
  onExpired: () => void;
}

function Confirm({ methods, ...step }: ConfirmProps) {
  const { t } = useTranslation();
  const withPasskey = methods.includes("passkey");
  const [kind, setKind] = useState<CodeKind | undefined>(
    methods.includes("totp") ? "totp" : withPasskey ? undefined : "recovery",
  );
  const other = kind === "recovery" ? "totp" : "recovery";
  const ways = (
    <>
      {methods.includes(other) && (
        <Button variant="text" size="large" onClick={() => setKind(other)}>
          {t(other === "totp" ? "secondFactor.confirm.useTotp" : "secondFactor.confirm.useRecovery")}
        </Button>
      )}
      <Button variant="text" size="large" onClick={step.onBack}>
        {t("secondFactor.confirm.back")}
      </Button>
    </>
  );
  return (
    <EntryPage title={t("secondFactor.confirm.title")}>
      {!kind && (
        <Typography color="textSecondary" tabIndex={-1} ref={focusWhenShown} sx={{ outline: 0 }}>
          {t("secondFactor.confirm.passkey")}
        </Typography>
      )}
      {withPasskey && (
        <Suspense>
          <ConfirmWithPasskey {...step} isPrimary={!kind} />
        </Suspense>
      )}
      {kind ? (
        <>
          <Typography color="textSecondary">{t(`secondFactor.confirm.${kind}`)}</Typography>
          <ConfirmForm key={kind} {...step} kind={kind}>
            {ways}
          </ConfirmForm>
        </>
      ) : (
        ways
      )}
    </EntryPage>
  );
}

interface FormProps extends Omit<ConfirmProps, "methods" | "onBack"> {
  kind: CodeKind;
  /** The other ways, and the way back. */
  children: React.ReactNode;
}

function ConfirmForm({ ticket, kind, onSignedIn, onExpired, children }: FormProps) {
  const { t } = useTranslation();
  const send = async (code: string) => {
    const body = { ticket, method: kind, code, browser_token: knownBrowser.token };
    await onSignedIn(await client.secondFactor.confirm({ body }));
  };
  const form = useCodeForm(kind, send, onExpired);
  const submit = (
    <>
      <SubmitButton form={form} busy={t("secondFactor.proof.busy")} size="large">
        {t("secondFactor.confirm.submit")}
      </SubmitButton>
      {children}
    </>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <CodeField
        form={form}
        kind={kind}
        label={t(kind === "totp" ? "secondFactor.confirm.code" : "secondFactor.confirm.recoveryCode")}
      />
    </Form>
  );
}
