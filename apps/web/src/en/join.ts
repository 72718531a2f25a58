import { sentences } from "./sentences.ts";

export const join = sentences({
  join: {
    title: "Join {{organization}}",
    loading: "Opening the invitation",
    invitedBy: "{{name}} invites you. You will sign in as {{email}}.",
    invited: "You are invited, and will sign in as {{email}}.",
    hasAccount: "You have an account with this address: join with its password.",
    password: "Password",
    newPassword: "Choose a password",
    rules: "At least 8 characters, with a letter and a number",
    forgot: "Forgot your password?",
    terms: { accept: "I accept the", terms: "terms and conditions", and: "and the", privacy: "privacy notice" },
    termsRequired: "Accept the terms to join",
    submit: "Join",
    busy: "Joining",
    expired: {
      title: "This link has expired.",
      of: "It was to join {{organization}}. Ask {{inviter}} to send it again.",
      text: "It was used, cancelled or replaced by a newer one, or is older than {{days}} days. Ask who invited you to send it again.",
    },
    unopened: { title: "The invitation did not open", text: "It is safe, and can be opened later." },
    mismatch: {
      title: "That account has another address",
      text: "The invitation is for {{email}}. Choose the account with that address, or join with a password.",
    },
    failure: {
      title: "You have not joined yet",
      text: "Something went wrong while you signed in. The invitation still works: try again, or join with a password.",
    },
    signedIn: {
      title: "You are signed in already",
      text: "You opened an invitation as {{email}}. To accept it with the address that was invited, sign out first.",
      stay: "Stay signed in",
      signOut: "Sign out and open it",
    },
    errors: {
      BAD_USERNAME_PASSWORD: "This is not the password of the account.",
      PASSWORD_TOO_COMMON: "This password is too common. Choose another.",
      SIGN_IN_NOT_ALLOWED:
        "Members of this organization do not sign in with a password. Join with one of the providers.",
      USER_NOT_ENABLED: "This account is not enabled. Ask who invited you.",
      MEMBER_ELSEWHERE: "Your account belongs to another organization. Ask who invited you for another address.",
      TOO_MANY_REQUESTS: "Too many tries. Wait a while, then try again.",
      other: "Fail to join. Try again in a moment.",
    },
  },
});
