import "../../en/passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import type { BegunSession } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { publicSettings } from "../../session/settings.ts";
import { AskButton } from "./AskButton.tsx";
import { makePasskey, troubleOf, whyNoPasskeys } from "./browser-passkeys.ts";

interface Props {
  ticket: string;
  onDone: (session: BegunSession & { recovery_codes: string[] }) => void;
  onExpired: () => void;
}

/** Has somebody who needs a second factor make a passkey, where one can be made. */
export default function SetUpPasskey({ ticket, onDone, onExpired }: Props) {
  const { t } = useTranslation();
  const { data: settings } = useQuery(publicSettings);
  const trouble = useTrouble();
  const [isAsking, setAsking] = useState(false);
  const asking = useRef<AbortController>(undefined);
  useEffect(() => () => asking.current?.abort(), []);
  if (!settings || whyNoPasskeys(settings)) return null;

  const make = async () => {
    trouble.takeBack();
    setAsking(true);
    const { signal } = (asking.current = new AbortController());
    try {
      const options = await client.passkeys.requiredOptions({ body: { ticket } }, { signal });
      const credential = await makePasskey(options, signal);
      onDone(await client.passkeys.addRequired({ body: { ticket, credential, browser_token: knownBrowser.token } }));
    } catch (error) {
      setAsking(false);
      const code = error instanceof AppError ? error.code : undefined;
      if (code === "SECOND_FACTOR_EXPIRED") onExpired();
      else if (!signal.aborted) trouble.say(t(`passkeys.add.${troubleOf(error) ?? refusalOf(code)}`));
    }
  };
  return (
    <AskButton isAsking={isAsking} onPress={() => void make()}>
      {t("passkeys.setUp")}
    </AskButton>
  );
}

const refusalOf = (code: string | undefined) =>
  code === "PASSKEY_REFUSED" ? "refused" : code === "PASSKEY_EXISTS" ? "known" : "failed";
