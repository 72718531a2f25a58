/** What the guards must know of a screen. */
export interface RouteRules {
  path: string;
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
  /** There is no screen yet: its address is kept through sign-in and terms, and then leads home. */
  isComing?: boolean;
}

export const launchpad = "/launchpad";
/** Where an operator is at home. */
export const operatorHome = "/operator";

/** The rules of every screen. */
export const routeRules = {
  home: { path: "/", isPublic: true, signedOutOnly: true },
  homeAlias: { path: "/index.html", isPublic: true, signedOutOnly: true },
  signIn: { path: "/signin", isPublic: true, signedOutOnly: true },
  signUpConfirm: { path: "/signup-confirm", isPublic: true, signedOutOnly: true },
  ssoCallback: { path: "/signin/sso/oauth/:provider", isPublic: true, beforeTerms: true },
  join: { path: "/join/:token", isPublic: true, signedOutOnly: true },
  forgotPassword: { path: "/password-reset", isPublic: true, signedOutOnly: true },
  newPassword: { path: "/password-reset/new/:key", isPublic: true, beforeTerms: true },
  mailbox: { path: "/mailbox", isPublic: true, beforeTerms: true },
  mail: { path: "/mailbox/:uuid", isPublic: true, beforeTerms: true },
  replay: { path: "/replay/:key", isPublic: true, beforeTerms: true },
  launchpad: { path: launchpad },
  liveSessions: { path: `${launchpad}/live-sessions` },
  instance: { path: "/instance/:uuid" },
  instanceStop: { path: "/instance/:uuid/stop" },
  instanceSave: { path: "/instance/:uuid/save" },
  sideBySide: { path: "/devices/side-by-side" },
  device: { path: "/device/:uuid", isComing: true },
  liveSession: { path: "/live-session/:uuid" },
  captures: { path: "/captures", notForGuests: true },
  recipes: { path: "/recipes" },
  start: { path: "/start/:uuid" },
  hardwareProfiles: { path: "/hardware-profiles", notForGuests: true },
  images: { path: "/images", notForGuests: true },
  api: { path: "/api", notForGuests: true },
  profile: { path: "/profile", alsoOperators: true },
  /** Leads to the first of its sections. */
  administration: { path: "/administration", managerOnly: true },
  dashboard: { path: "/administration/dashboard", managerOnly: true },
  users: { path: "/administration/users", managerOnly: true },
  groups: { path: "/administration/groups", managerOnly: true },
  billing: { path: "/administration/billing", managerOnly: true },
  settings: { path: "/administration/settings", managerOnly: true },
  invoices: { path: "/administration/invoices", managerOnly: true },
  invoice: { path: "/administration/invoices/:uuid", managerOnly: true },
  webhooks: { path: "/administration/webhooks", managerOnly: true },
  webhook: { path: "/administration/webhooks/:uuid", managerOnly: true },
  audit: { path: "/administration/audit", managerOnly: true },
  operator: { path: operatorHome, operatorOnly: true },
  operatedOrganizations: { path: "/operator/organizations", operatorOnly: true },
  operatedOrganization: { path: "/operator/organizations/:uuid", operatorOnly: true },
  operatedOrganizationBilling: { path: "/operator/organizations/:uuid/billing", operatorOnly: true },
  operatedBilling: { path: "/operator/billing", operatorOnly: true },
  operatedRequests: { path: "/operator/requests", operatorOnly: true },
  operatedJobs: { path: "/operator/jobs", operatorOnly: true },
  operatedGateways: { path: "/operator/gateways", operatorOnly: true },
  operatedCatalogue: { path: "/operator/catalogue", operatorOnly: true },
  update: { path: "/update/:id", isPublic: true, beforeTerms: true },
  terms: { path: "/terms-and-conditions", beforeTerms: true },
  legalTerms: { path: "/legal/terms-and-conditions", isPublic: true, beforeTerms: true },
  legalPrivacy: { path: "/legal/privacy-policy", isPublic: true, beforeTerms: true },
  oops: { path: "/oops", isPublic: true, beforeTerms: true, exempt: true },
  components: { path: "/__components", isDisabled: true, exempt: true },
  directives: { path: "/__directives", isDisabled: true, exempt: true },
} as const satisfies Record<string, RouteRules>;

export type RouteName = keyof typeof routeRules;
/** The screens that exist. */
export type ScreenName = {
  [Name in RouteName]: (typeof routeRules)[Name] extends { isComing: true } ? never : Name;
}[RouteName];
