import { sentences } from "./sentences.ts";

/** Asking for a trial, on the page of plans and where a device does not start. */
export const trial = sentences({
  trial: {
    title: "Request a trial",
    about_one: "We look at each request ourselves. That takes {{count}} business day; you hear from us by email.",
    about_other: "We look at each request ourselves. That takes {{count}} business days; you hear from us by email.",
    kind: "For whom",
    kinds: { enterprise: "A company", individual: "Myself" },
    enterprise: "Up to {{devices}} devices at once and {{minutes, number}} free minutes, for {{days}} days.",
    individual: "{{devices}} devices at once and {{minutes, number}} free minutes, for {{days}} days.",
    companyEmail: "An address of your company. Free mailboxes get no enterprise trial.",
    companyEmailNeeded: "Use an address of your company",
    useCases: "What you will use devices for",
    activity: "What your company does",
    more: "Anything else (optional)",
    submit: "Request trial",
    busy: "Sending",
    done: "Your request was sent. You will hear from us by email.",
    requested: "Your organization has asked for a trial already. You will hear from us by email.",
    used: "Your organization has had its trial. Choose a plan to go on.",
    hasPlan: "Your organization has a plan, so it needs no trial.",
    failed: "Your request was not sent. Try again.",
  },
  asker: {
    firstName: "First name",
    lastName: "Last name",
    email: "Email",
    country: "Country",
    chooseCountry: "Choose a country",
    company: "Company",
    role: "Your role",
    employees: "Employees",
    chooseEmployees: "Choose a size",
    devices: "Devices at once",
  },
});
