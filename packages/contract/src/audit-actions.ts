/**
 * Everything that the audit log records: what somebody tried to do, to which kind of thing. The record's `outcome` tells whether it
 * was done or refused. This is the only list.
 */
export const auditActions = [
  // A sign-in and its end: by its owner, or because of its age
  "session.open",
  "session.end",
  // A call with a token that has expired, was forged, or no longer works
  "credential.use",
  // A call that the caller may not make
  "route.use",
  "api_token.create",
  "api_token.revoke",
  // What an organization's directory provisions people with
  "provisioning_token.create",
  "provisioning_token.revoke",
  // Somebody who has no account yet wants one, and is mailed a link that confirms the address
  "user.sign_up",
  "user.mail_activation_link",
  "user.create",
  "user.enable",
  "user.disable",
  "user.set_role",
  // By the person themselves; the names are not recorded
  "user.rename",
  // What the web app remembers of somebody; not what it is
  "user.set_preferences",
  // What the directory of their organization calls them, or that it has removed them
  "user.provision",
  // A link to set a new password, mailed to the user who is its subject
  "user.mail_password_link",
  "user.reset_password",
  // By the person themselves, or because nobody has used it for long, which was announced to them before
  "user.delete",
  "user.announce_deletion",
  // Everything that is held on a person, given to them
  "user.export",
  // The end of all sessions, all API tokens, or both
  "user.sign_out",
  "user.accept_terms",
  // What somebody has besides their password; its use, also of a recovery code, confirms a sign-in
  "second_factor.add",
  "second_factor.remove",
  "second_factor.use",
  "second_factor.renew_codes",
  // A way of signing in with a provider
  "identity.link",
  "identity.unlink",
  "passkey.add",
  "passkey.rename",
  "passkey.remove",
  "recipe.create",
  "recipe.edit",
  "recipe.roll_back",
  // The people and organizations that it is then shared with, or no longer
  "recipe.share",
  "recipe.unshare",
  // Its message
  "recipe.edit_share",
  "recipe.delete",
  "hardware_profile.create",
  "hardware_profile.edit",
  "hardware_profile.delete",
  "os_image.duplicate",
  "os_image.edit",
  "os_image.delete",
  // Asked for by somebody: what devices do by themselves is in their history
  "instance.start",
  "instance.stop",
  "instance.save",
  "instance.dismiss",
  // It runs longer, though its time was nearly up
  "instance.extend",
  "instance.install_app",
  // By its owner with what is beside its screen, or over adb: which package or path, never what is in it
  "instance.uninstall_app",
  "instance.clear_app",
  "instance.open_shell",
  "instance.open_adb",
  "instance.upload_file",
  "instance.download_file",
  "instance.delete_file",
  // A screenshot or a recording of a device, kept on the server; it is the subject
  "capture.create",
  "capture.delete",
  // A replay is shown to whoever has a link; no longer
  "capture.share",
  "capture.unshare",
  // A live session begins or ends; the people who then take part, or no longer
  "instance.share",
  "instance.unshare",
  // Whether a participant may touch it, or only watch
  "instance.set_control",
  // Mailed, for the first time or again
  "invitation.send",
  "invitation.cancel",
  "invitation.accept",
  "group.create",
  "group.edit",
  "group.delete",
  // A person joins a group, or leaves it; the person is the subject
  "group.add_user",
  "group.remove_user",
  "organization.create",
  // By its managers: what invoices say, where devices run and when they stop; personal fields are named only
  "organization.edit",
  // By the operator: what it pays by, whether it may start devices, and until when
  "organization.set_license",
  "organization.set_limit",
  // By the operator: a tax rate of its own, or none
  "organization.set_tax",
  "organization.set_zone",
  // Whether its members need a second factor
  "organization.require_second_factor",
  // Which ways are allowed, for how long, and from which other pages
  "organization.set_sign_in_rules",
  // Its own OpenID provider
  "organization.set_provider",
  "organization.remove_provider",
  // People whom a file lists are put into groups; how many of its lines came to what
  "organization.import_users",
  // By which claim of its own provider people join which groups
  "organization.set_groups_claim",
  // Its audit log, as a file
  "organization.export_audit",
  // The runs of its devices, as a file
  "organization.export_usage",
  // A plan of an organization: by its managers, or by the service when an invoice stays unpaid
  "subscription.start",
  "subscription.edit",
  "subscription.cancel",
  // By the operator, as agreed
  "subscription.set_price",
  // By the operator: what the service costs from now on
  "price.edit",
  // By the operator: outside of the payment provider, and with a credit note
  "invoice.mark_paid",
  "invoice.refund",
  // Free minutes, by the operator
  "organization.grant_minutes",
  // By hand, besides what the service bills by itself; how many invoices
  "billing.run",
  // By hand, as its automatic payment failed
  "invoice.pay",
  // How much an organization, a group or a person may use in a month; or an hour more before devices stop for it
  "budget.create",
  "budget.edit",
  "budget.delete",
  "budget.extend",
  "webhook.create",
  // By a manager; or disabled by the service, as it has failed for days
  "webhook.edit",
  "webhook.delete",
  "webhook.rotate_secret",
  "webhook.test",
  "webhook.replay",
  "card.add",
  "card.set_default",
  "card.delete",
  // Where the organization is billed; not the address
  "billing_address.add",
  "billing_address.edit",
  // What an organization asks the operator for, and what becomes of it
  "trial.request",
  "trial.approve",
  "trial.reject",
  "premium.request",
  "premium.approve",
  "premium.reject",
  // A message to the operator
  "support.send",
  // The date of a demonstration, forward
  "clock.move",
  // A device that was there already became an official recipe
  "catalogue.offer",
  // Background work that failed: once more, or no longer
  "job.retry",
  "job.discard",
  // No new devices for it
  "gateway.drain",
  "gateway.undrain",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The part of an action before its dot: the kind of thing that it is done to. */
export type AuditKind = AuditAction extends `${infer Kind}.${string}` ? Kind : never;

/** The kinds of which the audit log names one. */
export type AuditSubject = Exclude<
  AuditKind,
  | "billing"
  | "catalogue"
  | "clock"
  | "credential"
  | "gateway"
  | "job"
  | "premium"
  | "price"
  | "route"
  | "second_factor"
  | "support"
  | "trial"
>;

/**
 * `provisioning` is the directory of an organization, `operator` is whoever uses the operator tool or the operator’s console, `service` is
 * Terrarium itself, `nobody` has not signed in.
 */
export type AuditActor = "user" | "token" | "provisioning" | "operator" | "service" | "nobody";

export type AuditOutcome = "done" | "refused";
