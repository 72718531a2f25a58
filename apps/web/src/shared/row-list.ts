/** A short list in a dialog, which scrolls if it grows: rows with a line above each. */
export const rowList = { listStyle: "none", m: 0, p: 0, maxHeight: { sm: 300 }, overflowY: "auto" } as const;

/** A row of it: a mark, text that takes the room that is left, and what can be done. */
export const listRow = {
  display: "flex",
  alignItems: "center",
  gap: 3,
  minHeight: 56,
  borderTop: 1,
  borderColor: "divider",
} as const;
