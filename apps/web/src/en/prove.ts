import { sentences } from "./sentences.ts";

/** What is said where somebody who is signed in proves again who they are. */
export const prove = sentences({
  prove: {
    password: "Your password",
    wait: "Looking how you sign in",
    none: "Your account has no password, so you must have signed in within the last ten minutes.",
    wrong: "This is not your password.",
    again: "Sign out and sign in again, then do this within ten minutes.",
    tooMany: "Too many tries. Wait an hour, then try again.",
    busy: "Checking",
    lastFactor: "Your organization requires a second factor, and this is your last one.",
  },
});
