import "../../en/confirmation.ts";
import { Button, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { ResendLink } from "../../shared/ResendLink.tsx";
import { activation } from "./sign-up.queries.ts";

/** Where the link in the mail leads: it confirms the address at once. */
export default function SignUpConfirmPage() {
  const { t } = useTranslation();
  const onWay = useOnTheWay();
  const key = useSearchParams()[0].get("key") ?? "";
  const { data, error, refetch } = useQuery(activation(key));
  const { code, details } = error instanceof AppError ? error : {};

  if (data)
    return (
      <EntryPage title={t("confirmation.done.title")}>
        <Typography component="output" sx={{ overflowWrap: "anywhere" }}>
          {t("confirmation.done.text", { email: data.email })}
        </Typography>
        <ToSignIn />
      </EntryPage>
    );
  if (!error)
    return (
      <EntryPage title={t("confirmation.working")}>
        {/* No shorter than the outcome: this part of the page is there before any script. */}
        <Typography component="output">{t("confirmation.workingText")}</Typography>
      </EntryPage>
    );
  if (code === "ACTIVATION_LINK_USED")
    return (
      <EntryPage title={t("confirmation.used.title")}>
        <Typography component="output">{t("confirmation.used.text")}</Typography>
        <ToSignIn />
      </EntryPage>
    );
  const email = details?.["email"];
  if (code === "LINK_EXPIRED" && email !== undefined)
    return (
      <EntryPage title={t("confirmation.expired.title")}>
        <Typography role="alert" sx={{ overflowWrap: "anywhere" }}>
          {t("confirmation.expired.text", { email, days: limits.activationLinkDays })}
        </Typography>
        <ResendLink email={email} />
      </EntryPage>
    );
  // A key that is too long is malformed.
  if (code === "ACTIVATION_LINK_INVALID" || code === "invalid_request")
    return (
      <EntryPage title={t("confirmation.invalid.title")}>
        <Typography role="alert">{t("confirmation.invalid.text")}</Typography>
        <Button component={Link} to={onWay("/")} variant="contained" color="primary" size="large">
          {t("confirmation.home")}
        </Button>
        <Button component={Link} to={onWay("/signin")} variant="text" size="large">
          {t("confirmation.signIn")}
        </Button>
      </EntryPage>
    );
  return (
    <EntryPage title={t("confirmation.failed.title")}>
      <Typography role="alert">{t("confirmation.failed.text")}</Typography>
      <Button variant="contained" color="primary" size="large" onClick={() => void refetch()}>
        {t("common.tryAgain")}
      </Button>
    </EntryPage>
  );
}

function ToSignIn() {
  const { t } = useTranslation();
  return (
    <Button component={Link} to={useOnTheWay()("/signin")} variant="contained" color="primary" size="large">
      {t("confirmation.signIn")}
    </Button>
  );
}
