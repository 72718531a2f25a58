/** Limits that forms, schemas and rules share. Text lengths are in characters. */
export const limits = {
  textLength: 250,
  emailLength: 254,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  browserTokenLength: 250,
  linkKeyLength: 100,
  /** Of a ticket between the two steps of a sign-in, and of the code that is typed then. */
  ticketLength: 1000,
  confirmationCodeLength: 40,
  /** The most mails about sign-ins from new places that a person gets within an hour. */
  placeMailsPerHour: 5,
  /** Of an address that leads to or from a page of ours. */
  routeLength: 2000,
  /** How long a mailed link to set a new password works. */
  passwordLinkHours: 24,
  /** How long a mailed link to confirm an address works: well beyond the three days that its mail may be under way. */
  activationLinkDays: 7,
  /** Links that are mailed to one address in an hour, whoever asks for them. */
  mailedLinksPerHour: 5,
  botTokenLength: 4096,
  /** How long a puzzle for a browser can be solved. */
  puzzleMinutes: 15,
  pageSize: 12,
  pageSizeMax: 5000,
  pageMax: 1_000_000,
  searchLength: 250,
  /** The default limit for request bodies. */
  bodyBytes: 256 * 1024,
  /** The most that an operator can let an app have. The largest in any store has half of it. */
  appBytes: 8 * 1024 ** 3,
  /**
   * Of a scenario: its file, its steps, the points of a route, the places that its routes are sent in, its rounds, and how long it lasts.
   */
  scenarioBytes: 1024 ** 2,
  scenarioSteps: 200,
  scenarioNameLength: 80,
  scenarioPoints: 5000,
  scenarioFixes: 20_000,
  scenarioRounds: 1000,
  scenarioHours: 24,
  /** The most that an operator can let the captures of an organization have: what a column of numbers holds exactly. */
  captureBytes: 1024 ** 5,
  /** Of one recording, which then ends by itself and is saved. */
  recordingMinutes: 30,
  recordingBytes: 500 * 1024 ** 2,
  /** The size of each text field of a multipart form, and their number. */
  formFieldBytes: 64 * 1024,
  formFields: 100,
  idempotencyKeyLength: 255,
  /** Of all preferences of the web app of one person, as JSON. */
  frontPreferencesLength: 16 * 1024,
  apiTokens: 25,
  /** After which a program that was approved by a code asks again. */
  programTokenDays: 90,
  /** Of one organization: a second one while the first is replaced. */
  provisioningTokens: 2,
  /** Values of a claim that are mapped to groups. */
  claimGroups: 100,
  passkeys: 20,
  /** Of one organization, and below one another. */
  groups: 1000,
  groupDepth: 8,
  /** People who are added to a group, moved or removed in one call. */
  groupUsersAtOnce: 1000,
  /** People of a group who are listed with it. */
  groupUsersShown: 5,
  groupAllocationMax: 100_000,
  /** Of a file that puts people into groups. */
  importLines: 5000,
  importBytes: 10 * 1024 ** 2,
  /** How many failed lines come with the result of an import; its report has all. */
  importFailuresShown: 100,
  /** People and organizations that one recipe is shared with. */
  shareRecipients: 50,
  shareOrganizations: 20,
  shareMessageLength: 1000,
  /** Addresses that are invited in one call. */
  invitationEmails: 50,
  invitationMessageLength: 500,
  /** How long a mailed invitation works. */
  invitationDays: 30,
  supportMessageLength: 5000,
  /** Of each longer answer in a request for a trial or a plan. */
  planRequestLength: 2000,
  inactivityMinutesMax: 1440,
  /** The maximum that existing command-line clients may request. */
  runMinutesMax: 28_800,
  /** People at one device, its owner among them. */
  liveSessionMembers: 5,
  liveSessionMessageLength: 500,
  /** Addresses in one call, though fewer people fit. */
  liveSessionInvitations: 50,
  /** Of other services whose pages may sign members of an organization in. */
  allowedOrigins: 10,
  /** Likewise of those whose pages may show its devices. */
  embedOrigins: 20,
  /** Of one device, at a time. */
  embedLinks: 20,
  /** Of a period whose usage is read. */
  usageDays: 366,
  timeZoneLength: 64,
  /** Lines of an export of usage: as many as a sheet of a spreadsheet has, but for the head. */
  usageRuns: 1_000_000,
  /** People, groups or recipes that usage names; it adds up the others. */
  usageShown: 100,
  /** How many lines come with an invoice; and how many its PDF has, which then says that there are more. */
  invoiceLinesShown: 1000,
  invoiceLinesPrinted: 50_000,
  /** How long a link to the PDF of an invoice works, and one that was mailed. */
  invoiceLinkMinutes: 5,
  mailedInvoiceDays: 60,
  /** How soon an invitation ends that is listed as expiring. */
  expiringDays: 3,
  /** Devices that are listed as left on: online for this many hours, or unused for this many minutes. */
  longRunHours: 8,
  unusedMinutes: 60,
  /** Of one organization. */
  budgets: 200,
  /** Minutes, or hundredths of a currency. */
  budgetMax: 1_000_000_000,
  /** How long in advance it is announced that devices stop for a budget, or because no plan covers them. */
  stopNoticeMinutes: 10,
  /** How much longer a device runs that was about to stop by itself. */
  extensionMinutes: 60,
  /** How many of anything the operator may let an organization have. */
  operatedMax: 100_000,
  /** Cents that the operator may agree on as the price of a plan. */
  priceMax: 1_000_000,
  /** Cents: pay-as-you-go is not billed for less than a payment provider charges. */
  thresholdMin: 100,
  /** Days of a trial. */
  trialDaysMax: 3650,
  /** Free minutes that are given at once: 19 years of a device. */
  grantMax: 10_000_000,
  /** How many invoices of a billing run are listed, and how far ahead a dry run looks. */
  billedShown: 500,
  dryRunDays: 366,
  /** Ten years: enough for every rule, and not for a date that cannot be written. */
  clockMoveHours: 24 * 3650,
  /** Of one organization. */
  webhooks: 10,
  cards: 10,
  billingAddresses: 10,
  /** How long the secret before the last one still signs. */
  webhookRotationHours: 24,
  /** How long the log of a webhook goes back. */
  webhookLogDays: 14,
  /** Of each answer, in the log. */
  webhookAnswerBytes: 1024,
  /** Of an upfront plan. */
  upfrontDevices: 20,
} as const;

