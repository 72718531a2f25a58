import "../en/prove.ts";
import { Link as MuiLink, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";

/** In place of a form that asks for a password that the account does not have. */
export function NoPassword({ says }: { says: string }) {
  const { t } = useTranslation();
  return (
    <Typography>
      {says}{" "}
      <MuiLink component={Link} to="/password-reset">
        {t("prove.set")}
      </MuiLink>
    </Typography>
  );
}
