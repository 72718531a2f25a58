import type { AuditAction, AuditActor, AuditSubject } from "@terrarium/contract";
import { sentences } from "./sentences.ts";

/** The part of an action before its dot: the kind of thing that it is done to. */
export type ActionKind = AuditAction extends `${infer Kind}.${string}` ? Kind : never;
type VerbOf<Kind extends ActionKind> =
  Extract<AuditAction, `${Kind}.${string}`> extends `${Kind}.${infer Verb}` ? Verb : never;

/** What somebody did: a sentence for each action, without who did it. An action that is missing does not compile. */
const did = {
  session: { open: "Signed in", end: "Signed out, or the session ended" },
  credential: { use: "Used a session or token that is no longer valid" },
  route: { use: "Asked for what they may not do" },
  api_token: { create: "Created an API token", revoke: "Revoked an API token" },
  provisioning_token: { create: "Created a provisioning token", revoke: "Revoked a provisioning token" },
  user: {
    sign_up: "Asked for an account",
    mail_activation_link: "Mailed a link to confirm an address",
    create: "Created an account",
    enable: "Allowed somebody to sign in",
    disable: "Denied somebody access",
    set_role: "Changed somebody’s role",
    rename: "Changed a name",
    set_preferences: "Changed preferences of the web app",
    provision: "Changed or removed an account in the directory",
    mail_password_link: "Mailed a link to set a new password",
    reset_password: "Set a new password",
    delete: "Deleted an account",
    announce_deletion: "Announced that an unused account will be deleted",
    export: "Downloaded everything held on a person",
    sign_out: "Signed somebody out everywhere",
    accept_terms: "Accepted the terms and conditions",
  },
  second_factor: {
    add: "Added a second factor",
    remove: "Removed a second factor",
    use: "Confirmed a sign-in with a second factor",
    renew_codes: "Got new recovery codes",
  },
  identity: { link: "Linked a provider to sign in with", unlink: "Unlinked a provider to sign in with" },
  passkey: { add: "Added a passkey", rename: "Renamed a passkey", remove: "Removed a passkey" },
  recipe: {
    create: "Created a recipe",
    edit: "Edited a recipe",
    roll_back: "Rolled a recipe back",
    share: "Shared a recipe",
    unshare: "Stopped sharing a recipe",
    edit_share: "Edited the message of a shared recipe",
    delete: "Deleted a recipe",
  },
  hardware_profile: {
    create: "Created a hardware profile",
    edit: "Edited a hardware profile",
    delete: "Deleted a hardware profile",
  },
  os_image: { duplicate: "Duplicated an OS image", edit: "Edited an OS image", delete: "Deleted an OS image" },
  instance: {
    start: "Started a device",
    stop: "Stopped a device",
    save: "Saved a device",
    dismiss: "Dismissed a device that had ended",
    install_app: "Installed an app on a device",
  },
  invitation: {
    send: "Sent an invitation",
    cancel: "Cancelled an invitation",
    accept: "Accepted an invitation",
  },
  group: {
    create: "Created a group",
    edit: "Edited a group",
    delete: "Deleted a group",
    add_user: "Added somebody to a group",
    remove_user: "Removed somebody from a group",
  },
  organization: {
    create: "Created the organization",
    edit: "Edited the organization’s settings",
    set_license: "Set the license",
    set_limit: "Set how many devices may run at once",
    set_zone: "Set where devices run",
    require_second_factor: "Changed whether members need a second factor",
    set_sign_in_rules: "Changed how members sign in",
    set_provider: "Set the organization’s own provider to sign in with",
    remove_provider: "Removed the organization’s own provider to sign in with",
    set_groups_claim: "Set which groups people join by a claim",
    export_audit: "Exported the audit log",
    export_usage: "Exported the usage",
    import_users: "Imported users into groups",
  },
  support: { send: "Wrote to the operator of this service" },
  job: { retry: "Tried background work again", discard: "Gave up background work" },
} satisfies { [Kind in ActionKind]: { [Verb in VerbOf<Kind>]: string } };

const kinds: Record<ActionKind, string> = {
  session: "Sign-ins",
  credential: "Refused sessions and tokens",
  route: "Refused calls",
  api_token: "API tokens",
  provisioning_token: "Provisioning tokens",
  user: "Users and accounts",
  second_factor: "Second factors",
  identity: "Linked providers",
  passkey: "Passkeys",
  recipe: "Recipes",
  hardware_profile: "Hardware profiles",
  os_image: "OS images",
  instance: "Devices",
  invitation: "Invitations",
  group: "Groups",
  organization: "Organization",
  support: "Support",
  job: "Background work",
};

const subjects: Record<AuditSubject, string> = {
  session: "Session",
  api_token: "API token",
  provisioning_token: "Provisioning token",
  user: "User",
  recipe: "Recipe",
  hardware_profile: "Hardware profile",
  os_image: "OS image",
  instance: "Device",
  organization: "Organization",
  group: "Group",
  invitation: "Invitation",
  identity: "Linked provider",
  passkey: "Passkey",
};

/** Whoever has no address here. */
const actors: Record<AuditActor, string> = {
  user: "Somebody who is not a member",
  token: "A token of somebody who is not a member",
  provisioning: "The organization’s directory",
  operator: "The operator of this service",
  service: "Terrarium",
  nobody: "Somebody who was not signed in",
};

/** What managers see of their organization’s audit log. */
export const audit = sentences({
  audit: {
    table: "Audit log",
    filter: "Search people who acted",
    columns: {
      when: "When",
      what: "What",
      who: "Who",
      whom: "To whom or what",
      from: "From",
      actions: "Details",
    },
    columnsLead: "Choose what the table shows of your organization’s audit log.",
    did,
    /** What was refused, where the sentence above would be wrong. */
    refusedTo: { session: { open: "Tried to sign in" } },
    wasRefused: "Refused",
    kinds: { label: "Kind of action", any: "Any action", ...kinds },
    outcomes: { label: "Outcome", any: "Any outcome", done: "Done", refused: "Refused" },
    since: "From day",
    until: "To day",
    subject: { label: "Only what happened to {{id}}", all: "Show what happened to everything" },
    subjects,
    actors,
    byToken: "API token",
    details: {
      at: "Time",
      action: "Action",
      actor: "Who",
      credential: "Session or token",
      subject: "To whom or what",
      address: "From",
      request: "Request",
      byThem: "Show what this person did",
      toIt: "Show what happened to this",
    },
    export: {
      label: "Export",
      busy: "Exporting",
      csv: "For spreadsheets (CSV)",
      jsonl: "For programs (JSON lines)",
      done: "The audit log was saved as {{name}}.",
      failed: "The audit log was not exported. Try again.",
      tooMany: "The audit log was exported too often. Try again in an hour.",
    },
    empty: {
      title: "Nothing has happened yet",
      help: "What members of your organization do appears here, with when and from where they did it.",
    },
    noMatch: {
      title: "Nothing was recorded that matches",
      help: "People are searched by name and email address. Days are those of your time zone.",
      older: "Nothing older was recorded",
      olderHelp: "Records are kept for as long as the operator of this service has set.",
    },
    failed: "What is recorded is safe. Try again in a moment.",
  },
  errors: { fetchAudit: "The audit log did not load." },
});
