import "../../en/sign-in.ts";
import { useQuery } from "@tanstack/react-query";
import type { BegunSession } from "@terrarium/contract";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { fetchCode } from "../../components/fetch-code.ts";
import { client, session } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { publicSettings } from "../../session/settings.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { SignInForm } from "./SignInForm.tsx";

const DemoAccounts = lazy(() => fetchCode(() => import("./DemoAccounts.tsx")));
const PasskeyButton = lazy(() => fetchCode(() => import("../passkeys/PasskeyButton.tsx")));
const ProviderButtons = lazy(() => fetchCode(() => import("../sso/ProviderButtons.tsx")));

export default function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { data: settings } = useQuery(publicSettings);
  const { demo_accounts: accounts = [], sso_providers: providers = [], passkeys_at } = settings ?? {};
  const enter = async (signedIn: BegunSession): Promise<void> => {
    knownBrowser.keep(signedIn.browser_token);
    session.open(signedIn);
    await navigate(redirectOf(search), { replace: true });
  };
  const signIn = async (email: string, password: string): Promise<void> => {
    const body = { email, password, browser_token: knownBrowser.token };
    await enter(await client.users.login({ body }));
  };
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
