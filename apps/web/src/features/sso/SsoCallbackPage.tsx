import "../../en/sso.ts";
import { Button, LinearProgress, Typography } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { snack } from "../../components/snack-queue.ts";
import { session } from "../../session/client.ts";
import { launchpad } from "../../session/routes.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { takeBegun } from "./begin.ts";
import { finishSso } from "./finish.ts";
import { ssoRefusalKey } from "./refusal.ts";

/** Where a provider leads back to: signs in, and goes on to where one was going. */
export default function SsoCallbackPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { provider = "" } = useParams();
  const { pathname, search } = useLocation();
  const [failure, setFailure] = useState<{ code: AppError["code"] | undefined; from: string }>();
  const hasBegun = useRef(false);

  useEffect(() => {
    // What a provider leads back with works once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const begun = takeBegun();
    const finish = async () => {
      const { session: opened, to } = await finishSso(provider, search, begun);
      if (opened) session.open(opened);
      else snack("success", t("sso.linked.joined"));
      await navigate(to ?? launchpad, { replace: true });
    };
    finish().catch(async (error: unknown) => {
      const { code, details } = error instanceof AppError ? error : {};
      const from = details?.["route_from"] ?? begun?.from ?? "/signin";
      if (begun?.isLink) snack("error", t(ssoRefusalKey(code, { isLink: true })));
      // The page of the invitation says it in a dialog.
      if (begun?.isLink || begun?.invitation !== undefined)
        await navigate(from, { replace: true, state: { ssoFailure: code ?? "other" } });
      else {
        // What the provider led back with stays neither in the address nor in the history.
        await navigate(pathname, { replace: true });
        setFailure({ code, from });
      }
    });
  }, [navigate, pathname, provider, search, t]);

  if (failure)
    return (
      <EntryPage title={t("sso.callback.failed")}>
        <Typography role="alert">{t(ssoRefusalKey(failure.code))}</Typography>
        <Button component={Link} to={failure.from} variant="contained" color="primary" size="large">
          {t("sso.callback.back")}
        </Button>
      </EntryPage>
    );
  return (
    <EntryPage title={t("sso.callback.title")}>
      <Delayed>
        <LinearProgress aria-label={t("sso.callback.waiting")} />
      </Delayed>
    </EntryPage>
  );
}
