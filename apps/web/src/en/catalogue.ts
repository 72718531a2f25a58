import { sentences } from "./sentences.ts";

/** What recipes, hardware profiles and OS images have in common. */
export const catalogue = sentences({
  catalogue: {
    source: "Source",
    sources: { all: "All", official: "Official", custom: "Custom" },
    arch: "Architecture",
    anyArch: "Any arch",
    clear: "Clear filters",
    filters: "You are looking at {{filters}}. Try fewer filters.",
    official: "Official",
    byYou: "Custom, by you",
    by: "Custom, by {{name}}",
    custom: "Custom",
    statuses: { CREATING: "Saving", READY: "Ready", UPDATING: "Saving", ERROR: "Error", INCOMPLETE: "Incomplete" },
    more: "More actions for {{name}}",
  },
});
