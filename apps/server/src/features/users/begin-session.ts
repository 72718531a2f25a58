import type { Clock } from "@terrarium/clock";
import type { Answer, users } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Requested } from "../audit/by.ts";
import { askForSecondFactor } from "../second-factor/ask.ts";
import type { Tickets } from "../second-factor/tickets.ts";
import { deviceOf } from "../sessions/device-of.ts";
import { checkWay } from "../sign-in-rules/ways.ts";
import type { Origin, Sessions } from "../sessions/sessions.ts";
import type { KnownBrowsers } from "./known-browsers.ts";
import { newPlaceMail } from "./new-place-mail.ts";
import { presentUser } from "./present-user.ts";
import { isNewPlace } from "./sign-in-places.store.ts";
import { signInsOfAccount } from "./sign-in-limits.ts";
import type { UserRow } from "./user-row.ts";

export interface BeginDeps {
  clock: Clock;
  sessions: Sessions;
  limiter: DatabaseRateLimiter;
  browsers: KnownBrowsers;
  tickets: Tickets;
  /** Where mailed links lead: never what a request says of itself. */
  pagesAt: () => string;
}

/** What has to be true besides the first proof; throws if it is not. It runs in the transaction that opens the session. */
type SecondFactor = (trx: Database, deps: BeginDeps, user: UserRow, way: string | undefined) => Promise<void>;

/**
 * For a sign-in that needs no second factor, or has proved it already: by an organization's own provider, which has rules of its own, or
 * by a passkey, which is two factors.
 */
export const noSecondFactor: SecondFactor = async () => undefined;

/**
 * Signs somebody in who has just proved who they are, by whatever means: opens a session, remembers the browser, and mails its owner if
 * the place is new. Every way to sign in ends here, and those who have a second factor are asked for it.
 * @param from.way in which they have proved it, of `signInWays`; another is refused where an organization allows only some.
 *   Undefined if they had a session in which they joined
 * @throws AppError TOO_MANY_REQUESTS, SIGN_IN_NOT_ALLOWED; BAD_USERNAME_PASSWORD if the account was disabled or its password replaced meanwhile; what
 *   `secondFactor` throws: SECOND_FACTOR_REQUIRED and SECOND_FACTOR_SETUP_REQUIRED by default
 */
export async function beginSession(
  deps: BeginDeps,
  user: UserRow,
  browser_token: string | undefined,
  from: Origin & { way: string | undefined },
  secondFactor: SecondFactor = askForSecondFactor,
): Promise<Answer<typeof users.login>> {
  const { sessions, limiter, browsers } = deps;
  const isKnown = browsers.recognize(browser_token, user) !== undefined;
  const also = async (trx: Database) => {
    if (from.way !== undefined) await checkWay(trx, user, from.way);
    await secondFactor(trx, deps, user, from.way);
    // Only now, and undone with the session: whoever knows the password alone does not use up what the owner may open.
    await limiter.within(trx).take(signInsOfAccount, user.uuid);
    await mailNewPlace(trx, deps, user, isKnown, from);
  };
  return {
    token: await sessions.open(user, from, also),
    user: presentUser(user),
    browser_token: browsers.remember(browser_token, user),
  };
}

/** A browser that is known makes no place new: it may be in a train. */
async function mailNewPlace(
  trx: Database,
  { clock, browsers, pagesAt }: BeginDeps,
  user: UserRow,
  isKnownBrowser: boolean,
  { ip: address, userAgent = "" }: Requested,
): Promise<void> {
  const at = new Date(clock.now());
  const device = deviceOf(userAgent);
  const isNew = await isNewPlace(trx, user.uuid, browsers.placeMark(user, networkOf(address), device), at);
  if (!isNew || isKnownBrowser) return;
  const mail = newPlaceMail({ email: user.email, at, device, address, url: `${pagesAt()}/profile#sessions` });
  await sendMail(trx, clock, { to: { address: user.email }, ...mail });
}
