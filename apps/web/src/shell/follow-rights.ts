import { refreshUser, session } from "../session/client.ts";
import { routeRules } from "../session/routes.ts";
import { roleOf } from "../session/session.ts";

/** What the guards look at. */
const rights = () => session.current && `${roleOf(session.current.user)} ${session.current.user.tnc_accepted}`;

/**
 * Reads the signed-in user again, now and whenever the page comes back to the foreground, and calls `onChange` when what they may do has
 * changed, here or in another tab. Runs until `signal` aborts, or as long as the page.
 */
export function followRights(onChange: () => void, signal?: AbortSignal): void {
  let known = rights();
  const stop = session.subscribe(() => {
    const before = known;
    known = rights();
    // Whoever signs in or out here is led by the page. The page that waits for it does not notice another tab.
    if (known && before !== known && (before || (session.isOfOtherTab && location.pathname === routeRules.signIn.path)))
      onChange();
  });
  signal?.addEventListener("abort", stop);

  const refreshInView = () => {
    if (document.visibilityState === "visible") void refreshUser();
  };
  document.addEventListener("visibilitychange", refreshInView, { signal });
  refreshInView();
}
