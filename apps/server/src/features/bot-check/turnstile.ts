import { AppError } from "@terrarium/contract";
import { z } from "zod";
import type { BotCheck } from "./bot-check.ts";

const TIMEOUT_MS = 10_000;

interface Account {
  secretKey: string;
  /** Where tokens are checked. */
  url: string;
  timeoutMs?: number | undefined;
}

const Verdict = z.object({ success: z.boolean(), "error-codes": z.array(z.string()).default([]) });

/** What a wrong setting of ours causes; people are not to blame. */
const OURS = new Set(["missing-input-secret", "invalid-input-secret", "internal-error"]);

/**
 * Cloudflare Turnstile. A token is valid for five minutes and once, which Cloudflare sees to.
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
export function turnstile({ secretKey, url, timeoutMs = TIMEOUT_MS }: Account): BotCheck {
  return {
    puzzle: () => Promise.reject(new AppError("ROUTE_NOT_FOUND")),
    async check(token, address) {
      const { success, "error-codes": codes } = await ask(
        url,
        { secret: secretKey, response: token, remoteip: address },
        AbortSignal.timeout(timeoutMs),
      ).catch((cause: unknown) => {
        throw new AppError("SERVICE_UNAVAILABLE", { cause });
      });
      if (success) return;
      const isOurs = codes.some((code) => OURS.has(code));
      throw new AppError(isOurs ? "SERVICE_UNAVAILABLE" : "BOT_CHECK_FAILED", { facts: { turnstile: codes } });
    },
  };
}

async function ask(url: string, fields: Record<string, string>, signal: AbortSignal): Promise<z.infer<typeof Verdict>> {
  const reply = await fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    signal,
  });
  return Verdict.parse(await reply.json());
}
