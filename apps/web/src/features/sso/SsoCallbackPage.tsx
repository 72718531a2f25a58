import "../../en/sso.ts";
import { Button, LinearProgress, Typography } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { snack } from "../../components/snack-queue.ts";
import { session } from "../../session/client.ts";
import { withRedirect } from "../../session/guards.ts";
import { launchpad } from "../../session/routes.ts";
import { type Asked, askedBy } from "../../session/second-factor.ts";
import type SecondFactorStep from "../second-factor/SecondFactorStep.tsx";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { type Begun, takeBegun } from "./begin.ts";
import { finishSso, joinInvited } from "./finish.ts";
import { ssoRefusalKey } from "./refusal.ts";

/** Where a provider leads back to: signs in, and goes on to where one was going. */
export default function SsoCallbackPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { provider = "" } = useParams();
  const { pathname, search } = useLocation();
  const [failure, setFailure] = useState<{ code: AppError["code"] | undefined; from: string }>();
  const [asked, setAsked] = useState<Asked & { begun: Begun | undefined; Step: typeof SecondFactorStep }>();
  const hasBegun = useRef(false);

  const fail = useCallback(
    async (error: unknown, begun: Begun | undefined) => {
      const { code, details } = error instanceof AppError ? error : {};
      const next = askedBy(error);
      const from = details?.["route_from"] ?? begun?.from ?? "/signin";
      if (begun?.isLink) snack("error", t(ssoRefusalKey(code, { isLink: true })));
      // The page of the invitation says it in a dialog.
      // Unless they have joined: the invitation is used up, and what is left is an ordinary sign-in.
      const hasJoined = code === "SIGN_IN_AGAIN";
      if (begun?.isLink || (begun?.invitation !== undefined && !next && !hasJoined))
        return navigate(from, { replace: true, state: { ssoFailure: code ?? "other" } });
      // What the provider led back with stays neither in the address nor in the history.
      await navigate(pathname, { replace: true });
      if (!next) return setFailure({ code, from: hasJoined ? "/signin" : from });
      const { default: Step } = await fetchCode(() => import("../second-factor/SecondFactorStep.tsx"));
      setAsked({ ...next, begun, Step });
    },
    [navigate, pathname, t],
  );

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
    finish().catch((error: unknown) => fail(error, begun));
  }, [fail, navigate, provider, search, t]);

  if (asked)
    return (
      <asked.Step
        key={asked.ticket}
        asked={asked}
        onSignedIn={async (confirmed) => {
          try {
            session.open(await joinInvited(confirmed, asked.begun));
            await navigate(asked.route_to ?? launchpad, { replace: true });
          } catch (error) {
            await fail(error, asked.begun);
          }
        }}
        onBack={() =>
          void navigate(asked.route_to ? withRedirect("/signin", asked.route_to) : "/signin", { replace: true })
        }
      />
    );
  if (failure)
    return (
      <EntryPage title={t("sso.callback.failed")}>
        <Typography role="alert">
          {t(failure.code === "SIGN_IN_AGAIN" ? "sso.callback.signInAgain" : ssoRefusalKey(failure.code))}
        </Typography>
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
