/** Out of sight, and read by screen readers. */
export const visuallyHidden = {
  position: "absolute",
  // With their unit: bare numbers are taken for shares and steps of the grid.
  width: "1px",
  height: "1px",
  margin: "-1px",
  padding: 0,
  border: 0,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;
