import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { publicSettings } from "../../session/settings.ts";
import type { BotCheck } from "./bot-check.ts";
import { Puzzles } from "./puzzles.ts";
import { Turnstile } from "./turnstile.ts";

/** The check that the service asks for; undefined until it has said which. */
export function useBotCheck(): BotCheck | undefined {
  const { data } = useQuery(publicSettings);
  const siteKey = data?.turnstile_site_key;
  return useMemo(() => {
    if (siteKey === undefined) return undefined;
    return siteKey === null ? new Puzzles() : new Turnstile(siteKey);
  }, [siteKey]);
}
