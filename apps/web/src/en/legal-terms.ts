import { sentences } from "./sentences.ts";
import type { LegalSection } from "./legal.ts";

/** `{{name}}`, `{{address}}`, `{{contact}}` and `{{court}}` are the operator's, from the settings. */
const sections: readonly LegalSection[] = [
  {
    id: "parties",
    title: "The service and who provides it",
    body: [
      "Terrarium is open software that runs virtual Android devices and shows them in a browser. These terms are an agreement between you and whoever operates this installation of it, called the operator below.",
      "The operator is {{name}}, {{address}}. Questions about these terms go to {{contact}}.",
      "By accepting these terms you confirm that you may enter into such an agreement, for yourself or for the organization whose account you use.",
    ],
  },
  {
    id: "account",
    title: "Your account",
    body: [
      "You need an account with an email address that is yours. Keep your password and your API tokens to yourself: what is done with them counts as done by you. Tell the operator without delay if somebody else may know them.",
      "The managers of an organization invite and remove its users, and see the devices that its users run.",
      "You can delete your account at any time in the profile section of the service. What then happens to your data is said under Data and retention.",
    ],
  },
  {
    id: "licences",
    title: "Licences",
    body: [
      "A licence is the right to use the service, for as long and to the extent that was agreed. It cannot be transferred or resold. There are four kinds:",
      [
        "Enterprise: for organizations that agree individual terms with the operator, such as a fixed number of devices, support or a zone of their own.",
        "Business: for companies and other professional users, under the prices that the service shows.",
        "Indie: for self-employed people and companies of one person, for their own work.",
        "Personal use: for natural persons, for purposes outside their trade or profession.",
      ],
      "The software itself is licensed separately, under the Apache License 2.0. Nothing in these terms limits the rights that it gives you.",
    ],
  },
  {
    id: "trial",
    title: "Free trial",
    body: [
      "For Business use there is a free trial of 14 days. It starts when the operator confirms your request, and ends by itself: no payment is due for it, and nothing has to be cancelled.",
      "A trial may be limited in devices and minutes. The service shows how much is left.",
    ],
  },
  {
    id: "use",
    title: "Acceptable use",
    body: [
      "Use devices only for what is lawful. In particular, you may not:",
      [
        "attack or overload this service, or others from it;",
        "install or spread harmful software, except to examine it on your own devices without reaching others;",
        "mine cryptocurrency, send bulk messages, or pretend to be many people;",
        "get around the limits of your licence or the separation between customers.",
      ],
      "The operator may stop devices that break these rules, and will tell you why.",
    ],
  },
  {
    id: "ownership",
    title: "Ownership",
    body: [
      "What you put on a device and what you make with it remains yours: apps, files, recipes and saved devices. You let the operator store, copy and process it as far as is needed to provide the service to you, and for nothing else.",
      "The operator’s names, marks and infrastructure remain the operator’s. Android and other names belong to their owners. If you send ideas for the service, they may be used without payment.",
    ],
  },
  {
    id: "price",
    title: "Price",
    body: [
      "The prices are those that the service shows when you choose a plan, and do not include taxes unless it says so. Pay-as-you-go counts each minute of each device, from when it is online until it is stopped. A plan for a month or a year counts by the number of devices it includes, used or not.",
      "The operator may change prices with one month of notice. A plan that is already paid keeps its price until the end of its term.",
    ],
  },
  {
    id: "payment",
    title: "Payment",
    body: [
      "Unless something else was agreed, payment is due 30 days after the date of the invoice.",
      "If you pay late, the operator may charge a penalty at a yearly rate of 10 percentage points above the French legal interest rate, from the day after the due date and without a reminder. Professional customers also owe a fixed indemnity of 40 euros for the cost of recovery. Higher costs that are proven may be claimed too.",
      "If an invoice stays unpaid after a reminder, the operator may suspend the service until it is paid. Your data is kept meanwhile, as said under Data and retention.",
    ],
  },
  {
    id: "term",
    title: "Term and renewal",
    body: [
      "Pay-as-you-go has no fixed term. A monthly plan renews each month until it is cancelled, and then runs to the end of the month that is paid.",
      "An annual licence renews for one more year unless one of us gives notice at least 60 days before its end. If you are a consumer, the operator reminds you in time, and mandatory rights to cancel remain.",
    ],
  },
  {
    id: "withdrawal",
    title: "Withdrawal",
    body: [
      "If you live in the European Union and hold a Personal use licence, you may withdraw within 14 days of entering into the agreement, without giving reasons. A clear statement to {{contact}} is enough, and sending it within that time is in time.",
      "The operator then returns what you have paid, within 14 days and by the same means. If you asked for the service to begin earlier, you owe for what you had used until then.",
    ],
  },
  {
    id: "data",
    title: "Data and retention",
    body: [
      "A device that ends without being saved is removed with everything on it. What you save remains until you delete it, or until your account is deleted.",
      "The data of an account and the history of its use are kept for 18 months after they were last used. Before data is deleted because that time is over, the operator gives you one month of notice, so that you can export it or keep the account in use. Invoices are kept for as long as the law demands.",
      "If you delete your account in the profile section, your personal data, tokens and preferences are deleted then. How personal data is handled is said in the privacy notice.",
    ],
  },
  {
    id: "requests",
    title: "Requests about your data",
    body: [
      "To see, correct, export or delete your personal data, or to object to how it is used, use the profile section or write to {{contact}}. Requests are answered within 30 days.",
    ],
  },
  {
    id: "availability",
    title: "Availability and warranty",
    body: [
      "The operator runs the service with reasonable care, and announces maintenance where possible. A certain availability is only promised where it was agreed in writing. Virtual devices behave much like real ones but are not the same: test on real devices what must work there.",
      "Apart from that, and from rights that the law gives you and that cannot be excluded, the service is provided as it is.",
    ],
  },
  {
    id: "liability",
    title: "Liability",
    body: [
      "All liability of the operator under this agreement, for whatever reason, is limited to the fees that you paid in the 12 months before the event that caused the damage. Neither of us is liable for lost profit or other indirect damage, nor for what is beyond reasonable control.",
      "These limits do not apply to intent or gross negligence, to injury to life, body or health, or where the law does not allow them, in particular towards consumers.",
    ],
  },
  {
    id: "confidentiality",
    title: "Confidentiality",
    body: [
      "Each of us keeps confidential what it learns of the other that is marked as confidential or is clearly meant to be, uses it only for this agreement, and shows it only to people who need it and are bound likewise. What you put on devices is always confidential.",
      "This does not cover what is public, was already known, or must be disclosed by law. The obligation survives the end of the agreement by 5 years.",
    ],
  },
  {
    id: "termination",
    title: "Termination",
    body: [
      "You may stop using the service and delete your account at any time.",
      "If one of us breaks the agreement in an important point and does not put it right within 30 days of a written notice, the other may terminate it at once. Where a breach endangers the service or other people, the operator may suspend the account meanwhile.",
      "When the agreement ends, devices are stopped and access ends. You may ask for an export of your data until it is deleted.",
    ],
  },
  {
    id: "changes",
    title: "Changes to these terms",
    body: [
      "The operator may change these terms for good reasons, such as new functions or new laws. Changes are announced at least one month ahead, and the service asks you to accept the new version. If you do not, you may terminate the agreement before it takes effect.",
    ],
  },
  {
    id: "governing-law",
    title: "Governing law and courts",
    body: [
      "The law of the country in which the operator is established governs this agreement, without the UN Convention on Contracts for the International Sale of Goods. Consumers keep the protection of the mandatory law of the country they live in.",
      "Disputes are for {{court}}. Consumers may also go to the courts of the place where they live.",
      "If a clause is invalid, the others remain in force.",
    ],
  },
];

export const legalTerms = sentences({
  legal: { terms: { title: "Terms and conditions", date: "2024-05-20", sections } },
});
