import { styled } from "@mui/material/styles";

/** What is known about one thing, a `dt` and a `dd` to each line. */
export const FactList = styled("dl")(({ theme }) => ({
  ...theme.typography.body2,
  display: "grid",
  gridTemplateColumns: "auto 1fr",
  alignItems: "baseline",
  gap: "6px 16px",
  margin: 0,
  "& dt": { color: theme.vars.palette.text.tertiary },
  // Dates break between words, and not within.
  "& dd": { margin: 0, textAlign: "right", overflowWrap: "anywhere", textWrap: "balance" },
}));
