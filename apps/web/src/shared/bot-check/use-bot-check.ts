import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { publicSettings } from "../../session/settings.ts";
import { Puzzles } from "./puzzles.ts";
import { Turnstile } from "./turnstile.ts";

/**
 * The check that the service asks for; undefined until it has said which. `known` asks again if it has not. It rejects if the service
 * does not answer.
 */
export function useBotCheck() {
  const cache = useQueryClient();
  const [checkOf] = useState(oneCheck);
  const siteKey = useQuery(publicSettings).data?.turnstile_site_key;
  return {
    botCheck: siteKey === undefined ? undefined : checkOf(siteKey),
    known: async () => checkOf((await cache.fetchQuery(publicSettings)).turnstile_site_key),
  };
}

/** The one that a form shows is the one that it takes a proof from. */
function oneCheck() {
  let check: Puzzles | Turnstile | undefined;
  return (siteKey: string | null) => (check ??= siteKey === null ? new Puzzles() : new Turnstile(siteKey));
}
