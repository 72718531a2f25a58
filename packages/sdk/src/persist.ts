import { AppError } from "@terrarium/contract";

/** The service cannot be reached, or not yet. */
const PASSING: readonly number[] = [429, 502, 503, 504];
const FIRST_WAIT_MS = 300;
/** If the service asks for a longer wait than this, its answer is returned at once. */
const MAX_WAIT_MS = 20_000;

/**
 * Asks until there is an answer that is final, `attempts` times at most; each time it waits about three times as long, or as the service
 * says.
 */
export async function persist(
  ask: () => Promise<Response>,
  attempts: number,
  sleep: (ms: number) => Promise<void>,
): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt >= attempts;
    // All at once would come back all at once.
    const own = FIRST_WAIT_MS * 3 ** (attempt - 1) * (0.5 + Math.random());
    let waitMs = own;
    try {
      const response = await ask();
      waitMs = Math.max(own, retryAfterMs(response));
      if (isLast || !PASSING.includes(response.status) || waitMs > MAX_WAIT_MS) return response;
      await response.body?.cancel().catch(() => undefined);
    } catch (error) {
      if (isLast || !(error instanceof AppError)) throw error;
    }
    await sleep(waitMs);
  }
}

/** What a response asks to wait for, in seconds or by a date. */
function retryAfterMs({ headers }: Response): number {
  const after = headers.get("retry-after") ?? "";
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  return Date.parse(after) - (Date.parse(headers.get("date") ?? "") || Date.now()) || 0;
}

/** @throws the signal's reason */
export const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
  });

/** 128 random bits as text, for instance as an idempotency key. Pages that are not on TLS have no `randomUUID`. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
