import "../../en/sign-in.ts";
import { Box, ButtonBase, Paper, Typography } from "@mui/material";
import type { PublicSettings } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import ArrowRight from "lucide-react/icons/arrow-right";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { useTrouble } from "../../components/use-trouble.ts";
import { refusalKey } from "./refusal.ts";

interface Props {
  accounts: PublicSettings["demo_accounts"];
  signIn: (email: string, password: string) => Promise<void>;
}

/** The accounts anyone may try, and what each may do; only a demonstration has them. */
export default function DemoAccounts({ accounts, signIn }: Props) {
  const { t } = useTranslation();
  const trouble = useTrouble();
  const choose = async (email: string, password: string) => {
    trouble.takeBack();
    await signIn(email, password).catch((error: unknown) =>
      trouble.say(t(refusalKey(error instanceof AppError ? error.code : undefined))),
    );
  };
  return (
    <Box component="section" aria-label={t("signIn.demo.title")} sx={{ width: "100%", display: "grid", gap: 3 }}>
      <Typography variant="body2" color="textSecondary">
        {t("signIn.demo.help")}
      </Typography>
      <Paper variant="outlined" sx={{ borderRadius: "10px", overflow: "hidden" }}>
        {accounts.map(({ role, email, password }) => (
          <ButtonBase key={role} onClick={() => void choose(email, password)} sx={row}>
            <Box sx={{ flex: 1 }}>
              <Typography variant="label" component="div">
                {t(`signIn.demo.roles.${role}.name`)}
              </Typography>
              <Typography variant="caption" component="div" sx={{ color: "text.tertiary" }}>
                {t(`signIn.demo.roles.${role}.may`)}
              </Typography>
            </Box>
            <Icon glyph={ArrowRight} />
          </ButtonBase>
        ))}
      </Paper>
    </Box>
  );
}

const row = {
  width: "100%",
  display: "flex",
  gap: 3,
  px: 4,
  py: 2.5,
  font: "inherit",
  textAlign: "left",
  "& + &": { borderTop: "1px solid var(--mui-palette-divider)" },
  color: "text.secondary",
  "& .MuiTypography-label": { color: "text.primary" },
  "&:hover": { bgcolor: "action.hover" },
  "&.Mui-focusVisible": { outlineOffset: "-2px" },
} as const;
