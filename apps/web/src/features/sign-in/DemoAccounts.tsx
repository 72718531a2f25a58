import { Box, Button, Typography } from "@mui/material";
import type { PublicSettings } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";

interface Props {
  accounts: PublicSettings["demo_accounts"];
  signIn: (email: string, password: string) => Promise<void>;
}

/** The accounts anyone may try; only a demonstration has them. */
export function DemoAccounts({ accounts, signIn }: Props) {
  const { t } = useTranslation();
  const trouble = useTrouble();
  const choose = async (email: string, password: string) => {
    trouble.takeBack();
    await signIn(email, password).catch(() => trouble.say(t("signIn.errors.other")));
  };
  return (
    <Box
      component="section"
      aria-label={t("signIn.demoTitle")}
      sx={{ width: "100%", maxWidth: 400, display: "grid", gap: 3 }}
    >
      <Typography variant="body2" color="textSecondary">
        {t("signIn.demoHelp")}
      </Typography>
      <Box sx={{ display: "grid", gridTemplateColumns: "repeat(3, 1fr)", gap: 2 }}>
        {accounts.map(({ role, email, password }) => (
          <Button key={role} title={email} onClick={() => void choose(email, password)}>
            {t(`signIn.demoRole.${role}`)}
          </Button>
        ))}
      </Box>
    </Box>
  );
}
