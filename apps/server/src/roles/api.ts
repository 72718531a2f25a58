import { type Contract, contract } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import { accountRoutes } from "../features/accounts/accounts.routes.ts";
import { collectInvoice } from "../features/billing/collect.ts";
import { serveMcp } from "../features/agents/mcp.ts";
import { apiTokenRoutes } from "../features/api-tokens/api-tokens.routes.ts";
import { auditRoutes } from "../features/audit/audit.routes.ts";
import { noteRefusedRequests } from "../features/audit/refused-requests.ts";
import type { Refusals } from "../features/audit/refusals.ts";
import { isEmbedOrigin } from "../features/embed-links/embed-links.ts";
import { embedLinkRoutes } from "../features/embed-links/embed-links.routes.ts";
import { serveEmbedPage } from "../features/embed-links/embed-page.ts";
import type { BotCheck } from "../features/bot-check/bot-check.ts";
import { budgetRoutes } from "../features/budgets/budgets.routes.ts";
import { captureRoutes } from "../features/captures/captures.routes.ts";
import { replayLinkRoutes } from "../features/replay-links/replay-links.routes.ts";
import { groupRoutes } from "../features/groups/groups.routes.ts";
import { hardwareProfileRoutes } from "../features/hardware-profiles/hardware-profiles.routes.ts";
import type { AccessTokens } from "../features/instances/access-tokens.ts";
import type { TurnSettings } from "../features/instances/turn.ts";
import { importRoutes } from "../features/imports/imports.routes.ts";
import { instanceRoutes } from "../features/instances/instances.routes.ts";
import { presentedInstances } from "../features/instances/present-instance.ts";
import { Snapshots } from "../features/instances/snapshots.ts";
import { invitationRoutes } from "../features/invitations/invitations.routes.ts";
import { liveSessionRoutes } from "../features/live-sessions/live-sessions.routes.ts";
import type { InvoiceLinks } from "../features/invoices/invoice-links.ts";
import { invoiceRoutes } from "../features/invoices/invoices.routes.ts";
import { Printer } from "../features/invoices/print/printer.ts";
import type { Seller } from "../features/invoices/print/printed.ts";
import { mailboxRoutes } from "../features/mailbox/mailbox.routes.ts";
import { operatorBillingRoutes } from "../features/operator/operator-billing.routes.ts";
import { operatorRoutes } from "../features/operator/operator.routes.ts";
import { organizationRoutes } from "../features/organizations/organizations.routes.ts";
import { osImageRoutes } from "../features/os-images/os-images.routes.ts";
import type { PaymentProvider } from "../features/payments/payment-provider.ts";
import type { StripeSettings } from "../features/payments/stripe-api.ts";
import type { TaxSettings } from "../features/payments/tax.ts";
import {
  billingAddressRoutes,
  cardRoutes,
  paymentMethodRoutes,
  paymentRoutes,
} from "../features/payments/payments.routes.ts";
import type { PasskeyChallenges } from "../features/passkeys/challenges.ts";
import { passkeyRoutes } from "../features/passkeys/passkeys.routes.ts";
import { passwordRoutes } from "../features/passwords/passwords.routes.ts";
import { profileRoutes } from "../features/profile/profile.routes.ts";
import { programSignInRoutes } from "../features/program-sign-ins/program-sign-ins.routes.ts";
import { provisioningRoutes } from "../features/provisioning/provisioning.routes.ts";
import { recipeRoutes } from "../features/recipes/recipes.routes.ts";
import { scenarioRoutes } from "../features/scenarios/scenarios.routes.ts";
import { serveScim } from "../features/scim/scim.ts";
import { secondFactorRoutes } from "../features/second-factor/second-factor.routes.ts";
import type { Tickets } from "../features/second-factor/tickets.ts";
import type { Actor } from "../features/sessions/actor.ts";
import { sessionGuard, type Sessions } from "../features/sessions/sessions.ts";
import { sessionRoutes } from "../features/sessions/sessions.routes.ts";
import { shareRoutes } from "../features/shares/shares.routes.ts";
import { showcaseRoutes } from "../features/showcase/showcase.routes.ts";
import type { Showcase } from "../features/showcase/showcase.ts";
import type { ShowcaseTickets } from "../features/showcase/showcase-tickets.ts";
import { type InstallationSettings, settingsRoutes } from "../features/settings/settings.routes.ts";
import type { Providers } from "../features/sso/providers.ts";
import { signInRuleRoutes } from "../features/sign-in-rules/sign-in-rules.routes.ts";
import { isAllowedOrigin } from "../features/sign-in-rules/ways.ts";
import { ssoRoutes } from "../features/sso/sso.routes.ts";
import type { SupportTarget } from "../features/support/support.ts";
import { supportRoutes } from "../features/support/support.routes.ts";
import { trialRoutes } from "../features/trials/trials.routes.ts";
import { usageRoutes } from "../features/usage/usage.routes.ts";
import { statusRoutes } from "../features/status/status.routes.ts";
import { subscriptionRoutes } from "../features/billing/subscriptions.routes.ts";
import { userRoutes } from "../features/users/users.routes.ts";
import type { KnownBrowsers } from "../features/users/known-browsers.ts";
import { webhookRoutes } from "../features/webhooks/webhooks.routes.ts";
import { Lists } from "../platform/db/lists.ts";
import type { Logger } from "../platform/log.ts";
import type { Reads } from "../platform/db/reads.ts";
import { type HandlersOf, implementAll } from "../platform/http/implement.ts";
import type { Origins } from "../platform/http/own-pages.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import { Tables } from "../platform/spreadsheets/tables.ts";
import type { OutsidePolicy } from "../platform/outbound/post-outside.ts";
import type { Sealer } from "../platform/sealer.ts";
import type { LinkingDeps } from "../features/deps.ts";

