import type { administration } from "./administration.ts";
import type { apiTokens } from "./api-tokens.ts";
import type { apps } from "./apps.ts";
import type { captures } from "./captures.ts";
import type { catalogue } from "./catalogue.ts";
import type { confirmation } from "./confirmation.ts";
import type { budgets } from "./budgets.ts";
import type { dashboard } from "./dashboard.ts";
import type { devices } from "./devices.ts";
import type { display } from "./display.ts";
import type { emails } from "./emails.ts";
import type { groups } from "./groups.ts";
import type { hardwareProfiles } from "./hardware-profiles.ts";
import type { home } from "./home.ts";
import type { imports } from "./imports.ts";
import type { invoices } from "./invoices.ts";
import type { join } from "./join.ts";
import type { launchpad } from "./launchpad.ts";
import type { legal } from "./legal.ts";
import type { legalPrivacy } from "./legal-privacy.ts";
import type { legalTerms } from "./legal-terms.ts";
import type { limits } from "./limits.ts";
import type { list } from "./list.ts";
import type { liveSessions } from "./live-sessions.ts";
import type { mailbox } from "./mailbox.ts";
import type { operator } from "./operator.ts";
import type { organization } from "./organization.ts";
import type { osImages } from "./os-images.ts";
import type { passkeys } from "./passkeys.ts";
import type { passwords } from "./passwords.ts";
import type { payments } from "./payments.ts";
import type { plans } from "./plans.ts";
import type { prove } from "./prove.ts";
import type { profile } from "./profile.ts";
import type { recipes } from "./recipes.ts";
import type { recipesPage } from "./recipes-page.ts";
import type { everywhere } from "./sentences.ts";
import type { secondFactor } from "./second-factor.ts";
import type { sessions } from "./sessions.ts";
import type { shares } from "./shares.ts";
import type { signIn } from "./sign-in.ts";
import type { audit } from "./audit.ts";
import type { botCheck } from "./bot-check.ts";
import type { signUp } from "./sign-up.ts";
import type { sso } from "./sso.ts";
import type { uploads } from "./uploads.ts";
import type { startPage } from "./start-page.ts";
import type { replay } from "./replay.ts";
import type { tools } from "./tools.ts";
import type { trial } from "./trial.ts";
import type { terms } from "./terms.ts";
import type { announcement } from "./announcement.ts";
import type { around } from "./around.ts";
import type { support } from "./support.ts";
import type { users } from "./users.ts";
import type { updates } from "./updates.ts";
import type { webhooks } from "./webhooks.ts";
import type { palette } from "./palette.ts";

/** Every sentence of the product, by the keys of the specification where it has one: a key that is missing does not compile. */
export type En = typeof everywhere &
  typeof apiTokens &
  typeof apps &
  typeof uploads &
  typeof audit &
  typeof captures &
  typeof catalogue &
  typeof confirmation &
  typeof budgets &
  typeof dashboard &
  typeof devices &
  typeof display &
  typeof emails &
  typeof groups &
  typeof hardwareProfiles &
  typeof home &
  typeof imports &
  typeof invoices &
  typeof join &
  typeof launchpad &
  typeof legal &
  typeof legalPrivacy &
  typeof legalTerms &
  typeof limits &
  typeof list &
  typeof liveSessions &
  typeof mailbox &
  typeof operator &
  typeof organization &
  typeof osImages &
  typeof passkeys &
  typeof passwords &
  typeof payments &
  typeof profile &
  typeof plans &
  typeof prove &
  typeof recipes &
  typeof recipesPage &
  typeof secondFactor &
  typeof sessions &
  typeof shares &
  typeof signIn &
  typeof botCheck &
  typeof signUp &
  typeof sso &
  typeof startPage &
  typeof terms &
  typeof replay &
  typeof tools &
  typeof trial &
  typeof announcement &
  typeof around &
  typeof support &
  typeof updates &
  typeof users &
  typeof webhooks &
  typeof palette &
  typeof administration;
