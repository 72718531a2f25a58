import type * as areas from "./en.ts";

// Each area of sentences. Only types are imported from here: the sentences are loaded with the pages that say them.
export { administration } from "./administration.ts";
export { announcement } from "./announcement.ts";
export { apiTokens } from "./api-tokens.ts";
export { apps } from "./apps.ts";
export { around } from "./around.ts";
export { audit } from "./audit.ts";
export { botCheck } from "./bot-check.ts";
export { budgets } from "./budgets.ts";
export { captures } from "./captures.ts";
export { catalogue } from "./catalogue.ts";
export { confirmation } from "./confirmation.ts";
export { dashboard } from "./dashboard.ts";
export { devices } from "./devices.ts";
export { display } from "./display.ts";
export { emails } from "./emails.ts";
export { groups } from "./groups.ts";
export { hardwareProfiles } from "./hardware-profiles.ts";
export { home } from "./home.ts";
export { imports } from "./imports.ts";
export { invoices } from "./invoices.ts";
export { join } from "./join.ts";
export { launchpad } from "./launchpad.ts";
export { legalPrivacy } from "./legal-privacy.ts";
export { legalTerms } from "./legal-terms.ts";
export { legal } from "./legal.ts";
export { limits } from "./limits.ts";
export { list } from "./list.ts";
export { liveSessions } from "./live-sessions.ts";
export { mailbox } from "./mailbox.ts";
export { operator } from "./operator.ts";
export { organization } from "./organization.ts";
export { osImages } from "./os-images.ts";
export { palette } from "./palette.ts";
export { passkeys } from "./passkeys.ts";
export { passwords } from "./passwords.ts";
export { payments } from "./payments.ts";
export { plans } from "./plans.ts";
export { profile } from "./profile.ts";
export { prove } from "./prove.ts";
export { recipesPage } from "./recipes-page.ts";
export { recipes } from "./recipes.ts";
export { replay } from "./replay.ts";
export { secondFactor } from "./second-factor.ts";
export { everywhere } from "./sentences.ts";
export { sessions } from "./sessions.ts";
export { shares } from "./shares.ts";
export { signIn } from "./sign-in.ts";
export { signUp } from "./sign-up.ts";
export { sso } from "./sso.ts";
export { startPage } from "./start-page.ts";
export { support } from "./support.ts";
export { terms } from "./terms.ts";
export { tools } from "./tools.ts";
export { trial } from "./trial.ts";
export { updates } from "./updates.ts";
export { uploads } from "./uploads.ts";
export { users } from "./users.ts";
export { webhooks } from "./webhooks.ts";

type All<Area> = (Area extends unknown ? (area: Area) => void : never) extends (area: infer Every) => void
  ? Every
  : never;

/** Every sentence of the product, by the keys of the specification where it has one: a key that is missing does not compile. */
export type En = All<(typeof areas)[keyof typeof areas]>;
