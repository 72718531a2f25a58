import { Box, Typography } from "@mui/material";
import { styled } from "@mui/material/styles";
import { invoiceState, type Organization, type Overview, planKind, subscriptionState } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { generatePath, Link } from "react-router";
import { longDate } from "../../components/dates.ts";
import { money } from "../../components/money.ts";
import { launchpad, routeRules } from "../../session/routes.ts";
import { hasMinutes, standingOf } from "./license.ts";

interface Tile {
  label: string;
  figure: string;
  detail: string;
  /** Where one acts on it. */
  to: string;
}

const planDetails = {
  inactive: "inactive",
  ended: "ended",
  ending: "ends",
  later: "ends",
  active: "active",
} as const satisfies Record<ReturnType<typeof standingOf>, string>;

/** What is so now, in large figures, each of which leads to where one changes it. */
export function Tiles({ organization, overview }: { organization: Organization; overview: Overview }) {
  const { t } = useTranslation();
  const { running_instances: running, license } = organization;
  const plan = planOf(license);
  const { pending, expiring } = overview.invitations;
  const { spend, unbilled, forecast, currency, last_invoice: last } = overview.billing;
  const tiles: Tile[] = [
    {
      label: t("dashboard.tiles.running"),
      figure: String(running),
      detail: t("dashboard.tiles.limit", { count: license.instances.max }),
      to: `${launchpad}?whose=organization`,
    },
    {
      label: t("dashboard.tiles.plan"),
      figure: t(`dashboard.tiles.plans.${plan}`),
      detail: sayPlan(license, plan, t),
      to: routeRules.billing.path,
    },
    {
      label: t("dashboard.tiles.people"),
      figure: overview.people.count.toLocaleString("en"),
      detail: t("dashboard.tiles.members"),
      to: routeRules.users.path,
    },
    {
      label: t("dashboard.tiles.invitations"),
      figure: String(pending),
      detail: expiring > 0 ? t("dashboard.tiles.expiring", { count: expiring }) : t("dashboard.tiles.notJoined"),
      to: `${routeRules.users.path}?status=pending`,
    },
    {
      label: t("dashboard.tiles.spend"),
      figure: money(spend, currency),
      detail: t(`dashboard.tiles.${forecast === null ? "unbilled" : "forecast"}`, {
        amount: money(unbilled, currency),
        forecast: money(forecast ?? spend, currency),
      }),
      to: routeRules.billing.path,
    },
    {
      label: t("dashboard.tiles.invoice"),
      figure: last ? money(last.amount, last.currency) : t("common.none"),
      detail: last
        ? t("dashboard.tiles.invoiceOf", {
            number: last.invoice_number,
            date: longDate(last.created_at, ""),
            state: t(`invoices.states.${invoiceState(last)}`),
          })
        : t("dashboard.tiles.noInvoice"),
      to: last ? generatePath(routeRules.invoice.path, { uuid: last.uuid }) : routeRules.invoices.path,
    },
  ];
  return (
    <Row>
      {tiles.map(({ label, figure, detail, to }) => (
        <li key={label}>
          <TileLink to={to}>
            <Typography variant="label" component="span" color="textSecondary">
              {label}
            </Typography>
            <Typography variant="figure" component="span" sx={{ overflowWrap: "anywhere" }}>
              {figure}
            </Typography>
            <Box component="span" sx={{ typography: "caption", color: "text.tertiary" }}>
              {detail}
            </Box>
          </TileLink>
        </li>
      ))}
    </Row>
  );
}

/** How the plan stands, and the free minutes that are left. */
function sayPlan(license: Organization["license"], plan: ReturnType<typeof planOf>, t: TFunction): string {
  const standing = standingOf(license);
  const isActive = standing === "active";
  const date = longDate(license.expires_at, "");
  const said =
    isActive && plan === "none" ? t("dashboard.tiles.choose") : t(`dashboard.tiles.${planDetails[standing]}`, { date });
  const count = license.minuteBalance;
  if (standing === "inactive" || standing === "ended" || !hasMinutes(license) || (isActive && count === 0)) return said;
  const minutes = t("dashboard.tiles.minutes", { count });
  return isActive ? minutes : `${said}, ${minutes}`;
}

/** What an organization has. A plan that waits for its first payment is none yet; what ends by itself without one is a trial. */
function planOf({ type, subscription, expires_at }: Organization["license"]) {
  const begun = subscription && subscriptionState(subscription) !== "INCOMPLETE" ? subscription : null;
  return planKind({ type, subscription: begun }) ?? (type === "pending" && expires_at !== null ? "trial" : "none");
}

export const Row = styled("ul")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "repeat(3, minmax(0, 1fr))",
  gap: 16,
  margin: 0,
  padding: 0,
  listStyle: "none",
  [theme.breakpoints.down("md")]: { gridTemplateColumns: "repeat(2, minmax(0, 1fr))", gap: 12 },
}));

const TileLink = styled(Link)(({ theme }) => ({
  display: "grid",
  gap: 4,
  height: "100%",
  alignContent: "start",
  padding: 16,
  borderRadius: 10,
  border: `1px solid ${theme.vars.palette.divider}`,
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  textDecoration: "none",
  "&:hover": { borderColor: theme.vars.palette.outline },
}));