/** Where the devices of an organization can run. */
export const zones = ["europe", "north america", "southeast asia"] as const;
export type Zone = (typeof zones)[number];

/** Minutes without use after which a device is stopped; 0 means never. */
export const inactivityOptions = [0, 1, 15, 30, 60, 120, 360, 720, 1440] as const;
/** Minutes that a device may run; 0 means no limit. */
export const runDurationOptions = [0, 1, 15, 30, 60, 120, 360, 720, 1440] as const;
/** What a budget limits: how long devices are online, or what their metered minutes cost. */
export const budgetUnits = ["minutes", "cents"] as const;
export type BudgetUnit = (typeof budgetUnits)[number];
/** Percent of a budget, at each of which managers are notified once a month. */
export const budgetThresholds = [50, 80, 100] as const;

/**
 * How people sign in, of which an organization may allow some: `organization` is its own provider, `oidc` the one of the whole
 * installation.
 */
export const signInWays = ["password", "passkey", "google", "github-saas", "organization", "oidc"] as const;
export type SignInWay = (typeof signInWays)[number];
/** Hours after which members of an organization sign in again. The service itself lets nobody stay signed in for longer than the last. */
export const sessionHoursOptions = [1, 4, 8, 12, 24, 72, 168, 336, 720] as const;

/** How an organization pays: for what it uses, for a number of devices, or not yet. */
export const licenseTypes = ["metered", "fixed", "pending"] as const;
export type LicenseType = (typeof licenseTypes)[number];

/** Whom a trial is for. */
export const trialKinds = ["enterprise", "individual"] as const;
export type TrialKind = (typeof trialKinds)[number];
/** What an approved trial comes with: devices at once, free minutes, and days until it ends. */
export const trialTerms = {
  enterprise: { devices: 10, minutes: 1000, days: 14 },
  individual: { devices: 2, minutes: 60, days: 14 },
} as const satisfies Record<TrialKind, object>;
/** What is asked of a company that wants a trial, and not of a person. */
export const companyFields = [
  "company_name",
  "role",
  "nb_of_employees",
  "nb_of_concurrent_vd",
  "company_activity",
] as const;
/** What an organization asks the operator for. */
export const planRequestKinds = [...trialKinds, "premium"] as const;
export type PlanRequestKind = (typeof planRequestKinds)[number];
export const planRequestStates = ["REQUESTED", "APPROVED", "REJECTED"] as const;
export type PlanRequestState = (typeof planRequestStates)[number];

/** Of background work: `failed` was given up, `discarded` is a failed one that the operator wants nothing of any more. */
export const jobStates = ["waiting", "running", "failed", "discarded", "done"] as const;
export type JobState = (typeof jobStates)[number];

/** How long the link to a replay works. */
export const embedLinkHours = [1, 4, 24] as const;
export const replayLinkHours = [1, 24, 168] as const;

export const launchpadPageSizes = [5, 10, 25] as const;
export const socketReconnect = { delayMs: 3000, attempts: 10 } as const;
