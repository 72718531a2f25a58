import { sentences } from "./sentences.ts";

export const passwords = sentences({
  passwords: {
    request: {
      title: "Forgot your password",
      lead: "Enter the email address of your account. We send you a link to set a new password.",
      email: "Email",
      submit: "Send link",
      busy: "Sending",
      back: "Back to sign in",
      failed: "Fail to request password reset. Try again in a moment.",
      robot: "Fail to request password reset. The check that you are no robot did not succeed; try again.",
      tooMany: "Too many requests. A link that you already have still works; wait a while before you ask for another.",
      sent: {
        title: "Check your mail",
        text: "If {{email}} belongs to an account, a link is on its way. It works once, for {{hours}} hours.",
        again: "No mail after a few minutes? Look among the junk, or check the address.",
        other: "Use another address",
      },
    },
    renew: {
      title: "Set a new password",
      lead: "For {{email}}. Every browser that is signed in to this account will be signed out.",
      password: "New password",
      rules: "At least 8 characters, with a letter and a number",
      confirm: "Confirm password",
      submit: "Set password",
      busy: "Setting password",
      done: "Your password was changed. Sign in with it.",
      failed: "Fail to update password. Try again in a moment.",
      tooCommon: "This password is too common. Choose another.",
      tooMany: "Too many tries. Wait a while, then try again.",
      loading: "Checking the link",
    },
    expired: {
      title: "This link has expired.",
      text: "A link to set a password works once, for {{hours}} hours. Ask for a new one; your account is safe.",
      again: "Ask for a new link",
    },
    mail: {
      button: "Mail a link to set a password",
      sent: "A link is on its way to {{email}}. It works once, for {{hours}} hours.",
    },
    unchecked: {
      title: "The link could not be checked",
      text: "Your account is safe, and so is the link.",
    },
  },
});
