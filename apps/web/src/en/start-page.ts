import { sentences } from "./sentences.ts";

/** The page that a link to a recipe leads to. */
export const startPage = sentences({
  startPage: {
    title: "Start a device",
    sill: "Nothing starts until you press the button.",
    loading: "Loading the recipe",
    runsIn: "Counts for",
    runsInValue: "{{organization}}, {{used}} of {{max}} running",
    runsInOwners: "The organization of the recipe",
    as: "You are signed in as {{name}}.",
    running: "{{name}}, which you started here, is running.",
    ended: "{{name}}, which you started here, has ended.",
    open: "Open the device",
    another: "Start another",
    unknown: {
      title: "There is no such recipe for you",
      help: "It may have been deleted, or it is not shared with {{email}}. Ask whoever gave you the link.",
      recipes: "Show my recipes",
    },
    failed: { title: "The recipe did not load", help: "Nothing was started." },
  },
});
