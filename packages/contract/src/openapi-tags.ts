import type { Contract } from "./nouns.generated.ts";

interface Tag {
  title: string;
  description: string;
}

/** The nouns of the API in the order in which somebody who reads about it wants them. A noun that is missing here does not compile. */
export const tagGroups = {
  Devices: {
    instances: { title: "Devices", description: "The devices that run, and those that have just ended." },
    scenarios: { title: "Scenarios", description: "What happens to a device over time." },
    recipes: { title: "Recipes", description: "What devices are started from: a hardware profile and an OS image." },
    shares: { title: "Shares", description: "With whom a recipe is shared." },
    hardwareProfiles: { title: "Hardware profiles", description: "Screens, processors and memory of devices." },
    osImages: { title: "OS images", description: "The Android that a device starts with." },
    liveSessions: { title: "Live sessions", description: "Devices that several people look at together." },
    embedLinks: { title: "Embed links", description: "Links with which pages of other services show a device." },
    captures: { title: "Captures", description: "Screenshots, recordings and replays of devices." },
    replayLinks: { title: "Replay links", description: "Links with which anybody can see a replay." },
  },
  "Your account": {
    users: { title: "Users", description: "Signing in and out, and the people of your organization." },
    sessions: { title: "Sessions", description: "Where you are signed in." },
    apiTokens: { title: "API tokens", description: "Credentials for programs." },
    programSignIns: { title: "Program sign-in", description: "API tokens by a code that is approved in a browser." },
    accounts: { title: "Sign-up", description: "New accounts." },
    passwords: { title: "Passwords", description: "Changing a password, and setting one that was forgotten." },
    secondFactor: { title: "Second factor", description: "Codes of an authenticator app, and recovery codes." },
    passkeys: { title: "Passkeys", description: "Signing in without a password, or after it." },
    sso: { title: "Single sign-on", description: "Signing in with an account of a provider." },
    profile: { title: "Your data", description: "Taking it with you, and deleting your account." },
  },
  "Your organization": {
    organizations: { title: "Organizations", description: "Its name, its defaults and its limits." },
    invitations: { title: "Invitations", description: "People who are to join." },
    groups: { title: "Groups", description: "Teams, with quotas of their own." },
    imports: { title: "Imports", description: "Many people at once, from a file." },
    budgets: { title: "Budgets", description: "How much of a month somebody may use." },
    usage: { title: "Usage", description: "How long devices ran, by whom and of what." },
    audit: { title: "Audit log", description: "Who did what." },
    webhooks: { title: "Webhooks", description: "Events that are sent to an address of yours." },
    signInRules: { title: "Sign-in rules", description: "How members may sign in." },
    provisioning: { title: "Provisioning", description: "People who come from your own directory." },
  },
  Billing: {
    subscriptions: { title: "Plans", description: "What your organization pays for." },
    trials: { title: "Trials", description: "Asking for a trial or a Premium plan." },
    invoices: { title: "Invoices", description: "Invoices, credit notes and their files." },
    cards: { title: "Cards", description: "Cards that are charged." },
    paymentMethods: { title: "Payment methods", description: "All ways in which your organization can pay." },
    billingAddresses: { title: "Billing addresses", description: "Who invoices are addressed to." },
    payments: { title: "Payments", description: "What payment providers and the sandbox say of payments." },
  },
  "The service": {
    settings: { title: "Settings", description: "What this installation tells everybody of itself." },
    status: { title: "Status", description: "How the service is." },
    support: { title: "Support", description: "Messages to the operator." },
    showcase: { title: "Showcase", description: "The device on the home page." },
    mailbox: { title: "Mailbox", description: "The mails of a demonstration." },
  },
  Operators: {
    operator: { title: "Operator", description: "The console of whoever runs the service." },
    operatorBilling: { title: "Operator's billing", description: "Prices, invoices and agreements." },
  },
} as const satisfies Record<string, Partial<Record<keyof Contract, Tag>>>;

type Named = { [Group in keyof typeof tagGroups]: keyof (typeof tagGroups)[Group] }[keyof typeof tagGroups];
/** Does not compile while a noun has no tag. */
export const everyNounHasTag: Exclude<keyof Contract, Named> extends never ? true : never = true;
