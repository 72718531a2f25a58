/** Fields in two columns, where there is room for them. */
export const sideBySide = {
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) minmax(0, 1fr)" },
  alignItems: "start",
  gap: 3,
} as const;
