import type { Clock } from "@terrarium/clock";
import type { Answer, users } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Requested } from "../audit/by.ts";
import { deviceOf } from "../sessions/device-of.ts";
import type { Sessions } from "../sessions/sessions.ts";
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
  /** Where mailed links lead: never what a request says of itself. */
  pagesAt: () => string;
}

/**
 * Signs somebody in who has just proved who they are, by whatever means: opens a session, remembers the browser, and mails its owner if
 * the place is new. Every way to sign in ends here.
 * @throws AppError TOO_MANY_REQUESTS; BAD_USERNAME_PASSWORD if the account was disabled or its password replaced meanwhile
 */
export async function beginSession(
  deps: BeginDeps,
  user: UserRow,
  browser_token: string | undefined,
  from: Requested,
): Promise<Answer<typeof users.login>> {
  const { sessions, limiter, browsers } = deps;
  await limiter.take(signInsOfAccount, user.uuid);
  const isKnown = browsers.recognize(browser_token, user) !== undefined;
  return {
    token: await sessions.open(user, from, (trx) => tellOfNewPlace(trx, deps, user, isKnown, from)),
    user: presentUser(user),
    browser_token: browsers.remember(browser_token, user),
  };
}

/** A browser that is known makes no place new: it may be in a train. */
async function tellOfNewPlace(
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
