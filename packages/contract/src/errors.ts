/** Every error code of the API, with its HTTP status and the message for customers. docs/ERRORS.md says what to do about each. */
export const errors = {
  // The request itself
  invalid_request: { status: 400, message: "The request is not valid." },
  INVALID_IDENTIFIER: { status: 400, message: "This identifier is not valid." },
  BOTH_CREDENTIALS: { status: 400, message: "Send an API token or a bearer token, not both." },
  PAGE_TOO_LARGE: { status: 400, message: "A page holds at most 5,000 rows." },
  REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive." },
  HEADERS_TOO_LARGE: { status: 431, message: "The address or the headers of the request are too long." },
  BODY_TOO_LARGE: { status: 413, message: "The request body is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "This media type is not supported here." },
  ROUTE_NOT_FOUND: { status: 404, message: "There is no such route." },
  METHOD_NOT_ALLOWED: { status: 405, message: "This route does not support that method." },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests. Try again later." },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: "This Idempotency-Key was used with another request." },
  INTERNAL_ERROR: { status: 500, message: "An error occured." },
  SERVICE_UNAVAILABLE: { status: 503, message: "The service is not available right now. Try again in a moment." },

  // Who is calling
  NOT_AUTHENTICATED: { status: 401, message: "Sign in first." },
  BAD_USERNAME_PASSWORD: { status: 401, message: "Fail to log in" },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    message: "Pages of this address may not do this. Open the service at its own address.",
  },
  /** The password is right. */
  USER_NOT_ENABLED: { status: 403, message: "This account is not enabled." },
  /** A manager cannot enable whom the operator has disabled. */
  DISABLED_BY_OPERATOR: {
    status: 409,
    message: "The operator of this service has disabled this account. Ask the operator to enable it.",
  },
  TERMS_NOT_ACCEPTED: { status: 403, message: "Accept the terms and conditions first." },
  FORBIDDEN: { status: 403, message: "You are not allowed to do this." },

  /** `details.ticket` admits to confirm the sign-in, in one of the ways in `details.methods`, which has spaces between them. */
  SECOND_FACTOR_REQUIRED: { status: 403, message: "Confirm the sign-in." },
  /** `details.ticket` admits to set one up. */
  SECOND_FACTOR_SETUP_REQUIRED: { status: 403, message: "Your organization requires a second factor." },
  /** A ticket or a secret that was given out; also if the account has changed since. */
  SECOND_FACTOR_EXPIRED: { status: 410, message: "This sign-in has expired. Begin again." },
  /** Also for a code that was right, and was used before. */
  SECOND_FACTOR_WRONG: { status: 403, message: "This code does not work." },
  /** `details.ways` are those that the organization allows, with spaces between them; `details.organization` is its name. */
  SIGN_IN_NOT_ALLOWED: { status: 403, message: "Your organization does not allow this way to sign in." },
  /** Of the manager who wants to allow only some ways, and has none of these. */
  SIGN_IN_NEEDED: { status: 409, message: "You could not sign in yourself in any of these ways." },
  LAST_WAY_TO_SIGN_IN: {
    status: 409,
    message: "This is your last way to sign in that your organization allows.",
  },
  /**
   * Somebody without a password proves who they are by a sign-in that is not older than ten minutes. Also said to who has joined an
   * organization that does not allow the session in which they did.
   */
  SIGN_IN_AGAIN: { status: 403, message: "Sign in again." },

  // Nouns
  USER_NOT_FOUND: { status: 404, message: "User not found." },
  SESSION_NOT_FOUND: { status: 404, message: "Session not found." },
  FOUND_DEVICE_NOT_FOUND: { status: 404, message: "The device is not there, or has not said yet what it is." },
  GATEWAY_NOT_FOUND: { status: 404, message: "There is no such gateway." },
  /** Also for one that runs, or has ended well. */
  JOB_NOT_FOUND: { status: 404, message: "There is no such job to do this with." },
  MAIL_NOT_FOUND: { status: 404, message: "Mail not found." },
  /** Also for a link that was used, or that nobody was sent. */
  LINK_EXPIRED: { status: 410, message: "This link has expired." },
  ACTIVATION_LINK_INVALID: { status: 404, message: "The activation link is not valid." },
  /** With this link or with another one. */
  ACTIVATION_LINK_USED: { status: 409, message: "This address was confirmed already." },
  DISPOSABLE_EMAIL: { status: 400, message: "You may not use a disposable email." },
  BOT_CHECK_FAILED: { status: 400, message: "The check that you are no robot failed." },
  /** Of somebody who is signed in, and who is asked for it before something that cannot be taken back. */
  WRONG_PASSWORD: { status: 403, message: "This is not your password." },
  /** They sign in in another way. */
  NO_PASSWORD: { status: 409, message: "Your account has no password. Ask for a link to set one first." },
  /** `details.reason` is `members`, or `plan` if nobody else belongs to it. */
  LAST_MANAGER: {
    status: 409,
    message: "You are the only manager of your organization. Make somebody else a manager first.",
  },
  /** For a trial of a company; a free mailbox does not show which company its owner belongs to. */
  COMPANY_EMAIL_NEEDED: {
    status: 400,
    message: "Use an address of your company: free mailboxes get no enterprise trial.",
  },
  TRIAL_REQUESTED: { status: 409, message: "Your organization has asked for a trial already." },
  TRIAL_USED: { status: 409, message: "Your organization has had its trial." },
  PREMIUM_REQUESTED: { status: 409, message: "Your organization has asked for a Premium plan already." },
  PLAN_REQUEST_NOT_FOUND: { status: 404, message: "Request not found." },
  PLAN_REQUEST_DECIDED: { status: 409, message: "This request was decided already." },
  SUPPORT_NOT_AVAILABLE: { status: 404, message: "This installation has no support to write to." },
  PASSWORD_TOO_COMMON: { status: 400, message: "This password is too common. Choose another." },
  INVITATION_NOT_FOUND: { status: 404, message: "Invitation not found." },
  /** Nobody was invited. `details.emails` names them, with `, ` between them. */
  ALREADY_MEMBERS: { status: 409, message: "These people belong to your organization already." },
  INVITATION_WRONG_ACCOUNT: { status: 403, message: "This invitation is for another email address." },
  /** Shown only to whoever has proved that the account is theirs. */
  MEMBER_ELSEWHERE: { status: 409, message: "This account belongs to an organization already." },

  // Signing in with a provider
  SSO_PROVIDER_NOT_FOUND: { status: 404, message: "Nobody can sign in with this provider here." },
  SSO_PROVIDER_UNAVAILABLE: { status: 503, message: "This provider does not answer. Try again in a moment." },
  /** Also for a sign-in that another browser began, or that was finished before. */
  SSO_STATE_INVALID: { status: 400, message: "This sign-in has expired. Begin again." },
  SSO_CANCELLED: { status: 400, message: "The sign-in was cancelled." },
  SSO_FAILED: { status: 400, message: "The provider’s answer could not be verified." },
  SSO_EMAIL_NOT_VERIFIED: { status: 403, message: "The provider has not verified your email address." },
  SSO_ACCOUNT_EXISTS: {
    status: 409,
    message: "An account has this email address. Sign in to it, then link the provider in your profile.",
  },
  IDENTITY_IN_USE: { status: 409, message: "Another account is linked with this account of the provider." },
  IDENTITY_NOT_FOUND: { status: 404, message: "This link was not found." },

  // Passkeys
  /** Browsers make them for a host name, over TLS or on this machine. */
  PASSKEYS_NOT_AVAILABLE: { status: 409, message: "Passkeys cannot be used at this address." },
  PASSKEY_NOT_FOUND: { status: 404, message: "Passkey not found." },
  /** It was removed, or is of another service. */
  PASSKEY_UNKNOWN: { status: 403, message: "This passkey is not known." },
  /** Its signature is not right, or it answers something that was not asked, or asked too long ago. */
  PASSKEY_REFUSED: { status: 403, message: "The passkey could not be verified." },
  PASSKEY_EXISTS: { status: 409, message: "This passkey was added already." },
  TOO_MANY_PASSKEYS: { status: 403, message: "You have 20 passkeys, which is the most one account can have." },

  SECOND_FACTOR_EXISTS: { status: 409, message: "You have a second factor already." },
  LAST_SECOND_FACTOR: { status: 409, message: "Your organization requires a second factor." },
  /** Also of the manager who wants to require it of others. */
  SECOND_FACTOR_MISSING: { status: 409, message: "You have no second factor." },

  // Groups
  GROUP_NOT_FOUND: { status: 404, message: "Group not found." },
  GROUP_EXISTS: { status: 409, message: "Group already exists" },
  TOO_MANY_GROUPS: { status: 403, message: "Your organization has 1,000 groups, which is the most it can have." },
  GROUP_TOO_DEEP: { status: 400, message: "Groups can be nested eight deep." },
  GROUP_PARENT_FIXED: { status: 400, message: "A group cannot be moved to another parent." },
  GROUP_WITH_QUOTA_MOVE_FORBIDDEN: { status: 409, message: "A group with quotas cannot be moved." },
  GROUP_IS_DEFAULT: { status: 409, message: "This is the default group. Make another group the default first." },
  QUOTA_PARENT_WITHOUT_QUOTA: {
    status: 409,
    message: "The parent group has no quota of its own, so this group cannot have one.",
  },
  QUOTA_PARENT_REMAINING_TOO_LOW: { status: 409, message: "The parent has not that many virtual devices left." },
  QUOTA_GROUP_LT_CHILDREN: { status: 409, message: "The subgroups have a larger quota together." },
  QUOTA_CHILD_WITH_QUOTA: {
    status: 409,
    message: "A subgroup has a quota of its own, so this group must have one too.",
  },

  // Files that put people into groups
  IMPORT_FILE_TYPE: { status: 415, message: "Only csv, xls and xlsx files can be imported." },
  IMPORT_FILE_UNREADABLE: {
    status: 400,
    message:
      "This file could not be read. It may be damaged, protected by a password, or of another kind than its name says.",
  },
  /** As it is, or unpacked. */
  IMPORT_FILE_TOO_LARGE: { status: 413, message: "This file has too much in it to be read." },
  IMPORT_FILE_EMPTY: { status: 400, message: "This file has no lines to import." },
  IMPORT_TOO_MANY_LINES: { status: 400, message: "A file can have at most 5,000 lines." },
  IMPORT_GROUP_COLUMN_MISSING: { status: 400, message: "This file has no column named “group”." },
  IMPORT_EMAIL_COLUMN_MISSING: { status: 400, message: "This file has no column named “email”." },
  /** `details.column` is `email` or `group`. */
  IMPORT_COLUMN_TWICE: { status: 400, message: "This file has two columns for the group, or for the email." },

  PROVISIONING_TOKEN_NOT_FOUND: { status: 404, message: "Provisioning token not found." },
  TOO_MANY_PROVISIONING_TOKENS: {
    status: 403,
    message: "Your organization has two provisioning tokens. Revoke one that is no longer used first.",
  },
  /** The operator gives it one. */
  NO_OWN_PROVIDER: { status: 409, message: "Your organization has no provider of its own to sign in with." },

  /** Only the operator moves it. */
  ZONE_IS_DEDICATED: { status: 409, message: "Your organization has a dedicated zone. Contact us to change it." },
  /** None of the machines that run devices now serves it. */
  ZONE_NOT_AVAILABLE: { status: 503, message: "No device can run in this zone right now." },
  ORGANIZATION_NOT_FOUND: { status: 404, message: "Organization not found." },
  HARDWARE_PROFILE_NOT_FOUND: { status: 404, message: "Hardware profile not found." },
  HARDWARE_PROFILE_NOT_ALLOWED: { status: 403, message: "You are not allowed to change this hardware profile." },
  HARDWARE_PROFILE_IN_USE: { status: 409, message: "Other recipes use this hardware profile." },
  OS_IMAGE_NOT_FOUND: { status: 404, message: "OS image not found." },
  OS_IMAGE_NOT_ALLOWED: { status: 403, message: "You are not allowed to change this OS image." },
  OS_IMAGE_IN_USE: { status: 409, message: "Other recipes use this OS image." },
  /** It is being saved, or its first save has failed. */
  OS_IMAGE_NOT_READY: { status: 409, message: "This OS image is not ready." },
  OS_IMAGE_MUST_NOT_BE_SAVING: { status: 409, message: "This OS image is being saved. Try again when it is ready." },
  TOO_MANY_RECIPES: { status: 403, message: "Your organization has as many recipes as it may have." },
  TOO_MANY_HARDWARE_PROFILES: {
    status: 403,
    message: "Your organization has as many hardware profiles as it may have.",
  },
  TOO_MANY_OS_IMAGES: { status: 403, message: "Your organization has as many OS images as it may have." },
  /** All layers of the organization's OS images together, each counted once. */
  TOO_MUCH_SAVED: { status: 403, message: "The OS images of your organization take up as much as they may." },
  API_TOKEN_NOT_FOUND: { status: 404, message: "API token not found." },
  API_TOKEN_NOT_SCOPED: { status: 403, message: "The scope of this API token does not include this." },
  API_TOKEN_EXPIRY_PAST: { status: 400, message: "An API token must expire in the future." },
  API_TOKEN_EXISTS: { status: 409, message: "An API Token with this description already exists." },
  TOO_MANY_API_TOKENS: { status: 403, message: "You have 25 API tokens, which is the most one account can have." },
  /** These four say to a program what RFC 8628 calls authorization_pending, slow_down, access_denied and expired_token. */
  PROGRAM_SIGN_IN_PENDING: { status: 400, message: "Nobody has approved this yet." },
  PROGRAM_SIGN_IN_SLOW_DOWN: { status: 400, message: "Ask less often: wait five seconds longer each time." },
  PROGRAM_SIGN_IN_REFUSED: { status: 400, message: "The sign-in was refused in the browser." },
  PROGRAM_SIGN_IN_EXPIRED: { status: 400, message: "This code has expired, was used, or is none." },

  // Devices
  INSTANCE_NOT_FOUND: { status: 404, message: "Device not found." },
  /** The caller may see the device, and it has ended. `details.recipe_uuid` is its recipe, if that still exists. */
  INSTANCE_ENDED: { status: 404, message: "This virtual device is not running." },
  INSTANCE_NOT_RUNNING: { status: 409, message: "This virtual device is not running." },
  INSTANCE_NOT_ALLOWED: { status: 403, message: "You are not allowed to display this virtual device." },
  INSTANCE_STOP_NOT_ALLOWED: { status: 403, message: "You are not allowed to stop this virtual device." },
  INSTANCE_DISMISS_NOT_ALLOWED: { status: 403, message: "You are not allowed to dismiss this virtual device." },
  INSTANCE_SAVE_NOT_ALLOWED: { status: 403, message: "You are not allowed to save this virtual device." },
  INSTANCE_NOT_ONLINE: { status: 409, message: "Only a virtual device that is online can be saved." },
  INSTANCE_HAS_NO_RECIPE: { status: 409, message: "This virtual device cannot be saved: its recipe was deleted." },
  RUNTIME_CANNOT_SAVE: { status: 409, message: "The runtime of this virtual device cannot save it." },
  /** The outcome of a save that was begun, never the reply to a request, like SAVE_TOO_LARGE. */
  SAVE_FAILED: { status: 500, message: "This virtual device could not be saved. It runs on." },
  SAVE_TOO_LARGE: { status: 413, message: "This virtual device cannot be saved: too much on it has changed." },
  INSTANCE_BUSY: { status: 409, message: "Another app is being installed on this virtual device." },
  NOT_AN_APP: { status: 422, message: "This file is not an APK." },
  /** `details.reason` is the device's code, such as `INSTALL_FAILED_OLDER_SDK`; `details.words` is all that it said. */
  APP_REFUSED: { status: 422, message: "The virtual device refused to install this app." },
  SCENARIO_RUNNING: { status: 409, message: "A scenario runs on this virtual device already." },
  SCENARIO_NOT_RUNNING: { status: 409, message: "No scenario runs on this virtual device." },
  /** `details.step` is the number of the step, from 1, `details.name` what it is called, and `details.kind` what the device lacks. */
  SCENARIO_NOT_POSSIBLE: { status: 422, message: "This virtual device lacks what a step of the scenario needs." },
  CAPTURE_NOT_FOUND: { status: 404, message: "Capture not found." },
  /** `details.max_bytes` is what the organization may store. */
  CAPTURES_FULL: {
    status: 409,
    message:
      "There is no room for more captures: you have used your share, or your organization all of its room. Delete some that are no longer needed.",
  },
  REPLAY_LINK_NOT_FOUND: { status: 404, message: "This link is not valid any more." },
  EMBED_LINK_NOT_FOUND: { status: 404, message: "This link is not valid any more." },
  TOO_MANY_EMBED_LINKS: { status: 409, message: "A device has at most 20 links for pages of others at a time." },
  LIVE_SESSION_NOT_FOUND: { status: 404, message: "Live session not found." },
  LIVE_SESSION_NOT_ALLOWED: { status: 403, message: "You are not in this live session." },
  LIVE_SESSION_NOT_OWNED: { status: 403, message: "Only the owner of the device can change its live session." },
  LIVE_SESSION_FULL: { status: 409, message: "A live session has at most 5 people, the owner among them." },
  PARTICIPANT_NOT_FOUND: { status: 404, message: "Participant not found." },
  /** `details.reason` is FULL or OTHER; `details.words` is what the device said. */
  FILE_REFUSED: { status: 422, message: "The virtual device did not take this file." },
  INSTANCE_NAME_TAKEN: { status: 409, message: "A running device of yours has this name already." },
  INSTANCE_NOT_DISMISSABLE: { status: 409, message: "Only a device that has ended can be dismissed." },
  TOO_MANY_RUNNING_VDS: { status: 403, message: "Too many running virtual devices." },
  USAGE_TOO_LARGE: { status: 413, message: "A file holds at most 1,000,000 runs. Choose a shorter period." },
  GROUP_ALLOCATION_REACHED: { status: 403, message: "Your group has reached its virtual device limit." },
  BUDGET_USED_UP: { status: 403, message: "The budget for this month is used up. A manager can raise it." },
  BUDGET_NOT_FOUND: { status: 404, message: "Budget not found." },
  BUDGET_EXISTS: { status: 409, message: "There is a budget for that already." },
  BUDGET_NOT_STOPPING: { status: 409, message: "No device is about to stop for this budget." },
  TOO_MANY_BUDGETS: { status: 403, message: "Your organization has 200 budgets, which is the most it can have." },
  LICENSE_EXPIRED: { status: 403, message: "Your license has expired." },
  INVALID_LICENSE: { status: 403, message: "Your license is invalid." },
  BILLING_ADDRESS_MISSING: { status: 409, message: "Add a billing address first." },
  PAYMENT_METHOD_MISSING: { status: 409, message: "Add a payment method first." },
  UNPAID_INVOICES: { status: 409, message: "Pay your open invoices first." },
  OTHER_PLAN_ACTIVE: { status: 409, message: "Cancel your current plan first." },
  PRICE_CHANGED: { status: 409, message: "The price has changed. Look at it again." },
  /** With the bank's words in place of these, where it has any. */
  CARD_REFUSED: { status: 402, message: "Your card was refused." },
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: "Plan not found." },
  SUBSCRIPTION_ENDED: { status: 409, message: "This plan has ended." },
  PLAN_HAS_NO_PERIOD: { status: 409, message: "Pay-as-you-go has no period to end with. Cancel it instead." },
  LICENSE_ENDS: {
    status: 409,
    message: "Your license ends, so this plan cannot be renewed. Contact us to change that.",
  },
  PLAN_RENEWS: {
    status: 409,
    message:
      "A plan that is paid in advance and renews is not cut short. Cancel it first, then say when the license ends.",
  },
  PLAN_SUSPENDED: { status: 409, message: "The plan goes on once its invoices are paid. Mark them as paid first." },
  INVOICE_NOT_FOUND: { status: 404, message: "Invoice not found." },
  INVOICE_NOT_PAYABLE: { status: 409, message: "There is nothing to pay for this invoice." },
  INVOICE_NOT_REFUNDABLE: { status: 409, message: "This invoice was not paid, or was paid back already." },
  CLOCK_NOT_MOVABLE: {
    status: 409,
    message: "Only a server with its embedded database has a clock that can be moved.",
  },
  ARCH_NOT_SUPPORTED: { status: 403, message: "Your organization does not support this architecture." },
  RECIPE_NOT_READY: { status: 409, message: "Recipe not ready, try again later." },
  RECIPE_NOT_FOUND: { status: 404, message: "Recipe not found." },
  RECIPE_INCOMPLETE: { status: 409, message: "This recipe has lost its hardware profile or its OS image." },
  RECIPE_MUST_NOT_BE_SAVING: { status: 409, message: "This recipe is being saved. Try again when it is ready." },
  RECIPE_CHANGED: { status: 409, message: "This recipe was changed by somebody else meanwhile." },
  HARDWARE_PROFILE_CHANGED: {
    status: 409,
    message: "This hardware profile was changed by somebody else meanwhile.",
  },
  FORM_FACTOR_MISMATCH: {
    status: 400,
    message: "The OS image does not support the form factor of the hardware profile.",
  },
  RECIPE_NOT_ALLOWED: { status: 403, message: "You are not allowed to change this recipe." },
  /** 400, by which existing clients recognise it. */
  RECIPE_NOT_OWNED: { status: 400, message: "This recipe is not yours. Save the virtual device as a new recipe." },
  RECIPE_SHARE_NOT_ALLOWED: { status: 403, message: "You are not allowed to share this recipe." },
  SHARE_NOT_FOUND: { status: 404, message: "No share found." },
  /** `details.unknown` names them, with `, ` between them. */
  RECIPIENTS_NOT_FOUND: { status: 404, message: "Some emails weren't found in the organization." },
  TOO_MANY_RECIPIENTS: {
    status: 400,
    message: "A recipe can be shared with at most 50 people and 20 organizations.",
  },
  RECIPE_NOT_SAVED_BEFORE: { status: 409, message: "This recipe has no earlier state to go back to." },
  // Invoices
  INVOICE_LINK_EXPIRED: { status: 410, message: "This link does not work any more. Ask for another one." },
  // Webhooks
  WEBHOOK_NOT_FOUND: { status: 404, message: "Webhook not found." },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: "This delivery is not in the log (any more)." },
  WEBHOOK_DISABLED: { status: 409, message: "This webhook is disabled. Enable it first." },
  /** Only https to public addresses, unless the operator allows others. */
  WEBHOOK_ADDRESS_REFUSED: { status: 400, message: "Webhooks are sent with https, to public addresses only." },
  // Cards and billing addresses
  CARD_NOT_FOUND: { status: 404, message: "Card not found." },
  PAYMENTS_NOT_AVAILABLE: { status: 409, message: "This installation takes no payments. Ask its operator." },
  CARD_PREPAID: { status: 402, message: "Prepaid cards are not supported." },
  CARD_IN_USE: { status: 409, message: "A card cannot be deleted while a plan is active." },
  TOO_MANY_CARDS: { status: 403, message: "Your organization has 10 cards, which is the most it can have." },
  BILLING_ADDRESS_NOT_FOUND: { status: 404, message: "Billing address not found." },
  BILLING_ADDRESS_IN_USE: { status: 409, message: "A billing address is needed while a plan is active." },
  TOO_MANY_BILLING_ADDRESSES: {
    status: 403,
    message: "Your organization has 10 billing addresses, which is the most it can have.",
  },
  VAT_NUMBER_INVALID: { status: 400, message: "This VAT number is not valid." },
  PAYMENT_NOT_FOUND: { status: 404, message: "There is no such payment to confirm." },
  /** Its signature is missing, wrong or old. */
  PAYMENT_EVENT_REFUSED: { status: 400, message: "This event could not be verified." },
  TOO_MANY_WEBHOOKS: { status: 403, message: "Your organization has 10 webhooks, which is the most it can have." },
  RUNTIME_NOT_CONFIGURED: { status: 409, message: "The runtime of this image is not set up on this installation." },
  NO_SLOT_AVAILABLE: {
    status: 503,
    message: "Due to high demand, all virtual devices are booked. Please try again later.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** What is wrong with one field of a request. `field` is its path: `timeouts.global`. */
export interface FieldError {
  field: string;
  message: string;
}

/** An error with a code of the table, thrown by the server's rules and by the client. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Details for the log and for messages; never secrets. */
  readonly facts: Record<string, unknown>;
  /** What the caller may need to go on; sent with the error. */
  readonly details: Record<string, string> | undefined;
  readonly fields: FieldError[];
  /** The id of the request, if the error came from the server. */
  readonly requestId: string | undefined;

  constructor(
    code: ErrorCode,
    given: {
      facts?: Record<string, unknown>;
      details?: Record<string, string> | undefined;
      fields?: FieldError[];
      message?: string;
      requestId?: string;
      cause?: unknown;
    } = {},
  ) {
    super(given.message ?? errors[code].message, { cause: given.cause });
    this.code = code;
    this.status = errors[code].status;
    this.facts = given.facts ?? {};
    this.details = given.details;
    this.fields = given.fields ?? [];
    this.requestId = given.requestId;
  }
}

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(errors, code);
