import { sentences } from "./sentences.ts";

export const sso = sentences({
  sso: {
    or: "or",
    with: "Continue with {{label}}",
    standIn: "Google and GitHub are stand-ins here: this demonstration plays them itself.",
    leaving: "Opening {{label}}",
    organization: {
      email: "Your email address there",
      submit: "Continue",
      busy: "Looking it up",
    },
    callback: {
      title: "Signing you in",
      waiting: "Checking the provider’s answer",
      failed: "You are not signed in",
      back: "Go back",
    },
    linked: {
      title: "Sign in with",
      about: "Accounts at others with which you can sign in, besides your password.",
      none: "No account is linked.",
      as: "as {{email}}",
      used: "last used",
      link: "Link {{label}}",
      unlink: "Unlink",
      unlinkNamed: "Unlink {{label}}, {{email}}",
      last: "This is your last way of signing in. Set a password first.",
      done: "{{label}} was unlinked.",
      loading: "Loading what is linked",
      notLoaded: "What is linked did not load. Your account is safe.",
      confirm: "Unlink {{label}}?",
      text: "You can no longer sign in with it, as {{email}}. Browsers that are signed in stay so.",
      failed: "It was not unlinked. Try again in a moment.",
      joined: "The account was linked. You can sign in with it from now on.",
    },
    errors: {
      SSO_PROVIDER_NOT_FOUND: "Nobody can sign in with this provider here.",
      SSO_PROVIDER_UNAVAILABLE: "The provider does not answer. Try again in a moment.",
      SSO_STATE_INVALID: "This sign-in has expired, or began in another browser. Begin again.",
      SSO_CANCELLED: "The sign-in was cancelled.",
      SSO_FAILED: "The provider’s answer could not be verified. Begin again.",
      SSO_EMAIL_NOT_VERIFIED: "The provider has not verified your email address. Verify it there, then begin again.",
      SSO_ACCOUNT_EXISTS:
        "An account has this email address already. Sign in with its password, then link the provider in your profile.",
      IDENTITY_IN_USE: "Another account is linked with it already.",
      USER_NOT_ENABLED: "This account is not enabled. Ask your manager.",
      TOO_MANY_REQUESTS: "Too many tries. Wait a while, then try again.",
      LINK_EXPIRED: "This invitation has expired.",
      other: "Fail to log in. Try again in a moment.",
    },
  },
});
