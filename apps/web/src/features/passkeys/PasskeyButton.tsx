import "../../en/passkeys.ts";
import type { BegunSession, UsedCredential } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { AskButton } from "../../shared/passkeys/AskButton.tsx";
import { forgetPasskey, offerInAutofill, troubleOf, askForPasskey } from "../../shared/passkeys/browser-passkeys.ts";
import { signInRefusalKey } from "./refusal.ts";

const ask = () => client.passkeys.signInOptions();

/** Signs in with a passkey: when it is pressed, or when one is chosen from what the browser offers at the field above. */
export default function PasskeyButton({ onSignedIn }: { onSignedIn: (session: BegunSession) => Promise<void> }) {
  const { t } = useTranslation();
  const trouble = useTrouble();
  const [isAsking, setAsking] = useState(false);

  /** Once somebody is signed in, the page leaves. */
  const finish = async (choose: () => Promise<UsedCredential>) => {
    trouble.takeBack();
    setAsking(true);
    try {
      const credential = await choose();
      const body = { credential, browser_token: knownBrowser.token };
      const session = await client.passkeys.signIn({ body }).catch(async (error: unknown) => {
        if (error instanceof AppError && error.code === "PASSKEY_UNKNOWN") await forgetPasskey(credential);
        throw error;
      });
      await onSignedIn(session);
    } catch (error) {
      const isCancelled = troubleOf(error) === "cancelled";
      const code = error instanceof AppError ? error.code : undefined;
      trouble.say(t(isCancelled ? "passkeys.signIn.cancelled" : signInRefusalKey(code)));
      setAsking(false);
    }
  };

  const onChosen = useEffectEvent((credential: UsedCredential) => finish(async () => credential));
  useEffect(() => {
    // A browser asks for one thing at a time.
    if (isAsking) return undefined;
    const stop = new AbortController();
    // Nobody has asked for anything yet: if it cannot be offered, there is the button.
    void offerInAutofill(ask, stop.signal).then(
      (credential) => onChosen(credential),
      () => undefined,
    );
    return () => stop.abort();
  }, [isAsking]);

  return (
    <AskButton isAsking={isAsking} onPress={() => void finish(async () => askForPasskey(await ask()))}>
      {t("passkeys.signIn.with")}
    </AskButton>
  );
}
