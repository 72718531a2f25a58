import { sentences } from "./sentences.ts";

export const sessions = sentences({
  sessions: {
    title: "Where you are signed in",
    about: "Every browser and program that is signed in with your account. Sign out what you do not recognize.",
    list: "Places where you are signed in",
    here: "This browser",
    unknown: "Unknown program",
    /** Before how long ago it was used. */
    used: "used",
    since: "signed in on {{date}}",
    more_one: "Show one more",
    more_other: "Show {{count}} more",
    signOut: "Sign out",
    signOutOne: "Sign out {{device}}, {{address}}",
    noAddress: "Address unknown",
    done: "{{device}} was signed out.",
    failed: "{{device}} was not signed out. Try again in a moment.",
    others: {
      act: "Sign out everywhere else",
      title_one: "Sign out of {{count}} other place?",
      title_other: "Sign out of {{count}} other places?",
      help: "What is open there closes at once. Devices keep running, and API tokens continue to work.",
      done: "You are signed in only here now.",
      failed: "The other places were not signed out. Try again in a moment.",
    },
    broken: { title: "Your sessions did not load", help: "Nobody was signed out. Try again in a moment." },
  },
});
