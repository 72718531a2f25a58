import { sentences } from "./sentences.ts";
import type { LegalSection } from "./legal.ts";

/** As in the terms, the words in braces are the operator's, from the settings. */
const sections: readonly LegalSection[] = [
  {
    id: "controller",
    title: "Who is responsible",
    body: [
      "Whoever operates this installation of Terrarium decides how personal data is used here, and is called the operator below. The operator is {{name}}, {{address}}.",
      "For anything about your data, write to {{contact}}.",
    ],
  },
  {
    id: "data",
    title: "Data that is collected",
    body: [
      "Three kinds of data are collected:",
      [
        "Account data: your name, your email address, your organization and your role, a hash of your password, and your preferences. If your organization pays for the service, also its billing address and invoices. Card numbers go to the payment provider and are not stored here.",
        "Usage data: which devices you started and when, for how long they ran, what you did that is recorded for security, such as sign-ins and changes of rights, and the internet addresses and browsers from which you did it.",
        "Content: what you put on devices, save as recipes, share or write to support.",
      ],
    ],
  },
  {
    id: "purposes",
    title: "Purposes",
    body: [
      "The data is used for these purposes only:",
      [
        "to provide the service, which is the agreement with you: account, devices, sharing, support;",
        "to charge for it, and to keep the records that tax law demands;",
        "to keep it secure, which is a legitimate interest: limits, protection against abuse, an audit trail;",
        "to send mails that belong to it, such as links to confirm an address, and notices about your account;",
        "with your consent, to learn which parts of the service are used.",
      ],
      "The data is not sold, no profiles are made for advertising, and no decision about you is left to a machine alone.",
    ],
  },
  {
    id: "consent",
    title: "Consent",
    body: [
      "Statistics about how the pages are used are off until you switch them on. Your choice is stored in your browser. You can withdraw it at any time, here or in the profile section, as easily as you gave it, and nothing is sent from then on.",
      "Your browser’s storage holds your sign-in, your preferences and that choice. There are no cookies for advertising or tracking.",
    ],
  },
  {
    id: "processors",
    title: "Third-party processors",
    body: [
      "The operator may have others process data on its behalf, under agreements that bind them to its instructions: for the machines that the service runs on, for storing files, for sending mails, for payments, and for support. Each gets only what its task needs.",
      "If data leaves the European Economic Area, this is done under an adequacy decision or the standard contractual clauses of the European Commission. A current list of the processors is sent on request by {{contact}}.",
      "Unless the operator has switched it off, your browser asks an avatar service, such as Gravatar, for the pictures of the people whose names you see. It sends a checksum (SHA-256) of their email addresses, and not which page you are on. That service learns your network address.",
    ],
  },
  {
    id: "providers",
    title: "Signing in with Google or GitHub",
    body: [
      "If the operator offers it, you may sign in with your account at Google or GitHub. You are then sent there, and that provider learns that you use this service. The service receives your name, your email address, whether it was verified, and an identifier of your account, and uses them to create your account and to recognize you. It gets neither your password nor access to anything else.",
      "You can remove the link between the accounts in the profile section. What the provider does with your data is said in its own privacy policy.",
    ],
  },
  {
    id: "retention",
    title: "How long data is kept",
    body: [
      "The data of an account and the history of its use are kept for 18 months after they were last used. You get one month of notice before they are deleted for that reason. Copies of mails are deleted after 30 days. Invoices are kept for as long as the law demands.",
      "You can delete your account yourself in the profile section. Your personal data is then removed. Records that must be kept for security or tax no longer carry your name.",
    ],
  },
  {
    id: "rights",
    title: "Your rights",
    body: [
      "You may ask for access to your data, for a copy that machines can read, and for its correction or deletion. You may restrict or object to its use, and withdraw consent at any time. The profile section lets you do most of this yourself. For the rest, write to {{contact}}.",
      "Requests are answered within 30 days and cost nothing. You may also complain to the data protection authority of the place where you live or work.",
    ],
  },
  {
    id: "security",
    title: "Security",
    body: [
      "Passwords and keys are stored as hashes. Customers are separated from each other, each device belongs to one account, and access by staff is limited and recorded. If a breach puts your data at risk, the operator tells you and the authority as the law demands.",
    ],
  },
  {
    id: "changes",
    title: "Changes to this notice",
    body: [
      "When this notice changes, its date changes with it. Important changes are announced in the service before they apply.",
    ],
  },
];

export const legalPrivacy = sentences({
  legal: { privacy: { title: "Privacy notice", date: "2024-05-20", sections } },
});
