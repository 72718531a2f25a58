import { sentences } from "./sentences.ts";

/** What is said of screenshots and recordings that are kept. */
export const captures = sentences({
  captures: {
    title: "Captures",
    room: "{{used}} of {{max}} used by your organization. Captures are kept until they are deleted.",
    table: "Your captures",
    filter: "Filter by device",
    columns: { kind: "Kind", device: "Device", length: "Length", size: "Size", picture: "Pixels", created: "Made" },
    columnsLead: "Choose what the list of captures shows.",
    kindLabel: "Kind",
    kinds: { any: "All", screenshot: "Screenshots", recording: "Recordings", replay: "Replays" },
    kind: { screenshot: "Screenshot", recording: "Recording", replay: "Replay" },
    of: "{{kind}} of {{device}}",
    pixels: "{{width}} × {{height}}",
    show: "Open {{name}}",
    save: "Download {{name}}",
    remove: "Delete {{name}}",
    short: { show: "Open", save: "Download", remove: "Delete" },
    dialog: {
      loading: "Loading the file",
      label: "{{kind}} of {{device}}",
      unplayable: "This browser cannot play it.",
    },
    delete: {
      title: "Delete this {{kind}} of {{device}}?",
      help: "Its file is deleted as well. It cannot be had back.",
      confirm: "Delete",
      done: "Deleted",
      kind: { screenshot: "screenshot", recording: "recording", replay: "replay" },
    },
    empty: {
      title: "Nothing was captured yet",
      help: "Keep screenshots and recordings with the buttons beside a device. They stay when the device is gone.",
    },
    noMatch: { title: "No capture matches", help: "Try another device or kind." },
    failed: "Your captures are safe.",
    kept: {
      screenshot: "Screenshot kept",
      recording: "Recording kept",
      limit: "The recording has ended after 30 minutes or 500 MB, and was kept",
      full: "The recording has ended, as your organization has no room for more. What there was is kept",
      show: "Show",
      not: "The recording could not be kept.",
      nothing: "Nothing was recorded: no picture came.",
    },
    side: {
      label: "Captures of {{name}}",
      loading: "Loading the captures",
      count_one: "{{count}} capture",
      count_other: "{{count}} captures",
      cut: "The latest {{shown}} of {{count}} captures",
      all: "All captures",
    },
  },
  errors: {
    fetchCaptures: "Captures did not load.",
    fetchCapture: "The file did not load.",
    deleteCapture: "The capture was not deleted. Try again.",
    saveCapture: "The file was not downloaded. Try again.",
  },
});
