import { styled } from "@mui/material/styles";

/** A plain property, such as an architecture: outlined, never coloured. */
export const Tag = styled("span")(({ theme }) => ({
  ...theme.typography.caption,
  fontWeight: 500,
  display: "inline-flex",
  alignItems: "center",
  height: 20,
  padding: "0 6px",
  borderRadius: 4,
  whiteSpace: "nowrap",
  color: theme.vars.palette.text.secondary,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
}));
