import "../../en/payments.ts";
import { Alert, Button, Typography } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { client } from "../../session/client.ts";
import type { BankQuestion } from "./bank-question.ts";

/** Asks whether a payment of the sandbox is confirmed, as a bank would. To close it is to refuse. */
export default function BankDialog({ question: { clientSecret, answer } }: { question: BankQuestion }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const send = async (is_confirmed: boolean) => {
    setBusy(true);
    try {
      const body = { client_secret: clientSecret, is_confirmed };
      const { outcome } = await client.payments.confirmInSandbox({ body });
      answer(outcome === "accepted" ? {} : { error: t("payments.bank.refused") });
    } catch {
      setFailed(true);
      setBusy(false);
    }
  };
  return (
    <AppDialog
      title={t("payments.bank.title")}
      onClose={() => void send(false)}
      actions={
        <>
          <Button variant="text" disabled={isBusy} onClick={() => void send(false)}>
            {t("payments.bank.refuse")}
          </Button>
          <Button
            variant="contained"
            color="primary"
            disabled={isBusy}
            onClick={() => void send(true)}
            ref={focusWhenShown}
          >
            {t("payments.bank.confirm")}
          </Button>
        </>
      }
    >
      <Typography color="textSecondary">{t("payments.bank.text")}</Typography>
      {hasFailed && (
        <Alert severity="error" sx={{ mt: 4 }}>
          {t("payments.bank.failed")}
        </Alert>
      )}
    </AppDialog>
  );
}
