import { Alert, Box, Link } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { longDate } from "../../components/dates.ts";
import { routeRules } from "../../session/routes.ts";
import type { Warning } from "./plan-standing.ts";

export const invoicesPath = `${routeRules.administration.path}/invoices`;

/** Those that an invoice is the way out of. */
const owed: Warning["what"][] = ["overdue", "suspended", "debtor", "unpaid", "renewal"];
const urgent: Warning["what"][] = ["suspended", "unpaid", "expired", "ended", "inactive"];

/** What a manager has to know at once, and where it is put right. */
export function Warnings({ warnings }: { warnings: Warning[] }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      {warnings.map(({ what, date }) => (
        <Alert key={what} severity={urgent.includes(what) ? "error" : "warning"}>
          {t(`plans.banners.${what}`, { date: longDate(date, "") })}{" "}
          {owed.includes(what) && (
            <Link component={RouterLink} to={invoicesPath} sx={{ color: "inherit", fontWeight: 550 }}>
              {t("plans.banners.invoices")}
            </Link>
          )}
        </Alert>
      ))}
    </Box>
  );
}
