import { QueryClient } from "@tanstack/react-query";
import { AppError, createClient } from "@terrarium/sdk";
import { createMutationCache } from "../components/mutation.ts";
import { noteServiceTime } from "../components/service-time.ts";
import { showsNewRights, userRefresher } from "./fresh-user.ts";
import { SessionStore } from "./session.ts";
import { endsSession } from "./unauthorized.ts";

export const session = new SessionStore(localStorage);

export const client = createClient({
  // Queries repeat themselves.
  retries: 0,
  token: () => {
    session.sync();
    return session.current?.token;
  },
  onToken: (token) => session.renew(token),
  onTime: noteServiceTime,
  onError: (error, route, sent) => {
    if (endsSession(error, route)) session.refused(sent);
    else if (showsNewRights(error, route)) void refreshUser();
  },
});

/** Reads the signed-in user again; the guards act on what changed. */
export const refreshUser = userRefresher(session, (uuid) => client.users.get({ params: { uuid } }));

/** Leaves by one's own wish. Whatever the service answers, this browser forgets the session. */
export async function signOut(): Promise<void> {
  await client.users.signout().catch(() => undefined);
  session.close({ bySelf: true });
}

/** A refusal is final; only what may be a hiccup is asked again. */
const mayHelpToAskAgain = (error: unknown): boolean => !(error instanceof AppError) || error.status >= 500;

export const queryClient = new QueryClient({
  mutationCache: createMutationCache(),
  defaultOptions: {
    queries: {
      retry: (count, error) => count < 2 && mayHelpToAskAgain(error),
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

/** Whose data the cache holds. What was fetched for one person is never shown to the next, whichever tab they signed in from. */
let owner = session.current?.user.uuid;
session.subscribe(() => {
  const next = session.current?.user.uuid;
  if (owner !== undefined && owner !== next) queryClient.clear();
  owner = next;
});
