import { Link } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { routeRules } from "../../session/routes.ts";
import type { Me } from "../../session/user.ts";

/** Where a manager puts a license right with which nothing starts; nothing for anybody else, and any other refusal. */
export function LicenseHint({ code, me }: { code: string | undefined; me: Me }) {
  const { t } = useTranslation();
  if (me.role !== "manager" || (code !== "LICENSE_EXPIRED" && code !== "INVALID_LICENSE")) return null;
  return (
    <Link component={RouterLink} to={routeRules.billing.path} sx={{ color: "inherit", fontWeight: 550 }}>
      {t("common.titles.billing")}
    </Link>
  );
}
