import "../../en/sign-in.ts";
import { useQuery } from "@tanstack/react-query";
import type { BegunSession } from "@terrarium/contract";
import { Suspense, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { fetchCode } from "../../components/fetch-code.ts";
import { optionalPart } from "../../components/optional-part.ts";
import { client, session } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { askedBy } from "../../session/second-factor.ts";
import { publicSettings } from "../../session/settings.ts";
import { EntryPage } from "../../shared/EntryPage.tsx";
import { SignInForm } from "./SignInForm.tsx";

const DemoAccounts = optionalPart(() => import("./DemoAccounts.tsx"));
const PasskeyButton = optionalPart(() => import("../passkeys/PasskeyButton.tsx"));
const ProviderButtons = optionalPart(() => import("../sso/ProviderButtons.tsx"));

const never = () => () => undefined;

/** Browsers have passkeys on secure pages only. Where the page is prerendered it is taken to be the right one. */
const useHasPasskeys = (at: string | null) =>
  useSyncExternalStore(
    never,
    () => at === location.origin && "PublicKeyCredential" in globalThis,
    () => at !== null,
  );

export default function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { data: settings } = useQuery(publicSettings);
  const { demo_accounts: accounts = [], sso_providers: providers = [], passkeys_at = null } = settings ?? {};
  const hasPasskeys = useHasPasskeys(passkeys_at);
  const [secondStep, setSecondStep] = useState<React.ReactNode>();
  const enter = async (signedIn: BegunSession): Promise<void> => {
    knownBrowser.remember(signedIn.browser_token);
    session.open(signedIn);
    await navigate(redirectOf(search), { replace: true });
  };
  const signIn = async (email: string, password: string): Promise<void> => {
    const body = { email, password, browser_token: knownBrowser.token };
    const signedIn = await client.users.login({ body }).catch(async (error: unknown) => {
      const asked = askedBy(error);
      if (!asked) throw error;
      // The page says that it is busy until the step is there.
      const { default: SecondFactorStep } = await fetchCode(() => import("../second-factor/SecondFactorStep.tsx"));
      const onBack = () => setSecondStep(undefined);
      setSecondStep(<SecondFactorStep asked={asked} onSignedIn={enter} onBack={onBack} />);
    });
    if (signedIn) await enter(signedIn);
  };
  if (secondStep) return secondStep;
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
      {hasPasskeys && (
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
