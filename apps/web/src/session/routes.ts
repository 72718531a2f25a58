import type { Glyph } from "../components/Icon.tsx";
import type { common } from "../en/common.ts";

/** Can be switched off: their address leads home then, and nothing leads to them. */
const hasGroups: boolean = true;

/** The titles of pages. */
export type PageTitle = Exclude<keyof typeof common.titles, "page">;

/** A screen: where it is, and what the guards must know of it. */
export interface RouteRules {
  path: string;
  /** Its file in `features`, if the router opens it by that. */
  page?: string;
  /** Its own name by default. */
  title?: PageTitle;
  /** Without navigation around it. */
  isWhole?: boolean;
  /** Open to anyone. */
  isPublic?: boolean;
  /** Signed-in people have no business here and go to the launchpad. */
  signedOutOnly?: boolean;
  managerOnly?: boolean;
  /** For whoever runs the service, who may enter nothing else but what says `alsoOperators`, is public, or is on the way in. */
  operatorOnly?: boolean;
  alsoOperators?: boolean;
  notForGuests?: boolean;
  /** Switched off by a flag. */
  isDisabled?: boolean;
  /** Stays open to people who have not accepted the terms. */
  beforeTerms?: boolean;
  /** Stays open to signed-out visitors although it is not public. */
  exempt?: boolean;
}

export const launchpad = "/launchpad";
/** Where an operator is at home. */
export const operatorHome = "/operator";

