import type { Session } from "@terrarium/contract";
import { createClient } from "@terrarium/sdk";
import { client } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { type Begun, randomKey } from "./begin.ts";

/** Who signs in is nobody yet: these calls carry no token but one that they are given. */
const nobody = createClient({ retries: 0 });

export interface Finished {
  /** Undefined if a provider was linked. */
  session?: Session;
  to: string | null;
}

/**
 * Finishes what a provider has led back from, and joins the organization if it was for an invitation.
 * @throws AppError
 */
export async function finishSso(page: string, search: string, begun: Begun | undefined): Promise<Finished> {
  const given = Object.fromEntries(new URLSearchParams(search));
  const query = {
    ...given,
    state: given["state"] ?? "",
    provider: begun?.provider ?? (page === "github" ? "github-saas" : page),
    // A page that began nothing has a key as well, to which nothing belongs.
    browser_key: begun?.key ?? randomKey(),
  };
  if (begun?.isLink) {
    await client.sso.link({ body: query });
    return { to: begun.to ?? null };
  }
  const { token: browser_token } = knownBrowser;
  const { route_to: to, ...session } = await nobody.sso.callback({ query: { ...query, browser_token } });
  knownBrowser.remember(session.browser_token);
  return { session: await joinInvited(session, begun), to };
}

/**
 * Joins the organization if the sign-in was for an invitation; returns the session that goes on.
 * @throws AppError
 */
export async function joinInvited(session: Session, begun: Begun | undefined): Promise<Session> {
  if (begun?.invitation === undefined) return session;
  return nobody.invitations.accept({
    params: { token: begun.invitation },
    headers: { authorization: `Bearer ${session.token}` },
    body: {},
  });
}
