import { sentences } from "./sentences.ts";

export const announcement = sentences({
  announcement: {
    label: "Announcement",
    title: "x86 devices end on March 30, 2026.",
    text: "After that day only arm64 devices can be started. Move your recipes to arm64 before then.",
  },
});