/** The rules of every screen; navigation and palette show the main ones in this order. */
export const routeRules = {
  home: { path: "/", isPublic: true, signedOutOnly: true, page: "home/HomePage" },
  homeAlias: { path: "/index.html", isPublic: true, signedOutOnly: true, title: "home", page: "home/HomePage" },
  signIn: { path: "/signin", isPublic: true, signedOutOnly: true },
  signUpConfirm: { path: "/signup-confirm", isPublic: true, signedOutOnly: true, page: "sign-up/SignUpConfirmPage" },
  ssoCallback: {
    path: "/signin/sso/oauth/:provider",
    isPublic: true,
    beforeTerms: true,
    title: "signIn",
    page: "sso/SsoCallbackPage",
  },
  join: { path: "/join/:token", isPublic: true, signedOutOnly: true, page: "invitations/JoinPage" },
  forgotPassword: {
    path: "/password-reset",
    isPublic: true,
    signedOutOnly: true,
    page: "passwords/ForgotPasswordPage",
  },
  newPassword: {
    path: "/password-reset/new/:key",
    isPublic: true,
    beforeTerms: true,
    page: "passwords/NewPasswordPage",
  },
  mailbox: { path: "/mailbox", isPublic: true, beforeTerms: true, page: "mailbox/MailboxPage" },
  mail: { path: "/mailbox/:uuid", isPublic: true, beforeTerms: true, title: "mailbox", page: "mailbox/MailboxPage" },
  replay: { path: "/replay/:key", isPublic: true, beforeTerms: true, page: "replays/ReplayPage" },
  launchpad: { path: launchpad, page: "instances/LaunchpadPage" },
  liveSessions: { path: `${launchpad}/live-sessions`, page: "live-sessions/LiveSessionsPage" },
  instance: { path: "/instance/:uuid", page: "display/DisplayPage", isWhole: true },
  instanceStop: { path: "/instance/:uuid/stop", page: "display/DisplayPage", isWhole: true },
  instanceSave: { path: "/instance/:uuid/save", page: "display/DisplayPage", isWhole: true },
  sideBySide: { path: "/devices/side-by-side", page: "display/SideBySidePage", isWhole: true },
  device: { path: "/device/:uuid", title: "instance", page: "display/DevicePage" },
  liveSession: { path: "/live-session/:uuid", page: "live-sessions/LiveSessionPage", isWhole: true },
  captures: { path: "/captures", notForGuests: true, page: "captures/CapturesPage" },
  recipes: { path: "/recipes", page: "recipes/RecipesPage" },
  start: { path: "/start/:uuid", page: "recipes/StartPage", isWhole: true },
  hardwareProfiles: { path: "/hardware-profiles", notForGuests: true, page: "hardware-profiles/HardwareProfilesPage" },
  images: { path: "/images", notForGuests: true, page: "os-images/OsImagesPage" },
  api: { path: "/api", notForGuests: true, page: "api-tokens/ApiTokensPage" },
  activate: { path: "/activate", notForGuests: true, page: "program-sign-ins/ActivatePage", isWhole: true },
  profile: { path: "/profile", alsoOperators: true, page: "profile/ProfilePage" },
  /** Leads to the first of its sections. */
  administration: { path: "/administration", managerOnly: true },
  dashboard: { path: "/administration/dashboard", managerOnly: true, page: "dashboard/DashboardPage" },
  users: { path: "/administration/users", managerOnly: true, page: "users/UsersPage" },
  groups: { path: "/administration/groups", managerOnly: true, isDisabled: !hasGroups, page: "groups/GroupsPage" },
  billing: { path: "/administration/billing", managerOnly: true, page: "billing/BillingPage" },
  settings: { path: "/administration/settings", managerOnly: true, page: "organization/SettingsPage" },
  invoices: { path: "/administration/invoices", managerOnly: true, page: "invoices/InvoicesPage" },
  invoice: { path: "/administration/invoices/:uuid", managerOnly: true, page: "invoices/InvoicePage" },
  webhooks: { path: "/administration/webhooks", managerOnly: true, page: "webhooks/WebhooksPage" },
  webhook: { path: "/administration/webhooks/:uuid", managerOnly: true, page: "webhooks/WebhookPage" },
  audit: { path: "/administration/audit", managerOnly: true, page: "audit/AuditPage" },
  operator: { path: operatorHome, operatorOnly: true, page: "operator/OverviewPage" },
  operatedOrganizations: { path: "/operator/organizations", operatorOnly: true, page: "operator/OrganizationsPage" },
  operatedOrganization: {
    path: "/operator/organizations/:uuid",
    operatorOnly: true,
    page: "operator/OrganizationPage",
  },
  operatedOrganizationBilling: {
    path: "/operator/organizations/:uuid/billing",
    operatorOnly: true,
    page: "operator/OrganizationBillingPage",
  },
  operatedRequests: { path: "/operator/requests", operatorOnly: true, page: "operator/RequestsPage" },
  operatedBilling: { path: "/operator/billing", operatorOnly: true, page: "operator/BillingRunPage" },
  operatedJobs: { path: "/operator/jobs", operatorOnly: true, page: "operator/JobsPage" },
  operatedGateways: { path: "/operator/gateways", operatorOnly: true, page: "operator/GatewaysPage" },
  operatedCatalogue: { path: "/operator/catalogue", operatorOnly: true, page: "operator/CataloguePage" },
  update: { path: "/update/:id", isPublic: true, beforeTerms: true, page: "updates/UpdatePage" },
  terms: { path: "/terms-and-conditions", beforeTerms: true, page: "terms/TermsPage", isWhole: true },
  legalTerms: {
    path: "/legal/terms-and-conditions",
    isPublic: true,
    beforeTerms: true,
    title: "terms",
    page: "legal/LegalTermsPage",
  },
  legalPrivacy: {
    path: "/legal/privacy-policy",
    isPublic: true,
    beforeTerms: true,
    title: "privacy",
    page: "legal/PrivacyPage",
  },
  docs: { path: "/docs", isPublic: true, beforeTerms: true, page: "docs/DocsPage" },
  doc: { path: "/docs/:name", isPublic: true, beforeTerms: true, title: "docs", page: "docs/DocsPage" },
  status: { path: "/status", isPublic: true, beforeTerms: true, page: "status/StatusPage" },
  oops: { path: "/oops", isPublic: true, beforeTerms: true, exempt: true },
} as const satisfies Record<string, RouteRules>;

export type ScreenName = keyof typeof routeRules;

/** A screen that navigation and palette lead to, with its picture. Features have theirs in a `navigation.ts`. */
export type MainScreen = readonly [ScreenName & (PageTitle | "administration"), Glyph];
