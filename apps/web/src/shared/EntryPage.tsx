import { Box, Paper, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Logo } from "./glyphs.tsx";

interface Props {
  title: string;
  children: React.ReactNode;
  /** What stands below the card. */
  below?: React.ReactNode;
}

/** The frame of the pages on the way in: signing in, the terms, an account, a new password. */
export function EntryPage({ title, children, below }: Props) {
  const { t } = useTranslation();
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <Box
        component={Link}
        to="/"
        aria-label={t("common.product")}
        sx={{ color: "primary.main", display: "flex", p: "2px" }}
      >
        <Logo size={40} />
      </Box>
      <Paper variant="outlined" sx={card}>
        <Typography variant="h1">{title}</Typography>
        {children}
      </Paper>
      {below}
    </Box>
  );
}

const page = {
  minHeight: "100dvh",
  display: "grid",
  gridTemplateColumns: "minmax(0, 400px)",
  // Not in the middle: nothing may move when what stands below arrives later.
  placeContent: "start center",
  justifyItems: "center",
  gap: 6,
  p: { xs: 4, sm: 6 },
  pt: { xs: "6dvh", sm: "14dvh" },
} as const;
const card = {
  width: "100%",
  p: 6,
  display: "grid",
  gap: 4,
  borderRadius: "14px",
  boxShadow: "var(--depth-2), var(--glass-edge)",
} as const;
