import "../../en/sign-in.ts";
import { Box, Paper, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate } from "react-router";
import { client, session } from "../../session/client.ts";
import { redirectOf } from "../../session/guards.ts";
import { publicSettings } from "../../session/settings.ts";
import { Logo } from "../../shared/glyphs.tsx";
import { DemoAccounts } from "./DemoAccounts.tsx";
import { SignInForm } from "./SignInForm.tsx";

export default function SignInPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const settings = useQuery(publicSettings);
  const signIn = async (email: string, password: string): Promise<void> => {
    session.open(await client.users.login({ body: { email, password } }));
    await navigate(redirectOf(search), { replace: true });
  };
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <Box component={Link} to="/" aria-label={t("common.product")} sx={{ color: "primary.main", display: "flex" }}>
        <Logo size={40} />
      </Box>
      <Paper variant="outlined" sx={card}>
        <Typography variant="h1" sx={{ mb: 4 }}>
          {t("signIn.title")}
        </Typography>
        <SignInForm signIn={signIn} />
      </Paper>
      {settings.data && settings.data.demo_accounts.length > 0 && (
        <DemoAccounts accounts={settings.data.demo_accounts} signIn={signIn} />
      )}
    </Box>
  );
}

const page = {
  minHeight: "100dvh",
  display: "grid",
  alignContent: "center",
  justifyItems: "center",
  gap: 6,
  p: { xs: 4, sm: 6 },
  outline: "none",
} as const;
const card = {
  width: "100%",
  maxWidth: 400,
  p: 6,
  borderRadius: "14px",
  boxShadow: "var(--depth-2), var(--glass-edge)",
} as const;
