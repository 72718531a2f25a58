import { sentences } from "./sentences.ts";

/** What an organization has as much of as it may. */
export const limits = sentences({
  errors: {
    tooManyRecipes: "Your organization has as many recipes as it may. Delete some that nobody uses, then try again.",
    tooManyHardwareProfiles:
      "Your organization has as many hardware profiles as it may. Delete some that nobody uses, then try again.",
    tooManyOSImages: "Your organization has as many OS images as it may. Delete some that nobody uses, then try again.",
    tooMuchSaved:
      "The OS images of your organization take up as much as they may. Delete some that nobody uses, then try again.",
  },
});
