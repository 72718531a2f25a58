import { AppError } from "@terrarium/contract";
import { z } from "zod";

/** Stripe answers within seconds; a bank that is asked may take longer. */
const TIMEOUT_MS = 30_000;
const FAILURE_MS = 600_000;

/** The version of the API that this code was written for and is tested against. */
export const STRIPE_VERSION = "2026-08-26.dahlia";

export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** `https://api.stripe.com` */
  url: string;
}

type Value = string | number | boolean | undefined;
/** Parameters by their names in a form: `metadata[key]`. */
export type Fields = Readonly<Record<string, Value>>;

const Refusal = z.object({
  error: z.object({
    type: z.string(),
    code: z.string().optional(),
    message: z.string().optional(),
    payment_intent: z.unknown().optional(),
  }),
});

/** Stripe's answer to a request that it did not do. Its words may be shown if they are about the card. */
export class StripeRefusal extends Error {
  override name = "StripeRefusal";
  readonly isOfCard: boolean;
  readonly code: string | undefined;
  /** The payment that was tried. */
  readonly paymentIntent: unknown;
  constructor(status: number, { error }: z.infer<typeof Refusal>) {
    super(error.message ?? `Stripe replied with ${status}`);
    this.isOfCard = error.type === "card_error";
    this.code = error.code;
    this.paymentIntent = error.payment_intent;
  }
}

/** Calls Stripe's API. */
export class StripeApi {
  readonly #settings: Pick<StripeSettings, "secretKey" | "url">;
  /** When it was last asked in vain, in milliseconds since the start of the process. */
  #failedAt: number | undefined;
  constructor(settings: Pick<StripeSettings, "secretKey" | "url">) {
    this.#settings = settings;
  }

  /** Whether it answers, as far as is known: a failure counts until the next answer, and ten minutes at most. */
  answers(): boolean {
    return this.#failedAt === undefined || performance.now() - this.#failedAt > FAILURE_MS;
  }

  get<Shape>(path: string, shape: z.ZodType<Shape>, query: Fields = {}): Promise<Shape> {
    const search = formOf(query).toString();
    return this.#ask(search === "" ? path : `${path}?${search}`, { method: "GET" }, shape);
  }

  /** With a key, a request that is repeated within a day is done once. */
  post<Shape>(path: string, shape: z.ZodType<Shape>, fields: Fields = {}, key?: string): Promise<Shape> {
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    return this.#ask(path, { method: "POST", headers, body: formOf(fields) }, shape);
  }

  /** @throws StripeRefusal if it was refused for good, AppError SERVICE_UNAVAILABLE if it may be asked again */
  async #ask<Shape>(
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> },
    shape: z.ZodType<Shape>,
  ): Promise<Shape> {
    const { secretKey, url } = this.#settings;
    const unavailable = (facts: Record<string, unknown>, cause?: unknown) => {
      // Two are about other requests.
      if (facts["status"] !== 409 && facts["status"] !== 429) this.#failedAt = performance.now();
      return new AppError("SERVICE_UNAVAILABLE", { facts: { stripe: path.split("?")[0], ...facts }, cause });
    };
    let answer: Response;
    let body: unknown;
    try {
      answer = await fetch(new URL(path, url), {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${secretKey}`, "stripe-version": STRIPE_VERSION },
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      body = await answer.json();
    } catch (error) {
      throw unavailable({}, error);
    }
    const { status } = answer;
    if (answer.ok) {
      const parsed = shape.safeParse(body);
      if (parsed.success) {
        this.#failedAt = undefined;
        return parsed.data;
      }
      throw unavailable({ status }, parsed.error);
    }
    const refusal = Refusal.safeParse(body).data;
    // 401 and 403 are about our keys, 409 and 429 about other requests.
    const passes = status >= 500 || [401, 403, 409, 429].includes(status);
    if (passes || !refusal) throw unavailable({ status, type: refusal?.error.type, code: refusal?.error.code });
    this.#failedAt = undefined;
    throw new StripeRefusal(status, refusal);
  }
}

const formOf = (fields: Fields): URLSearchParams =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
