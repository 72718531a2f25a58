import "../../en/sign-in.ts";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { fetchCode } from "../../components/fetch-code.ts";
import { client, session } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { type Asked, askedBy, type BegunSession } from "../../session/second-factor.ts";
import { publicSettings } from "../../session/settings.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { SignInForm } from "./SignInForm.tsx";

const DemoAccounts = lazy(() => fetchCode(() => import("./DemoAccounts.tsx")));
const PasskeyButton = lazy(() => fetchCode(() => import("../passkeys/PasskeyButton.tsx")));
const ProviderButtons = lazy(() => fetchCode(() => import("../sso/ProviderButtons.tsx")));
const SecondFactorStep = lazy(() => fetchCode(() => import("../second-factor/SecondFactorStep.tsx")));

export default function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { data: settings } = useQuery(publicSettings);
  const { demo_accounts: accounts = [], sso_providers: providers = [], passkeys_at } = settings ?? {};
  const [asked, setAsked] = useState<Asked>();
  const enter = async (signedIn: BegunSession): Promise<void> => {
    knownBrowser.keep(signedIn.browser_token);
    session.open(signedIn);
    await navigate(redirectOf(search), { replace: true });
  };
  const signIn = async (email: string, password: string): Promise<void> => {
    const body = { email, password, browser_token: knownBrowser.token };
    const signedIn = await client.users.login({ body }).catch((error: unknown) => {
      const next = askedBy(error);
      if (!next) throw error;
      setAsked(next);
    });
    if (signedIn) await enter(signedIn);
  };
  if (asked)
    return (
      <Suspense>
        <SecondFactorStep asked={asked} onSignedIn={enter} onBack={() => setAsked(undefined)} />
      </Suspense>
    );
  return (
    <EntryPage
      title={t("signIn.title")}
      below={
        accounts.length > 0 && (
          <Suspense>
            <DemoAccounts accounts={accounts} signIn={signIn} />
          </Suspense>
        )
      }
    >
      <SignInForm signIn={signIn} />
      {passkeys_at === location.origin && (
        <Suspense>
          <PasskeyButton onSignedIn={enter} />
        </Suspense>
      )}
      {providers.length > 0 && (
        <Suspense>
          <ProviderButtons from={`/signin${search}`} to={redirectOf(search)} />
        </Suspense>
      )}
    </EntryPage>
  );
}
