import { sentences } from "./sentences.ts";

export const palette = sentences({
  palette: {
    title: "Commands",
    open: "Search and commands",
    search: "Go to, start, find or change",
    results: "Results",
    none: "Nothing matches “{{text}}”.",
    found_one: "{{count}} result",
    found_other: "{{count}} results",
    failed: "Devices and recipes could not be searched. Screens and commands still can.",
    groups: {
      recent: "Recent",
      go: "Go to",
      devices: "Devices",
      recipes: "Start a device",
      people: "People",
      do: "Do",
    },
    start: "Start {{name}}",
    devicesOf: "Devices of {{email}}",
    theme: { light: "Light theme", dark: "Dark theme", system: "Theme of the system" },
    keys: "Keyboard shortcuts",
    deviceKeys: "On a device, while its controls have the focus",
    leaveDevice: "From its screen to its controls",
  },
});
