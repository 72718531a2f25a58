import "../en/around.ts";
import { Box, Button, Link as MuiLink, Paper, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { analyticsConsent } from "../shared/consent.ts";

/** Asks once whether use may be counted. Both answers are equally near, and the page can be used without one. */
export function ConsentBar() {
  const { t } = useTranslation();
  return (
    <Paper component="section" aria-label={t("around.consent.label")} data-floating sx={bar}>
      <Typography variant="body2" sx={{ flex: "1 1 320px" }}>
        {t("around.consent.text")}{" "}
        <MuiLink component={Link} to="/legal/privacy-policy/#consent" target="_blank">
          {t("around.consent.privacy")}
        </MuiLink>
      </Typography>
      <Box sx={{ display: "flex", gap: 2 }}>
        <Button onClick={() => analyticsConsent.write(false)}>{t("around.consent.refuse")}</Button>
        <Button onClick={() => analyticsConsent.write(true)}>{t("around.consent.allow")}</Button>
      </Box>
    </Paper>
  );
}

const bar = {
  position: "fixed",
  left: 16,
  right: 16,
  bottom: 16,
  maxWidth: 760,
  mx: "auto",
  zIndex: "fab",
  displayPrint: "none",
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: 4,
  p: 4,
  background: "var(--mui-palette-background-raised)",
  borderRadius: "14px",
  boxShadow: "var(--depth-3), 0 0 0 1px var(--mui-palette-divider)",
} as const;
