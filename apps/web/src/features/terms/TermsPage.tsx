import "../../en/terms.ts";
import { Box, Button, Link as MuiLink, Paper, Typography } from "@mui/material";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { client, session } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { Logo } from "../../shared/glyphs.tsx";
import { useTrouble } from "../../components/use-trouble.ts";

export default function TermsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const trouble = useTrouble();
  const [busy, setBusy] = useState(false);
  const accept = async (): Promise<void> => {
    setBusy(true);
    trouble.takeBack();
    try {
      session.update(await client.users.acceptTerms());
      await navigate(redirectOf(search), { replace: true });
    } catch {
      trouble.say(t("terms.failed"));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Box
      component="main"
      id="main"
      tabIndex={-1}
      sx={{
        minHeight: "100dvh",
        display: "grid",
        placeContent: "center",
        justifyItems: "center",
        gap: 6,
        p: 4,
        outline: "none",
      }}
    >
      <Box sx={{ color: "primary.main", display: "flex" }}>
        <Logo size={40} />
      </Box>
      <Paper
        variant="outlined"
        sx={{
          maxWidth: 440,
          p: 6,
          borderRadius: "14px",
          boxShadow: "var(--depth-2), var(--glass-edge)",
          display: "grid",
          gap: 4,
        }}
      >
        <Typography variant="h1">{t("terms.title")}</Typography>
        <Typography color="textSecondary">{t("terms.lead")}</Typography>
        <Box sx={{ display: "flex", gap: 4, flexWrap: "wrap" }}>
          <MuiLink component={Link} to="/legal/terms-and-conditions/" target="_blank">
            {t("terms.read")}
          </MuiLink>
          <MuiLink component={Link} to="/legal/privacy-policy/" target="_blank">
            {t("terms.privacy")}
          </MuiLink>
        </Box>
        <Button variant="contained" color="primary" size="large" disabled={busy} onClick={() => void accept()}>
          {t("terms.accept")}
        </Button>
      </Paper>
    </Box>
  );
}
