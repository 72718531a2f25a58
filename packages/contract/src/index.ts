import { accounts } from "./accounts.ts";
import { apiTokens } from "./api-tokens.ts";
import { groups } from "./groups.ts";
import { audit } from "./audit.ts";
import { budgets } from "./budgets.ts";
import { captures } from "./captures.ts";
import { replayLinks } from "./replay-links.ts";
import { imports } from "./imports.ts";
import { hardwareProfiles } from "./hardware-profiles.ts";
import { instances } from "./instances.ts";
import { invitations } from "./invitations.ts";
import { liveSessions } from "./live-sessions.ts";
import { invoices } from "./invoices.ts";
import { mailbox } from "./mailbox.ts";
import { operator } from "./operator.ts";
import { operatorBilling } from "./operator-billing.ts";
import { organizations } from "./organizations.ts";
import { osImages } from "./os-images.ts";
import { passkeys } from "./passkeys.ts";
import { billingAddresses, cards, paymentMethods, payments } from "./payments.ts";
import { passwords } from "./passwords.ts";
import { profile } from "./profile.ts";
import { provisioning } from "./provisioning.ts";
import { recipes } from "./recipes.ts";
import { secondFactor } from "./second-factor.ts";
import { sessions } from "./sessions.ts";
import { settings } from "./settings.ts";
import { shares } from "./shares.ts";
import { showcase } from "./showcase.ts";
import { signInRules } from "./sign-in-rules.ts";
import { sso } from "./sso.ts";
import { subscriptions } from "./subscriptions.ts";
import { support } from "./support.ts";
import { trials } from "./trials.ts";
import { usage } from "./usage.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

/** Every route of the service, by noun. The server's handlers, the SDK and the OpenAPI document are derived from it. */
export const contract = {
  users,
  accounts,
  sessions,
  secondFactor,
  passwords,
  passkeys,
  signInRules,
  provisioning,
  sso,
  invitations,
  profile,
  organizations,
  groups,
  imports,
  recipes,
  shares,
  hardwareProfiles,
  osImages,
  instances,
  liveSessions,
  captures,
  replayLinks,
  apiTokens,
  settings,
  support,
  trials,
  mailbox,
  showcase,
  audit,
  usage,
  budgets,
  subscriptions,
  invoices,
  operator,
  operatorBilling,
  webhooks,
  cards,
  paymentMethods,
  billingAddresses,
  payments,
} as const;
export type Contract = typeof contract;

