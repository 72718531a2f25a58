import "../../en/join.ts";
import { Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, type Session } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, type Location, useLocation, useNavigate, useParams } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { fetchCode } from "../../components/fetch-code.ts";
import { session } from "../../session/client.ts";
import { onTheWay, redirectOf } from "../../session/guards.ts";
import type { Asked } from "../../session/second-factor.ts";
import { unopenedInvitation } from "../../session/unopened-invitation.ts";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import ProviderButtons from "../sso/ProviderButtons.tsx";
import { knownSsoRefusalKey } from "../sso/refusal.ts";
import { invitation } from "./invitations.queries.ts";
import { JoinForm } from "./JoinForm.tsx";

/** Where a mailed invitation leads. */
export default function JoinPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { token = "" } = useParams();
  const { state, pathname, search }: Location<{ ssoFailure?: string } | null> = useLocation();
  const here = pathname + search;
  const invited = useQuery(invitation(token));
  const [secondStep, setSecondStep] = useState<React.ReactNode>();
  const onJoined = async (joined: Session) => {
    session.open(joined);
    await navigate(redirectOf(search), { replace: true });
    // Being signed in now is no surprise.
    unopenedInvitation.note(undefined);
  };
  const goOn = async (asked: Asked) => {
    const { default: SecondFactorStep } = await fetchCode(() => import("../second-factor/SecondFactorStep.tsx"));
    // The invitation is used up: what is left is an ordinary sign-in.
    const onBack = () => void navigate(onTheWay("/signin", search));
    setSecondStep(<SecondFactorStep asked={asked} onSignedIn={onJoined} onBack={onBack} />);
  };
  if (secondStep) return secondStep;
  if (invited.isPending)
    return (
      <EntryPage title={t("common.titles.join")}>
        <Delayed>
          <Skeleton variant="rounded" height={200} component="output" aria-label={t("join.loading")} />
        </Delayed>
      </EntryPage>
    );
  if (invited.error instanceof AppError && invited.error.code === "LINK_EXPIRED")
    return <Expired details={invited.error.details} />;
  if (invited.isError)
    return (
      <EntryPage title={t("join.unopened.title")}>
        <Typography role="alert">{t("join.unopened.text")}</Typography>
        <Button variant="contained" color="primary" size="large" onClick={() => void invited.refetch()}>
          {t("common.tryAgain")}
        </Button>
      </EntryPage>
    );

  const { email, organization, inviter, has_account: hasAccount } = invited.data;
  const name = inviter ? `${inviter.first_name} ${inviter.last_name}`.trim() : "";
  return (
    <EntryPage title={t("join.title", { organization: organization.name })}>
      <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {name === "" ? t("join.invited", { email }) : t("join.invitedBy", { name, email })}
        {hasAccount && ` ${t("join.hasAccount")}`}
      </Typography>
      <JoinForm
        token={token}
        email={email}
        hasAccount={hasAccount}
        onJoined={onJoined}
        onExpired={() => void invited.refetch()}
        onAsked={goOn}
      />
      <ProviderButtons from={here} to={redirectOf(search)} invitation={token} />
      {state?.ssoFailure !== undefined && (
        <Failure
          code={state.ssoFailure}
          email={email}
          onClose={() => void navigate(here, { replace: true, state: null })}
        />
      )}
    </EntryPage>
  );
}

interface FailureProps {
  code: string;
  /** Whom the invitation is for. */
  email: string;
  onClose: () => void;
}

/** Why signing in with a provider did not accept the invitation. */
function Failure({ code, email, onClose }: FailureProps) {
  const { t } = useTranslation();
  const isOther = code === "INVITATION_WRONG_ACCOUNT";
  return (
    <AppDialog
      title={t(isOther ? "join.mismatch.title" : "join.failure.title")}
      dismiss={t("common.close")}
      onClose={onClose}
    >
      <Typography sx={{ overflowWrap: "anywhere" }}>
        {isOther ? t("join.mismatch.text", { email }) : t(knownSsoRefusalKey(code) ?? "join.failure.text")}
      </Typography>
    </AppDialog>
  );
}

function Expired({ details = {} }: { details: Record<string, string> | undefined }) {
  const { t } = useTranslation();
  const { organization, inviter } = details;
  return (
    <EntryPage title={t("join.expired.title")}>
      <Typography role="alert" sx={{ overflowWrap: "anywhere" }}>
        {organization !== undefined && inviter !== undefined
          ? t("join.expired.of", { organization, inviter })
          : t("join.expired.text", { days: limits.invitationDays })}
      </Typography>
      <Button component={Link} to={useOnTheWay()("/signin")} variant="text" size="large">
        {t("common.titles.signIn")}
      </Button>
    </EntryPage>
  );
}
