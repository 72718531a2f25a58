import "../en/confirmation.ts";
import { Box, Button, Typography } from "@mui/material";
import { limits } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";

type Outcome = "sent" | "tooMany" | "failed";

interface Props {
  /** Asks for the mail. */
  send: () => Promise<unknown>;
  label: string;
  /** What is said once it was sent. */
  sent: string;
}

/** Has a mail sent, and shows the outcome in its place. The service decides how often. */
export function MailButton({ send, label, sent }: Props) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    setOutcome(undefined);
    setOutcome(await send().then(() => "sent" as const, outcomeOf));
    setBusy(false);
  };
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Button size="large" onClick={() => void press()} aria-disabled={isBusy || undefined}>
        {isBusy ? t("confirmation.resend.busy") : label}
      </Button>
      <Typography variant="body2" component="output" color={outcome === "sent" ? "textSecondary" : "error"}>
        {outcome === "sent" ? sent : outcome && t(`confirmation.resend.${outcome}`, { max: limits.mailedLinksPerHour })}
      </Typography>
    </Box>
  );
}

const outcomeOf = (error: unknown): Outcome =>
  error instanceof AppError && error.code === "TOO_MANY_REQUESTS" ? "tooMany" : "failed";
