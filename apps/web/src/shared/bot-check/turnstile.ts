import type { BotCheck } from "./bot-check.ts";

const SCRIPT = "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit";

/** https://developers.cloudflare.com/turnstile/get-started/client-side-rendering/ */
interface Api {
  render(
    element: HTMLElement,
    options: {
      sitekey: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => boolean;
    },
  ): string;
  reset(widget: string): void;
  remove(widget: string): void;
}
declare global {
  interface Window {
    turnstile?: Api;
  }
}

/** Cloudflare Turnstile, which shows something in the form. Its tokens expire; it asks for new ones by itself. */
export class Turnstile implements BotCheck {
  readonly #siteKey: string;
  #token = aToken();
  #widget: { api: Api; id: string } | undefined;
  /** Tries again what did not load. */
  #retry: (() => void) | undefined;

  constructor(siteKey: string) {
    this.#siteKey = siteKey;
  }

  prepare(): void {}

  async take(): Promise<string> {
    this.#retry?.();
    const token = await this.#token.promise;
    this.#renew();
    this.#widget?.api.reset(this.#widget.id);
    return token;
  }

  /** Shows it in an element until the signal aborts. */
  async show(element: HTMLElement, signal: AbortSignal): Promise<void> {
    this.#retry = undefined;
    const api = await loadApi().catch((error: unknown) => {
      this.#fail(error);
      this.#retry = () => {
        this.#renew();
        void this.show(element, signal);
      };
    });
    if (!api || signal.aborted) return;
    const id = api.render(element, {
      sitekey: this.#siteKey,
      callback: (token) => this.#token.resolve(token),
      "expired-callback": () => this.#renew(),
      "error-callback": () => {
        // It tries again by itself.
        this.#fail(new Error("Turnstile failed"));
        this.#renew();
        return true;
      },
    });
    this.#widget = { api, id };
    signal.addEventListener("abort", () => api.remove(id), { once: true });
  }

  #renew(): void {
    this.#token = aToken();
  }

  #fail(error: unknown): void {
    this.#token.reject(error);
  }
}

function aToken() {
  const token = Promise.withResolvers<string>();
  // Whoever takes it gets the error.
  token.promise.catch(() => undefined);
  return token;
}

function loadApi(): Promise<Api> {
  if (window.turnstile) return Promise.resolve(window.turnstile);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.addEventListener("load", () => (window.turnstile ? resolve(window.turnstile) : reject(new Error(SCRIPT))));
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(SCRIPT));
    });
    document.head.append(script);
  });
}