export interface ApiDeps extends LinkingDeps {
  reads: Reads;
  sessions: Sessions;
  refusals: Refusals;
  accessTokens: AccessTokens;
  browsers: KnownBrowsers;
  tickets: Tickets;
  totpSealer: Sealer;
  webhookSealer: Sealer;
  /** Where webhooks may lead. */
  webhookTargets: OutsidePolicy;
  payments: PaymentProvider;
  stripe?: StripeSettings | undefined;
  taxes: TaxSettings;
  botCheck: BotCheck;
  passkeyChallenges: PasskeyChallenges;
  invoiceLinks: InvoiceLinks;
  /** Whoever issues invoices. */
  seller: Seller;
  /** The names of the runtimes that this installation has. */
  runtimes: ReadonlySet<string>;
  /** See `ClockDeps`; not by default. */
  hasMovableClock?: boolean | undefined;
  /** See `InstanceDeps`. */
  turn?: TurnSettings | undefined;
  /** The most that an app to install may have. */
  maxAppBytes: number;
  /** What the captures of an organization may have. */
  maxCaptureBytes: number;
  files: FileStore;
  publicSettings: InstallationSettings;
  log: Logger;
  providers: Providers;
  support?: SupportTarget | undefined;
  showcase?: Showcase | undefined;
  showcaseTickets: ShowcaseTickets;
  /** How clients reach the service, if not at the address in their requests. */
  publicUrl: string | undefined;
  /** See `Origins`. */
  allowedOrigins?: readonly string[] | undefined;
  /** See `Service`. */
  checkReplies?: boolean | undefined;
}

/** The handlers of each noun. A missing noun does not compile. */
const handlersOf = (deps: ApiDeps): HandlersOf<Contract, Actor> => ({
  users: userRoutes(deps),
  accounts: accountRoutes(deps),
  sessions: sessionRoutes(deps),
  secondFactor: secondFactorRoutes(deps),
  passwords: passwordRoutes(deps),
  passkeys: passkeyRoutes(deps),
  signInRules: signInRuleRoutes(deps),
  provisioning: provisioningRoutes(deps),
  sso: ssoRoutes(deps),
  invitations: invitationRoutes(deps),
  profile: profileRoutes(deps),
  organizations: organizationRoutes(deps),
  groups: groupRoutes(deps),
  imports: importRoutes({ ...deps, tables: new Tables(deps) }),
  recipes: recipeRoutes(deps),
  shares: shareRoutes(deps),
  hardwareProfiles: hardwareProfileRoutes(deps),
  osImages: osImageRoutes(deps),
  instances: instanceRoutes({
    ...deps,
    lists: new Lists(deps.reads),
    presented: presentedInstances(new Snapshots(deps.reads)),
  }),
  scenarios: scenarioRoutes(deps),
  liveSessions: liveSessionRoutes(deps),
  embedLinks: embedLinkRoutes(deps),
  captures: captureRoutes(deps),
  replayLinks: replayLinkRoutes(deps),
  apiTokens: apiTokenRoutes(deps),
  programSignIns: programSignInRoutes(deps),
  settings: settingsRoutes(deps),
  status: statusRoutes(deps),
  support: supportRoutes(deps),
  mailbox: mailboxRoutes(deps),
  showcase: showcaseRoutes(deps),
  audit: auditRoutes(deps),
  usage: usageRoutes({ ...deps, offer: deps.publicSettings.offer }),
  budgets: budgetRoutes({ ...deps, offer: deps.publicSettings.offer }),
  subscriptions: subscriptionRoutes({ ...deps, offer: deps.publicSettings.offer }),
  invoices: invoiceRoutes({
    ...deps,
    links: deps.invoiceLinks,
    printer: new Printer(deps),
    collect: (uuid, total) => collectInvoice(deps, uuid, total),
  }),
  trials: trialRoutes(deps),
  operator: operatorRoutes(deps),
  operatorBilling: operatorBillingRoutes({
    ...deps,
    offer: deps.publicSettings.offer,
    isMovable: deps.hasMovableClock ?? false,
  }),
  webhooks: webhookRoutes(deps),
  cards: cardRoutes({ ...deps, offer: deps.publicSettings.offer }),
  paymentMethods: paymentMethodRoutes(deps),
  billingAddresses: billingAddressRoutes(deps),
  payments: paymentRoutes(deps),
});

/** Serves every route of the contract. */
export function serveApi(app: FastifyInstance, deps: ApiDeps): void {
  const { publicUrl, allowedOrigins, checkReplies } = deps;
  const isListedOrigin: Origins["isListedOrigin"] = (origin, pages) =>
    pages === "embed" ? isEmbedOrigin(deps.db, origin) : isAllowedOrigin(deps.db, origin);
  const service = { guard: sessionGuard(deps.sessions), publicUrl, allowedOrigins, checkReplies, isListedOrigin };
  noteRefusedRequests(app, deps.refusals);
  implementAll(app, contract, service, handlersOf(deps));
  serveScim(app, deps);
  serveEmbedPage(app, deps);
  serveMcp(app, { ...deps, version: deps.publicSettings.version });
}
