import { sentences } from "./sentences.ts";

export const mailbox = sentences({
  mailbox: {
    title: "Mailbox",
    lead: "This installation is a demonstration: it sends no mail. What it would have sent is here, for this machine only.",
    home: "Back to Terrarium",
    list: "Mails",
    to: "To {{address}}",
    message: "Message",
    back: "All mails",
    form: "Form of the mail",
    forms: { html: "As sent", text: "Plain text" },
    choose: { title: "No mail chosen", help: "Choose one to read it." },
    none: {
      title: "No mail yet",
      help: "Mails appear here as soon as something sends one, such as a forgotten password.",
    },
    closed: {
      title: "There is no mailbox here",
      help: "Only a demonstration has one, for browsers of its own machine.",
    },
    failed: { title: "The mails did not load", help: "They are safe." },
    gone: { title: "This mail is not there", help: "Mails are kept for 30 days." },
    loading: "Loading mails",
  },
});
