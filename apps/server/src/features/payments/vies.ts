import { z } from "zod";

/** Whoever saves a number waits no longer. */
const TIMEOUT_MS = 3_000;

const Verdict = z.object({ isValid: z.boolean(), userError: z.string().optional() });
/** Undefined is for a country that has no such number; anything else means that it has no answer now. */
const ANSWERS = new Set(["VALID", "INVALID", undefined]);

/**
 * Asks the European Commission whether a VAT number is in use; undefined if it does not say. It only knows numbers of the Union.
 * https://ec.europa.eu/taxation_customs/vies/#/technical-information
 */
export async function isInUse(url: string, vatNumber: string): Promise<boolean | undefined> {
  const path = `ms/${vatNumber.slice(0, 2)}/vat/${encodeURIComponent(vatNumber.slice(2))}`;
  try {
    const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const verdict = Verdict.safeParse(answer.ok ? await answer.json() : undefined).data;
    return verdict && ANSWERS.has(verdict.userError) ? verdict.isValid : undefined;
  } catch {
    return undefined;
  }
}
