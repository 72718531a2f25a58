import { sentences } from "./sentences.ts";

/** What is said where somebody who is signed in types their password again. */
export const prove = sentences({
  prove: {
    password: "Your password",
    wrong: "This is not your password.",
    none: "Your account has no password yet. Set one first: it is asked for here.",
    tooMany: "Too many tries. Wait an hour, then try again.",
  },
});
