import { Box } from "@mui/material";

/** What is wider than the page is scrolled, by keyboard too. */
export const Code = ({ children, label }: { children: string; label?: string }) => (
  <Box component="section" tabIndex={0} aria-label={label} sx={code}>
    <pre>{children}</pre>
  </Box>
);

/** Text of the document, where backticks mean code. */
export const Prose = ({ children }: { children: string }) =>
  children.split("`").map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));

const code = {
  "& pre": { m: 0 },
  p: 4,
  typography: "mono",
  color: "text.primary",
  overflow: "auto",
  maxHeight: 480,
  borderRadius: "10px",
  boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
} as const;
