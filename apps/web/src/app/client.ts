import { QueryClient } from "@tanstack/react-query";
import { AppError, createClient } from "@terrarium/sdk";
import { SessionStore } from "./session.ts";
import { endsSession } from "./unauthorized.ts";

export const session = new SessionStore(localStorage);

/** Called when the service no longer knows the session; the router leads to sign-in. */
let onSessionEnd: () => void = () => undefined;
export const whenSessionEnds = (listener: () => void): void => {
  onSessionEnd = listener;
};

export const client = createClient({
  token: () => session.current?.token,
  onToken: (token) => session.renew(token),
  onError: (error, route) => {
    if (endsSession(error, route)) onSessionEnd();
  },
});

/** A refusal is final; only what may be a hiccup is asked again. */
const mayHelpToAskAgain = (error: unknown): boolean => !(error instanceof AppError) || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && mayHelpToAskAgain(error),
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});
