/**
 * Everything that the audit log records: what somebody tried to do, to which kind of thing, as a sentence without who did it. The record's
 * `outcome` says whether it was done or refused. `many` names what is done to the kind as a whole; kinds of which a record names one have
 * `one`. This is the only list.
 */
export const auditKinds = {
  session: { many: "Sign-ins", one: "Session", did: { open: "Signed in", end: "Signed out, or the session ended" } },
  credential: { many: "Refused sessions and tokens", did: { use: "Used a session or token that is no longer valid" } },
  route: { many: "Refused calls", did: { use: "Asked for what they may not do" } },
  api_token: {
    many: "API tokens",
    one: "API token",
    did: {
      create: "Created an API token",
      revoke: "Revoked an API token",
      // For a program that asks by a code, such as the command line; what it then fetches is created
      approve: "Let a program have an API token",
      refuse: "Refused a program an API token",
    },
  },
  provisioning_token: {
    many: "Provisioning tokens",
    one: "Provisioning token",
    did: { create: "Created a provisioning token", revoke: "Revoked a provisioning token" },
  },
  user: {
    many: "Users and accounts",
    one: "User",
    did: {
      sign_up: "Asked for an account",
      mail_activation_link: "Mailed a link to confirm an address",
      create: "Created an account",
      enable: "Allowed somebody to sign in",
      disable: "Denied somebody access",
      set_role: "Changed somebody’s role",
      // By the person themselves; the names are not recorded
      rename: "Changed a name",
      // What the web app remembers of somebody; not what it is
      set_preferences: "Changed preferences of the web app",
      provision: "Changed what the directory calls somebody, or removed them from it",
      mail_password_link: "Mailed a link to set a new password",
      reset_password: "Set a new password",
      // By the person themselves, or because nobody has used it for long, which was announced to them before
      delete: "Deleted an account",
      announce_deletion: "Announced that an unused account will be deleted",
      // Everything that is held on a person, given to them
      export: "Downloaded everything held on a person",
      // The end of all sessions, all API tokens, or both
      sign_out: "Signed somebody out everywhere",
      accept_terms: "Accepted the terms and conditions",
    },
  },
  second_factor: {
    many: "Second factors",
    did: {
      // What somebody has besides their password; its use, also of a recovery code, confirms a sign-in
      add: "Added a second factor",
      remove: "Removed a second factor",
      use: "Confirmed a sign-in with a second factor",
      renew_codes: "Got new recovery codes",
    },
  },
  identity: {
    many: "Linked providers",
    one: "Linked provider",
    did: { link: "Linked a provider to sign in with", unlink: "Unlinked a provider to sign in with" },
  },
  passkey: {
    many: "Passkeys",
    one: "Passkey",
    did: { add: "Added a passkey", rename: "Renamed a passkey", remove: "Removed a passkey" },
  },
  recipe: {
    many: "Recipes",
    one: "Recipe",
    did: {
      create: "Created a recipe",
      edit: "Edited a recipe",
      roll_back: "Rolled a recipe back",
      // The people and organizations that it is then shared with, or no longer
      share: "Shared a recipe",
      unshare: "Stopped sharing a recipe",
      edit_share: "Edited the message of a shared recipe",
      delete: "Deleted a recipe",
    },
  },
  hardware_profile: {
    many: "Hardware profiles",
    one: "Hardware profile",
    did: {
      create: "Created a hardware profile",
      edit: "Edited a hardware profile",
      delete: "Deleted a hardware profile",
    },
  },
  os_image: {
    many: "OS images",
    one: "OS image",
    did: {
      add: "Added an official OS image",
      duplicate: "Duplicated an OS image",
      edit: "Edited an OS image",
      delete: "Deleted an OS image",
    },
  },
  instance: {
    many: "Devices",
    one: "Device",
    did: {
      // Asked for by somebody: what devices do by themselves is in their history
      start: "Started a device",
      stop: "Stopped a device",
      save: "Saved a device",
      dismiss: "Dismissed a device that had ended",
      extend: "Let a device run longer",
      install_app: "Installed an app on a device",
      run_scenario: "Ran a scenario on a device",
      // By its owner with what is beside its screen, or over adb: which package or path, never what is in it
      uninstall_app: "Uninstalled an app from a device",
      clear_app: "Deleted the data of an app on a device",
      open_shell: "Opened a shell on a device",
      open_adb: "Connected to a device with adb",
      upload_file: "Put a file on a device",
      download_file: "Downloaded a file from a device",
      delete_file: "Deleted a file on a device",
      // A live session begins or ends; the people who then take part, or no longer
      share: "Shared a device live",
      unshare: "Ended a live session, or somebody’s part in it",
      set_control: "Changed who may touch a shared device",
      // By a link, with which a page of another service shows it
      embed: "Made a link to show a device in other pages",
      stop_embedding: "Ended a link that showed a device in other pages",
    },
  },
  capture: {
    many: "Captures",
    one: "Capture",
    did: {
      create: "Kept a screenshot or a recording",
      delete: "Deleted a screenshot or a recording",
      share: "Shared a replay by a link",
      unshare: "Ended the link to a replay",
    },
  },
  invitation: {
    many: "Invitations",
    one: "Invitation",
    did: { send: "Sent an invitation", cancel: "Cancelled an invitation", accept: "Accepted an invitation" },
  },
  group: {
    many: "Groups",
    one: "Group",
    did: {
      create: "Created a group",
      edit: "Edited a group",
      delete: "Deleted a group",
      // A person joins a group, or leaves it; the person is the subject
      add_user: "Added somebody to a group",
      remove_user: "Removed somebody from a group",
    },
  },
  organization: {
    many: "Organization",
    one: "Organization",
    did: {
      create: "Created the organization",
      // By its managers: what invoices say, where devices run and when they stop; personal fields are named only
      edit: "Edited the organization’s settings",
      // By the operator: what it pays by, whether it may start devices, and until when
      set_license: "Set the license",
      set_limit: "Set how many devices may run at once",
      set_tax: "Set the tax",
      set_zone: "Set where devices run",
      require_second_factor: "Changed whether members need a second factor",
      set_sign_in_rules: "Changed how members sign in",
      set_provider: "Set the organization’s own provider to sign in with",
      remove_provider: "Removed the organization’s own provider to sign in with",
      import_users: "Imported users into groups",
      set_groups_claim: "Changed who joins which groups by signing in",
      export_audit: "Exported the audit log",
      export_usage: "Exported the usage",
      grant_minutes: "Granted free minutes",
    },
  },
  subscription: {
    many: "Plans",
    one: "Plan",
    did: {
      // A plan of an organization: by its managers, or by the service when an invoice stays unpaid
      start: "Started a plan",
      edit: "Changed when the plan ends",
      cancel: "Cancelled a plan",
      set_price: "Changed the price of a plan",
    },
  },
  price: { many: "Prices", did: { edit: "Changed the prices of the service" } },
  invoice: {
    many: "Invoices",
    one: "Invoice",
    did: {
      // By the operator: outside of the payment provider, and with a credit note
      mark_paid: "Marked an invoice as paid",
      refund: "Paid an invoice back",
      // By hand, as its automatic payment failed
      pay: "Paid an invoice",
    },
  },
  billing: {
    many: "Billing",
    did: {
      // By hand, besides what the service bills by itself; how many invoices
      run: "Billed what was due",
    },
  },
  budget: {
    many: "Budgets",
    one: "Budget",
    did: {
      create: "Set a budget",
      edit: "Edited a budget",
      delete: "Removed a budget",
      extend: "Let devices run longer than a budget",
    },
  },
  webhook: {
    many: "Webhooks",
    one: "Webhook",
    did: {
      create: "Created a webhook",
      // By a manager; or disabled by the service, as it has failed for days
      edit: "Edited a webhook",
      delete: "Deleted a webhook",
      rotate_secret: "Made a new secret for a webhook",
      test: "Sent a test event to a webhook",
      replay: "Sent events to a webhook once more",
    },
  },
  card: {
    many: "Cards",
    one: "Card",
    did: { add: "Added a card", set_default: "Made a card the default", delete: "Deleted a card" },
  },
  billing_address: {
    many: "Billing addresses",
    one: "Billing address",
    did: {
      // Where the organization is billed; not the address
      add: "Added a billing address",
      edit: "Edited a billing address",
    },
  },
  trial: {
    many: "Trials",
    did: { request: "Asked for a trial", approve: "Approved a trial", reject: "Rejected a trial" },
  },
  premium: {
    many: "Premium plans",
    did: { request: "Asked for a Premium plan", approve: "Approved a Premium plan", reject: "Rejected a Premium plan" },
  },
  support: { many: "Support", did: { send: "Wrote to the operator of this service" } },
  clock: { many: "Clock", did: { move: "Moved the clock forward" } },
  catalogue: { many: "Official recipes", did: { offer: "Offered a device as an official recipe" } },
  job: { many: "Background work", did: { retry: "Tried background work again", discard: "Gave up background work" } },
  zone: { many: "Zones", did: { limit: "Set how many devices a zone may have" } },
  warm_pool: {
    many: "Devices kept ready",
    did: { set: "Had devices of a recipe kept ready", remove: "Had no devices of a recipe kept ready any more" },
  },
  gateway: { many: "Gateways", did: { drain: "Had a gateway drain", undrain: "Had a gateway take devices again" } },
} as const satisfies Record<string, { many: string; one?: string; did: Record<string, string> }>;
type AuditKinds = typeof auditKinds;

/** The part of an action before its dot: the kind of thing that it is done to. */
export type AuditKind = keyof AuditKinds;

export type AuditAction = { [Kind in AuditKind]: `${Kind}.${keyof AuditKinds[Kind]["did"] & string}` }[AuditKind];
export const auditActions = Object.entries(auditKinds).flatMap(([kind, { did }]) =>
  Object.keys(did).map((verb) => `${kind}.${verb}`),
) as [AuditAction, ...AuditAction[]];

/** The kinds of which the audit log names one. */
export type AuditSubject = { [Kind in AuditKind]: AuditKinds[Kind] extends { one: string } ? Kind : never }[AuditKind];

/**
 * `provisioning` is the directory of an organization, `operator` is whoever uses the operator tool or the operator’s console, `service` is
 * Terrarium itself, `nobody` has not signed in.
 */
export type AuditActor = "user" | "token" | "provisioning" | "operator" | "service" | "nobody";

export type AuditOutcome = "done" | "refused";
