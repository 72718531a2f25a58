import { sentences } from "./sentences.ts";

/** What's new: the words of each entry of `features/updates/updates.ts`. */
export const updates = sentences({
  updates: {
    title: "What’s new",
    new: "New",
    all: "All news",
    read: "Close",
    understood: "Got it",
    back: "Back",
    entries: {
      "25-07_1": {
        title: "A shelf of live devices",
        text: [
          "The launchpad can show your running devices as a shelf: each with its own small live picture. Hover to peek, press to open, and the picture grows into the display.",
          "Nothing is streamed for devices that nobody looks at.",
        ],
      },
      "25-05_1": {
        title: "Share recipes",
        text: [
          "Share a recipe with colleagues, with guests or with your whole organization. They can start it at once, and you can change or end the share whenever you like.",
        ],
      },
      "25-03_2": {
        title: "A link that starts a device",
        text: [
          "Each recipe has a link and a badge for a README or a ticket. Whoever follows it sees what would start, and starts it with one press.",
        ],
      },
      "25-03_1": {
        title: "Drop an app on a device",
        text: ["Drop an APK on a device, on the shelf or in its display. It is installed and opened."],
      },
      "24-11_1": {
        title: "Save a device as a recipe",
        text: [
          "Set a device up once, save it, and start as many as you need from there. What did not change is not stored twice.",
        ],
      },
      "24-09_1": {
        title: "Hardware profiles of your own",
        text: ["Describe screens, memory and sensors of the device you need, and use them in your recipes."],
      },
      "24-05_1": {
        title: "API tokens",
        text: [
          "Create tokens for scripts and build servers. Each can be revoked on its own, and shows when it was last used.",
        ],
      },
    },
  },
});
