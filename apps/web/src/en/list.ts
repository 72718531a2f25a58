import { sentences } from "./sentences.ts";

/** What any list says of itself. */
export const list = sentences({
  common: {
    refresh: "Refresh",
    clearFilters: "Clear the filter",
    table: {
      selectAll: "Select all rows",
      select: "Select {{name}}",
      more: "More actions for {{name}}",
      details: "Details of {{name}}",
      latest_one: "The latest one",
      latest_other: "The latest {{count}}",
      earlier_one: "{{count}} earlier one",
      earlier_other: "{{count}} earlier ones",
      range: "{{from}}–{{to}} of {{total}}",
      rows: "Rows",
      previous: "Previous page",
      next: "Next page",
    },
    columns: { title: "Columns", apply: "Apply", reset: "Reset" },
    bulk: {
      selected_one: "{{count}} selected",
      selected_other: "{{count}} selected",
      copyIds_one: "Copy ID",
      copyIds_other: "Copy IDs",
      idsCopied_one: "Copied {{count}} ID",
      idsCopied_other: "Copied {{count}} IDs",
      clear: "Clear the selection",
    },
    keys: {
      title: "Keys",
      caps: {
        search: "/",
        help: "?",
        arrows: "Arrows",
        enter: "Enter",
        space: "Space",
        range: "Shift Space",
        menu: "Shift F10",
        escape: "Esc",
      },
      search: "Filter the list",
      help: "Show these keys",
      arrows: "Move between rows, tools and commands",
      enter: "Open or choose",
      space: "Select a row",
      range: "Select all rows from the last one selected",
      menu: "List what can be done with a row",
      escape: "Close, or clear the selection",
    },
  },
});
