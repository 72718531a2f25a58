import { sentences } from "./sentences.ts";

export const signUp = sentences({
  signUp: {
    label: "Create an account",
    email: "Email",
    organization: "Organization (optional)",
    organizationHelp: "A new one, which you manage. Empty: you join as a guest",
    password: "Password",
    passwordHelp: "8 or more, with a letter and a number",
    confirm: "Confirm password",
    region: "Region",
    regionHelp: "Where your devices run",
    regions: { europe: "Europe", "north america": "North America", "southeast asia": "Southeast Asia" },
    terms: { accept: "I accept the", link: "terms and conditions" },
    privacy: { accept: "I accept the", link: "privacy notice" },
    submit: "Create account",
    busy: "Creating account",
    errors: {
      DISPOSABLE_EMAIL: "You may not use a disposable email.",
      PASSWORD_TOO_COMMON: "This password is too common. Choose another.",
      ZONE_NOT_AVAILABLE: "No device can run in this region right now. Choose another.",
      BOT_CHECK_FAILED: "Account creation fail. The check that you are no robot did not succeed; try again.",
      ORIGIN_NOT_ALLOWED:
        "Account creation fail. Nobody can sign up at this address; its operator can name it in TERRARIUM_PUBLIC_URL.",
      TOO_MANY_REQUESTS: "Account creation fail. Too many tries; wait a while, then try again.",
      other: "Account creation fail. What you typed is still here; try again in a moment.",
    },
    offer: {
      trial: "{{minutes, number}} free minutes, to use within {{days}} days.",
      afterwards: "Then {{price}} a minute.",
      price: "{{price}} a minute.",
      noCard: "No card needed.",
    },
    sent: {
      title: "Check your mail",
      text: "We have sent a mail to {{email}}. Open the link in it within {{days}} days; then you can sign in.",
      hint: "No mail after a few minutes? Look among the junk, or check the address.",
      other: "Use another address",
    },
  },
});
