import { sentences } from "./sentences.ts";

export const profile = sentences({
  profile: {
    title: "Your profile",
    details: {
      title: "Your details",
      about: "How colleagues and mails call you.",
      first: "First name",
      last: "Last name",
      email: "Email",
      emailHelp: "You sign in with it. It cannot be changed here.",
      organization: "Organization",
      role: "Role",
      save: "Save",
      busy: "Saving",
      done: "Your names were saved.",
      failed: "Your names were not saved. Try again in a moment.",
    },
  },
});
