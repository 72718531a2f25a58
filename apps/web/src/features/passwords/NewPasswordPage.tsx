import "../../en/passwords.ts";
import { Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { snack } from "../../components/snack-queue.ts";
import { session } from "../../session/client.ts";
import { useSession } from "../../session/user.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { MailPasswordLink } from "../../shared/MailPasswordLink.tsx";
import { NewPasswordForm } from "./NewPasswordForm.tsx";
import { passwordLink } from "./passwords.queries.ts";

export default function NewPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key = "" } = useParams();
  const link = useQuery(passwordLink(key));

  if (link.isPending)
    return (
      <EntryPage title={t("passwords.renew.title")}>
        <Delayed>
          <Skeleton variant="rounded" height={200} component="output" aria-label={t("passwords.renew.loading")} />
        </Delayed>
      </EntryPage>
    );
  if (isExpired(link.error)) return <ExpiredLink />;
  if (link.isError)
    return (
      <EntryPage title={t("passwords.unchecked.title")}>
        <Typography role="alert">{t("passwords.unchecked.text")}</Typography>
        <Button variant="contained" color="primary" size="large" onClick={() => void link.refetch()}>
          {t("common.tryAgain")}
        </Button>
      </EntryPage>
    );

  const { email } = link.data;
  const onDone = async () => {
    // The service has ended the sessions of this account, this browser's among them.
    if (session.current?.user.email === email) session.close({ bySelf: true });
    snack("success", t("passwords.renew.done"));
    await navigate("/signin", { replace: true });
  };
  return (
    <EntryPage title={t("passwords.renew.title")}>
      <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {t("passwords.renew.lead", { email })}
      </Typography>
      <NewPasswordForm linkKey={key} email={email} onDone={onDone} onExpired={() => void link.refetch()} />
    </EntryPage>
  );
}

const isExpired = (error: Error | null): boolean => error instanceof AppError && error.code === "LINK_EXPIRED";

/** Somebody who is signed in gets another link here: the page that asks for an address is not for them. */
function ExpiredLink() {
  const { t } = useTranslation();
  const signedIn = useSession();
  return (
    <EntryPage title={t("passwords.expired.title")}>
      <Typography role="alert">{t("passwords.expired.text", { hours: limits.passwordLinkHours })}</Typography>
      {signedIn ? (
        <MailPasswordLink email={signedIn.user.email} />
      ) : (
        <>
          <Button component={Link} to="/password-reset" variant="contained" color="primary" size="large">
            {t("passwords.expired.again")}
          </Button>
          <Button component={Link} to="/signin" variant="text" size="large">
            {t("passwords.request.back")}
          </Button>
        </>
      )}
    </EntryPage>
  );
}
