const SCRIPT = "https://js.stripe.com/v3/";

interface Refusal {
  message?: string;
}
interface Elements {
  create(type: "payment"): { mount(element: HTMLElement): void; destroy(): void };
  submit(): Promise<{ error?: Refusal }>;
}
interface PaymentIntent {
  status: string;
  last_payment_error?: { payment_method?: { id: string } } | null;
}

/** What we use of Stripe.js. https://docs.stripe.com/js */
export interface Stripe {
  elements(options: { clientSecret: string; appearance: { theme: "stripe" | "night" } }): Elements;
  confirmSetup(options: {
    elements: Elements;
    redirect: "if_required";
    confirmParams: { return_url: string };
  }): Promise<{ setupIntent?: { payment_method: string | { id: string } | null }; error?: Refusal }>;
  retrievePaymentIntent(clientSecret: string): Promise<{ paymentIntent?: PaymentIntent; error?: Refusal }>;
  confirmCardPayment(
    clientSecret: string,
    data?: { payment_method: string },
  ): Promise<{ paymentIntent?: PaymentIntent; error?: Refusal }>;
}
declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

let loading: Promise<void> | undefined;

/** Stripe's script, which comes from Stripe alone, and is loaded when somebody first needs it. */
export async function loadStripe(publishableKey: string): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  await loading;
  if (!window.Stripe) throw new Error(SCRIPT);
  return window.Stripe(publishableKey);
}

function load(): Promise<void> {
  if (window.Stripe) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      script.remove();
      reject(new Error(SCRIPT));
    });
    document.head.append(script);
  });
}
