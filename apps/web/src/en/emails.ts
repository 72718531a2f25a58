import { sentences } from "./sentences.ts";

/** A field for the addresses of several people. */
export const emails = sentences({
  invitation: {
    emails: {
      limit: "Too many emails. Limit is {{limit}}.",
      invalid: "Some emails are invalid.",
      remove: "Remove {{email}}",
      removeWrong: "Remove {{email}}, which is wrong",
      added_one: "Added {{email}}",
      added_other: "Added {{count}} addresses",
      removed_one: "Removed {{email}}",
      removed_other: "Removed {{count}} addresses",
      all: "Show all {{count, number}}",
    },
  },
  addOrganizationUsers: {
    removeUnknown_one: "Remove it",
    removeUnknown_other: "Remove them",
    errors: { emailsUnknown: "Some emails weren't found in the organization." },
  },
});
