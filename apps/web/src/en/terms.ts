import { sentences } from "./sentences.ts";

export const terms = sentences({
  terms: {
    title: "Terms and conditions",
    lead: "Read and accept the terms to use your devices.",
    accept: "Accept and continue",
    busy: "Accepting",
    read: "Read the terms",
    privacy: "Read the privacy notice",
    failed: "Accepting the terms did not work. Try again.",
  },
});
