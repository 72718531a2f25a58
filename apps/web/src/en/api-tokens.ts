import { limits } from "@terrarium/contract";
import { sentences } from "./sentences.ts";

export const apiTokens = sentences({
  apiTokens: {
    title: "API tokens",
    create: "Create token",
    table: "API tokens",
    filter: "Filter by description",
    columns: {
      description: "Description",
      prefix: "Token",
      scope: "May",
      expires_at: "Expires",
      created_at: "Created",
      last_access: "Last used",
      actions: "Actions",
    },
    scopes: { read: "Read", devices: "Use devices", admin: "Administer" },
    never: "Never",
    expired: "Expired",
    columnsLead: "Description and actions are always shown.",
    created: "Created",
    revoke: "Revoke",
    revokeOne: "Revoke {{description}}",
    empty: {
      title: "You have no API tokens",
      help: "Scripts and the command-line tool sign in with one. You say what it may do, and until when.",
    },
    noMatch: { title: "No tokens match “{{search}}”", help: "Descriptions were searched. Try fewer letters." },
    failed: "Your tokens keep working. Try again in a moment.",
    createDialog: {
      title: "Create an API token",
      description: "Description",
      help: "What will use it, such as “nightly build”",
      scope: "What it may do",
      scopeHelp: {
        read: "See everything you can see. Change nothing.",
        devices: "See everything, start, use and save devices, and change recipes, hardware profiles and images.",
        admin: "Everything you may do, your account and API tokens included.",
      },
      expiry: "Expires",
      expiries: { never: "Never", days: "In {{count}} days", year: "In a year" },
      submit: "Create token",
      busy: "Creating…",
    },
    secret: {
      title: "Copy your token now",
      help: "This is the only time it is shown. Whoever has it can act in your name.",
      label: "Token “{{description}}”",
      copy: "Copy token",
      done: "Done",
    },
    most: {
      title: "You have {{count}} API tokens",
      help: "One account can have no more. Revoke one that is no longer used, then create another.",
      back: "Back to the tokens",
    },
    revokeDialog: {
      title: "Revoke “{{description}}”?",
      help: "Whatever uses this token is signed out at once. This cannot be undone.",
      confirm: "Revoke token",
      done: "Revoked “{{description}}”",
    },
  },
  errors: {
    fetchApiTokens: "Fail to fetch API tokens.",
    createApiToken: "Fail to create API token.",
    revokeApiToken: "Fail to revoke API token.",
    apiTokenExists: "An API Token with this description already exists.",
    tooManyApiTokens: `You have ${limits.apiTokens} API tokens, which is the most one account can have. Revoke one first.`,
  },
});
