import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { accountMigrations } from "../features/accounts/accounts.migrations.ts";
import type { AccountTables } from "../features/accounts/accounts.tables.ts";
import { apiTokenMigrations } from "../features/api-tokens/api-tokens.migrations.ts";
import type { ApiTokenTables } from "../features/api-tokens/api-tokens.tables.ts";
import { auditMigrations } from "../features/audit/audit.migrations.ts";
import type { AuditTables } from "../features/audit/audit.tables.ts";
import { billingMigrations } from "../features/billing/billing.migrations.ts";
import type { BillingTables } from "../features/billing/billing.tables.ts";
import { botCheckMigrations } from "../features/bot-check/bot-check.migrations.ts";
import type { BotCheckTables } from "../features/bot-check/bot-check.tables.ts";
import { budgetMigrations } from "../features/budgets/budgets.migrations.ts";
import type { BudgetTables } from "../features/budgets/budgets.tables.ts";
import { captureMigrations } from "../features/captures/captures.migrations.ts";
import type { CaptureTables } from "../features/captures/captures.tables.ts";
import { replayLinkMigrations } from "../features/replay-links/replay-links.migrations.ts";
import type { ReplayLinkTables } from "../features/replay-links/replay-links.tables.ts";
import { groupMigrations } from "../features/groups/groups.migrations.ts";
import type { GroupTables } from "../features/groups/groups.tables.ts";
import { hardwareProfileMigrations } from "../features/hardware-profiles/hardware-profiles.migrations.ts";
import type { HardwareProfileTables } from "../features/hardware-profiles/hardware-profiles.tables.ts";
import { invoiceMigrations } from "../features/invoices/invoices.migrations.ts";
import { instanceMigrations } from "../features/instances/instances.migrations.ts";
import type { InstanceTables } from "../features/instances/instances.tables.ts";
import { invitationMigrations } from "../features/invitations/invitations.migrations.ts";
import type { InvitationTables } from "../features/invitations/invitations.tables.ts";
import { layerMigrations } from "../features/layers/layers.migrations.ts";
import type { LayerTables } from "../features/layers/layers.tables.ts";
import { liveSessionMigrations } from "../features/live-sessions/live-sessions.migrations.ts";
import type { LiveSessionTables } from "../features/live-sessions/live-sessions.tables.ts";
import { operatorMigrations } from "../features/operator/operator.migrations.ts";
import type { OperatorTables } from "../features/operator/operator.tables.ts";
import { organizationMigrations } from "../features/organizations/organizations.migrations.ts";
import type { OrganizationTables } from "../features/organizations/organizations.tables.ts";
import { osImageMigrations } from "../features/os-images/os-images.migrations.ts";
import type { OsImageTables } from "../features/os-images/os-images.tables.ts";
import { passkeyMigrations } from "../features/passkeys/passkeys.migrations.ts";
import type { PasskeyTables } from "../features/passkeys/passkeys.tables.ts";
import { passwordMigrations } from "../features/passwords/passwords.migrations.ts";
import type { PasswordTables } from "../features/passwords/passwords.tables.ts";
import { paymentMigrations } from "../features/payments/payments.migrations.ts";
import type { PaymentTables } from "../features/payments/payments.tables.ts";
import { profileMigrations } from "../features/profile/profile.migrations.ts";
import { provisioningMigrations } from "../features/provisioning/provisioning.migrations.ts";
import type { ProvisioningTables } from "../features/provisioning/provisioning.tables.ts";
import { recipeMigrations } from "../features/recipes/recipes.migrations.ts";
import type { RecipeTables } from "../features/recipes/recipes.tables.ts";
import { scimMigrations } from "../features/scim/scim.migrations.ts";
import type { ScimTables } from "../features/scim/scim.tables.ts";
import { secondFactorMigrations } from "../features/second-factor/second-factor.migrations.ts";
import type { SecondFactorTables } from "../features/second-factor/second-factor.tables.ts";
import { sessionMigrations } from "../features/sessions/sessions.migrations.ts";
import type { SessionTables } from "../features/sessions/sessions.tables.ts";
import { shareMigrations } from "../features/shares/shares.migrations.ts";
import type { ShareTables } from "../features/shares/shares.tables.ts";
import { signInRuleMigrations } from "../features/sign-in-rules/sign-in-rules.migrations.ts";
import { ssoMigrations } from "../features/sso/sso.migrations.ts";
import type { SsoTables } from "../features/sso/sso.tables.ts";
import { trialMigrations } from "../features/trials/trials.migrations.ts";
import type { TrialTables } from "../features/trials/trials.tables.ts";
import { usageMigrations } from "../features/usage/usage.migrations.ts";
import type { UsageTables } from "../features/usage/usage.tables.ts";
import { userMigrations } from "../features/users/users.migrations.ts";
import type { UserTables } from "../features/users/users.tables.ts";
import { webhookMigrations } from "../features/webhooks/webhooks.migrations.ts";
import type { WebhookTables } from "../features/webhooks/webhooks.tables.ts";
import { clockMigrations } from "../platform/clock-shift.ts";
import { composeMigrations } from "../platform/db/migrations.ts";
import { jobMigrations } from "../platform/jobs/job-rows.ts";
import { mailMigrations } from "../platform/mail/mail-rows.ts";
import { secretMigrations } from "../platform/secrets.ts";
import { attemptMigrations } from "../platform/rate-limits/database-rate-limiter.ts";

/** All tables by name; each feature declares its own. */
export interface Schema
  extends
    AccountTables,
    ApiTokenTables,
    AuditTables,
    BillingTables,
    BotCheckTables,
    BudgetTables,
    CaptureTables,
    ReplayLinkTables,
    GroupTables,
    HardwareProfileTables,
    InstanceTables,
    InvitationTables,
    LayerTables,
    LiveSessionTables,
    OperatorTables,
    OrganizationTables,
    OsImageTables,
    PasskeyTables,
    PasswordTables,
    PaymentTables,
    ProvisioningTables,
    RecipeTables,
    ScimTables,
    SecondFactorTables,
    SessionTables,
    ShareTables,
    SsoTables,
    TrialTables,
    UsageTables,
    UserTables,
    WebhookTables {}

/** The service's database, or a transaction in it. */
export type Database = Kysely<Schema>;

/**
 * All migrations. Each module is listed after those whose tables it references. Never rename a migration or edit a released one, as
 * databases record by name which ones have run. New names sort last: `0004-what-it-does`.
 */
export const migrations: Record<string, Migration> = composeMigrations([
  organizationMigrations,
  userMigrations,
  groupMigrations,
  sessionMigrations,
  secondFactorMigrations,
  passwordMigrations,
  passkeyMigrations,
  accountMigrations,
  botCheckMigrations,
  invitationMigrations,
  ssoMigrations,
  signInRuleMigrations,
  apiTokenMigrations,
  provisioningMigrations,
  scimMigrations,
  hardwareProfileMigrations,
  osImageMigrations,
  recipeMigrations,
  shareMigrations,
  instanceMigrations,
  liveSessionMigrations,
  captureMigrations,
  replayLinkMigrations,
  usageMigrations,
  layerMigrations,
  auditMigrations,
  secretMigrations,
  attemptMigrations,
  jobMigrations,
  mailMigrations,
  clockMigrations,
  profileMigrations,
  operatorMigrations,
  webhookMigrations,
  billingMigrations,
  budgetMigrations,
  paymentMigrations,
  invoiceMigrations,
  trialMigrations,
]);
