/** What one finds things with, above what was found. */
export const controls = {
  display: "flex",
  alignItems: "center",
  gap: "8px",
  padding: "10px 16px",
  flex: "none",
  minWidth: 0,
};

/** What stands where rows would be. */
export const note = { p: 4, color: "text.secondary", overflowWrap: "anywhere" };

/** Below the rows: what is said about them, and what can be done. */
export const foot = {
  display: "flex",
  alignItems: "center",
  flexWrap: "wrap",
  gap: "8px",
  flex: "none",
  minHeight: 44,
  padding: "4px 8px 4px 16px",
  borderTop: "1px solid",
  borderColor: "divider",
};

/** The words of it. */
export const footWords = { flex: "1 1 80px", minWidth: 0, color: "text.secondary" };
