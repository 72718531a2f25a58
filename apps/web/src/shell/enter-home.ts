import { queryClient, session } from "../session/client.ts";
import { publicSettings } from "../session/settings.ts";

/**
 * Runs once whenever a visitor comes to the public home, and nothing of it is seen there: what is left of a session that
 * is over goes, and what sign-in will show is fetched, so that the next step is there at once.
 */
export function enterHome(): void {
  session.forgetExpired();
  void queryClient.prefetchQuery(publicSettings);
}
