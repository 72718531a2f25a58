import "../en/confirmation.ts";
import { Box, Button, Typography } from "@mui/material";
import { limits } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { client } from "../session/client.ts";

type Outcome = "sent" | "tooMany" | "failed";

/** Mails the link to confirm an address once more. The service says how often it does. */
export function ResendLink({ email }: { email: string }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async () => {
    if (isBusy) return;
    setBusy(true);
    setOutcome(undefined);
    setOutcome(await resend(email));
    setBusy(false);
  };
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Button size="large" onClick={() => void send()} aria-disabled={isBusy || undefined}>
        {t(isBusy ? "confirmation.resend.busy" : "confirmation.resend.button")}
      </Button>
      <Typography variant="body2" component="output" color={outcome === "sent" ? "textSecondary" : "error"}>
        {outcome && t(`confirmation.resend.${outcome}`, { max: limits.mailedLinksPerHour })}
      </Typography>
    </Box>
  );
}

async function resend(email: string): Promise<Outcome> {
  try {
    await client.accounts.resendLink({ body: { email } });
    return "sent";
  } catch (error) {
    return error instanceof AppError && error.code === "TOO_MANY_REQUESTS" ? "tooMany" : "failed";
  }
}