export { accounts, Puzzle } from "./accounts.ts";
export { ApiToken, apiTokens } from "./api-tokens.ts";
export { audit, AuditEntry, type AuditFilter } from "./audit.ts";
export * from "./billing.ts";
export * from "./audit-actions.ts";
export { copyOf } from "./copy-of.ts";
export { AppError, type ErrorCode, errors, type FieldError, isErrorCode } from "./errors.ts";
export { showcase } from "./showcase.ts";
export {
  type CatalogueChange,
  type Channel,
  channelAliases,
  eventNames,
  type EventOf,
  events,
  type GroupsChange,
  type LiveSessionChange,
  socketPath,
  Subscribe,
  type OrganizationChange,
  type UserChange,
} from "./events.ts";
export { countries } from "./countries.ts";
export * from "./field-rules.ts";
export {
  Arch,
  architectures,
  Email,
  FormFactor,
  formFactors,
  isIdentifierIssue,
  Name,
  type Ordering,
  type Paging,
  Password,
} from "./fields.ts";
export { Budget, type BudgetBody, type BudgetChange, budgets, MonthUse } from "./budgets.ts";
export { Capture, captureKinds, type CaptureKind, captures, captureTypes } from "./captures.ts";
export { Group, GroupBody, GroupChange, groups } from "./groups.ts";
export {
  CreateHardwareProfile,
  displayCountError,
  EditHardwareProfile,
  HardwareProfile,
  hardwareProfiles,
  type StoredDisplay,
} from "./hardware-profiles.ts";
export * from "./hardware-rules.ts";
export * from "./import-rules.ts";
export { imports } from "./imports.ts";
export * from "./instance-life.ts";
export {
  InstalledApp,
  Instance,
  InstanceChange,
  instances,
  type SaveAction,
  type SaveError,
  saveErrors,
  SaveInstance,
} from "./instances.ts";
export { Invitation, invitations, InviteOutcome } from "./invitations.ts";
export { InvoiceDetail, InvoiceLine, invoices, Payment } from "./invoices.ts";
export * from "./limits.ts";
export { LiveSession, liveSessions, type Participant } from "./live-sessions.ts";
export { mailbox, StoredMail } from "./mailbox.ts";
export { Job, OperatedOrganization, OperatedPerson, operator, type Possibility } from "./operator.ts";
export {
  type BillingRun,
  OperatedBilling,
  type OperatedPrices,
  operatorBilling,
  type ServiceClock,
} from "./operator-billing.ts";
export { openApiDocument } from "./openapi.ts";
export { Address, isDedicatedZone, Organization, organizations, Timeouts } from "./organizations.ts";
export { OsImage, osImages, statuses } from "./os-images.ts";
export { type CompleteRecipe, isComplete } from "./complete-recipe.ts";
export * from "./plan-life.ts";
export * from "./prices.ts";
export * from "./quota-rules.ts";
export { Recipe, type RecipeAction, recipeActions, type RecipeRight, recipeRights } from "./recipe.ts";
export { EditRecipe, RecipeBody, recipes, recipeSources, StartInstance } from "./recipes.ts";
export { type NewCredential, Passkey, passkeys, type UsedCredential } from "./passkeys.ts";
export { passwords } from "./passwords.ts";
export {
  BillingAddress,
  billingAddresses,
  Card,
  cards,
  type CardSetup,
  DEFAULT_ADDRESS_NAME,
  PaymentMethod,
  paymentMethods,
  type PaymentProviderName,
  payments,
} from "./payments.ts";
export { Deletion, profile } from "./profile.ts";
export { Provisioning, provisioning, ProvisioningToken } from "./provisioning.ts";
export {
  type ArrivingBody,
  type Body,
  type BytesReply,
  type Content,
  type FileField,
  type FormBody,
  isJson,
  type RawBody,
  type ReceivedFile,
  type StreamBody,
} from "./payloads.ts";
export * from "./replay.ts";
export { replayLinks } from "./replay-links.ts";
export {
  type Access,
  type Answer,
  type Audited,
  basePath,
  type Received,
  type Reply,
  type Route,
  routes,
  type Sent,
  wireOf,
  type WireRoute,
} from "./routes.ts";
export { includesScope, type Scope, scopeOf, scopes } from "./scopes.ts";
export { secondFactor, SecondFactors, TotpSetup } from "./second-factor.ts";
export { sessions, SignInSession } from "./sessions.ts";
export { CurrentSettings, Offer, PublicSettings, settings } from "./settings.ts";
export { Share, ShareBody, ShareChange, shares } from "./shares.ts";
export { localPath } from "./local-path.ts";
export * from "./sandbox-cards.ts";
export { SignInRules, signInRules } from "./sign-in-rules.ts";
export { Identity, sso } from "./sso.ts";
export { Balance, PlanUsage, subscriptions } from "./subscriptions.ts";
export { support } from "./support.ts";
export { PlanRequest, PremiumRequest, TrialRequest, trials } from "./trials.ts";
export { LeftOn, Overview, type Period, Usage, usage, type Use } from "./usage.ts";
export { statusOf, type UserStatus } from "./user-status.ts";
export type { UiNode } from "./ui-node.ts";
export { type BegunSession, type ListedUser, Person, Session, User, users } from "./users.ts";
export { vatNumber, vatNumberOf } from "./vat-numbers.ts";
export * from "./webhook-events.ts";
export { Webhook, WebhookAttempt, webhookData, type WebhookDelivery, webhookPayload, webhooks } from "./webhooks.ts";
export { wire } from "./wire.generated.ts";
