import { sentences } from "./sentences.ts";

/** What is said about confirming an address, also to somebody who signs in too early. */
export const confirmation = sentences({
  confirmation: {
    resend: {
      button: "Send the mail again",
      busy: "Sending",
      sent: "Sent again. It may take a minute to arrive.",
      tooMany: "{{max}} mails an hour are the most. Wait a while; a link that you already have still works.",
      failed: "The mail could not be sent. Try again in a moment.",
    },
    working: "Confirming your address",
    workingText:
      "This takes a moment. It shows that the address is yours, so that nobody else can open an account with it. Then you can sign in.",
    done: {
      title: "Your address is confirmed",
      text: "The account {{email}} is ready. Sign in with your password.",
    },
    used: {
      title: "This address is confirmed already",
      text: "Your account is there: sign in with your password.",
    },
    invalid: {
      title: "The activation link is not valid",
      text: "Open the link exactly as it is in the mail, or create an account again.",
    },
    expired: {
      title: "This link has expired.",
      text: "A link to confirm an address works for {{days}} days. We can send another one to {{email}}.",
    },
    failed: {
      title: "Your address could not be confirmed",
      text: "Nothing is lost, and the link still works.",
    },
    signIn: "Go to sign in",
    home: "Create an account",
  },
});
