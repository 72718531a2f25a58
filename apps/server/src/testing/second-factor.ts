import type { TestClock } from "@terrarium/clock";
import { codeAt, fromBase32, stepAt } from "../features/second-factor/totp.ts";
import type { TestApp } from "./app.ts";

type Person = Awaited<ReturnType<TestApp["as"]>>;

/** An authenticator app with a secret. */
export const anApp = (clock: TestClock, secret: string) => ({
  /** The code that it shows, or will show after some steps. */
  code: (later = 0) => codeAt(fromBase32(secret), stepAt(clock.now()) + later),
});

/** Sets up an authenticator app for somebody who is signed in. Its present code is used up. */
export async function setUpTotp({ clock }: { clock: TestClock }, { user, post }: Pick<Person, "user" | "post">) {
  const path = `/v1/users/${user.uuid}/second-factor/totp`;
  const begun = (await post(`${path}/begin`, { password: user.password })).json<{
    secret: string;
    setup_ticket: string;
  }>();
  const app = anApp(clock, begun.secret);
  const added = await post(path, { setup_ticket: begun.setup_ticket, code: app.code() });
  return { ...app, recoveryCodes: added.json<{ recovery_codes: string[] }>().recovery_codes };
}

export type SignedInWith = Awaited<ReturnType<typeof setUpRequiredTotp>>;

/** Signs somebody in who has to set up a second factor first: an authenticator app, whose present code is used up. */
export async function setUpRequiredTotp(
  { call, clock }: Pick<TestApp, "call" | "clock">,
  { email, password }: { email: string; password: string },
) {
  const refused = await call("POST", "/v1/users/login", { body: { email, password } });
  const { ticket } = refused.json<{ details: { ticket: string } }>().details;
  const path = "/v1/users/login/second-factor/totp";
  const begun = (await call("POST", `${path}/begin`, { body: { ticket } })).json<{
    secret: string;
    setup_ticket: string;
  }>();
  const app = anApp(clock, begun.secret);
  const done = await call("POST", path, { body: { setup_ticket: begun.setup_ticket, code: app.code() } });
  return { ...app, token: done.json<{ token: string }>().token };
}
