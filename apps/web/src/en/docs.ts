import { sentences } from "./sentences.ts";

/** The words around the documentation, which is written in docs/. */
export const docs = sentences({
  docs: {
    back: "Back",
    pages: {
      start: "Getting started",
      cli: "Command line",
      automation: "Automated tests",
      compatibility: "Existing tools",
      sdk: "SDK",
      embedding: "Pages of others",
      scenarios: "Scenarios",
      gadgets: "What a device has",
      errors: "API errors",
      webhooks: "Webhooks",
      provisioning: "Directories",
      readme: "Install and settings",
      operations: "To run it for real",
      runtimes: "Real Android",
      fleet: "A fleet",
      architecture: "How it works",
    },
    groups: { use: "Use devices", manage: "Manage an organization", run: "Run the service" },
    contents: "Contents",
    loading: "Loading the page",
    failed: "The page did not load.",
    failedHelp: "Nothing is lost. Try again in a moment.",
    linkTo: "Link to “{{title}}”",
    search: "Search the documentation",
    searching: "Searching",
    found_one: "{{count}} section found",
    found_other: "{{count}} sections found",
    nothing: "Nothing has all of these words.",
    nothingHelp: "Try fewer or shorter ones.",
  },
});
