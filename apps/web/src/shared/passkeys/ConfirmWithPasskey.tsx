import "../../en/passkeys.ts";
import { Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { BegunSession } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { publicSettings } from "../../session/settings.ts";
import { AskButton } from "./AskButton.tsx";
import { askForPasskey, troubleOf, whyNoPasskeys } from "./browser-passkeys.ts";

interface Props {
  ticket: string;
  /** Whether nothing else on the page confirms it. */
  isPrimary: boolean;
  onSignedIn: (session: BegunSession) => Promise<unknown>;
  onExpired: () => void;
}

/** Confirms a sign-in with one of the passkeys of whoever began it; says why where that is not possible. */
export default function ConfirmWithPasskey({ ticket, isPrimary, onSignedIn, onExpired }: Props) {
  const { t } = useTranslation();
  const { data: settings } = useQuery(publicSettings);
  const trouble = useTrouble();
  const [isAsking, setAsking] = useState(false);
  if (!settings) return null;
  const why = whyNoPasskeys(settings);
  if (why)
    return (
      <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
        {t(`passkeys.why.${why}`, { at: settings.passkeys_at ?? "" })}
      </Typography>
    );

  /** Once the sign-in is confirmed, the page leaves. */
  const confirm = async () => {
    trouble.takeBack();
    setAsking(true);
    try {
      const credential = await askForPasskey(await client.passkeys.confirmOptions({ body: { ticket } }));
      const body = { ticket, credential, browser_token: knownBrowser.token };
      await onSignedIn(await client.passkeys.confirm({ body }));
    } catch (error) {
      setAsking(false);
      const code = error instanceof AppError ? error.code : undefined;
      if (code === "SECOND_FACTOR_EXPIRED") onExpired();
      else trouble.say(t(troubleOf(error) === "cancelled" ? "passkeys.signIn.cancelled" : confirmRefusalKey(code)));
    }
  };
  return (
    <AskButton isAsking={isAsking} isPrimary={isPrimary} onPress={() => void confirm()}>
      {t("passkeys.confirm.with")}
    </AskButton>
  );
}

const ofConfirmation = ["PASSKEY_REFUSED", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"] as const;

/** The key of what is said when somebody could not confirm a sign-in with a passkey. */
const confirmRefusalKey = (code: string | undefined) => {
  const known = ofConfirmation.find((each) => each === code);
  return known ? (`passkeys.signIn.${known}` as const) : ("passkeys.confirm.failed" as const);
};
