import { sentences } from "./sentences.ts";

/** Sharing a recipe. */
export const shares = sentences({
  recipes: {
    share: {
      success: "Shared {{name}}",
      changed: "Changed with whom {{name}} is shared",
      ended: "{{name}} is no longer shared",
      title: "Share “{{name}}”",
      people: "Email addresses",
      peopleHelp: "Separate them with commas",
      nobody: "Add somebody to share it with.",
      rights: "Guests may start it; colleagues may also edit and share it.",
      colleagues: "Everyone in {{organization}} may already start and duplicate it.",
      message: "Message",
      messageHelp: "Optional; they see it in the mail and with the recipe",
      list: "Shared with",
      remove: "Stop sharing with {{name}}",
      removed: "{{name}} was taken off the list",
      everyone: "Everyone in {{name}}",
      addOrganization: "Share with another organization",
      organization: "Organization ID",
      organizationHelp: "All its members may start it. They can tell you its ID; that of yours is {{uuid}}",
      notAnId: "This is not the ID of an organization.",
      noOrganization: "No organization has this ID.",
      submit: "Share recipe",
      save: "Save changes",
      busy: "Sharing…",
      saving: "Saving…",
      end: "Stop sharing",
      endDialog: {
        title: "Stop sharing “{{name}}”?",
        help: "Those it is shared with no longer see it. Devices that they have started keep running.",
      },
    },
  },
  errors: {
    shareRecipe: "Fail to share recipe.",
    endShare: "Fail to stop sharing the recipe.",
    shareNotFound: "No share found.",
    shareNotAllowed: "You are not allowed to share this recipe.",
    tooManyShares: "You shared a lot in a short time. Wait a minute, then try again.",
  },
});
