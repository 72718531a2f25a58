import { Box, Link as TextLink, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import {
  type Budget,
  isRenewalFailed,
  limits,
  type Organization,
  type Overview,
  planKind,
  subscriptionState,
} from "@terrarium/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { longDate } from "../../components/dates.ts";
import { Icon } from "../../components/Icon.tsx";
import type { dashboard } from "../../en/dashboard.ts";
import { launchpad, type RouteRules, routeRules } from "../../session/routes.ts";
import { publicSettings } from "../../session/settings.ts";
import { Card } from "./Card.tsx";
import { isUsedUp, standingOf } from "./license.ts";

interface Decision {
  key: string;
  /** What is so. */
  fact: string;
  /** What can be done, */
  act?: string;
  /** and where: among the pages, */
  to?: string;
  /** or elsewhere. */
  href?: string | undefined;
}

type Matter = Exclude<
  keyof typeof dashboard.dashboard.decisions,
  "title" | "none" | "contact" | "license" | "unpaid" | "factor_one" | "factor_other" | "group" | "budget"
>;

/** The part of the organization's limit from which on it is shown. */
const NEARLY_USED = 0.8;
/** The others are among the groups. */
const GROUPS = 5;

interface Props {
  organization: Organization;
  overview: Overview;
  budgets: readonly Budget[];
}

/** What needs a decision, each with the way to where it is made. */
export function Decisions({ organization, overview, budgets }: Props) {
  const { t } = useTranslation();
  const support = useQuery(publicSettings).data?.links.support ?? undefined;
  const decisions = [
    ...unpaidDecision(organization, overview, t),
    ...licenseDecision(organization, support, t),
    ...budgetDecisions(budgets, t),
    ...decisionsOf(organization, overview, t),
  ];
  return (
    <Card title={t("dashboard.decisions.title")}>
      {decisions.length === 0 ? (
        <Box sx={{ display: "flex", alignItems: "center", gap: 2, mt: 3, color: "text.secondary" }}>
          <Icon glyph={CircleCheck} />
          <Typography variant="body2">{t("dashboard.decisions.none")}</Typography>
        </Box>
      ) : (
        <Box component="ul" sx={{ listStyle: "none", m: 0, mt: 2, p: 0 }}>
          {decisions.map(({ key, fact, act, to, href }) => (
            <Box component="li" key={key} sx={line}>
              <Box sx={{ color: "warning.main", display: "flex", pt: 0.5 }}>
                <Icon glyph={TriangleAlert} />
              </Box>
              <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: "anywhere" }}>
                {fact}
              </Typography>
              {to !== undefined && (
                <TextLink component={Link} to={to} variant="body2" sx={{ flex: "none" }}>
                  {act}
                </TextLink>
              )}
              {href !== undefined && (
                <TextLink href={href} variant="body2" sx={{ flex: "none" }}>
                  {act}
                </TextLink>
              )}
            </Box>
          ))}
        </Box>
      )}
    </Card>
  );
}

const stateOf = ({ subscription }: Organization["license"]) => subscription && subscriptionState(subscription);

/** An unpaid invoice prevents a plan from going on, or from beginning. */
function unpaidDecision({ license, is_debtor }: Organization, { billing }: Overview, t: TFunction): Decision[] {
  const state = stateOf(license);
  const isUnrenewed = planKind(license) === "unlimited" && isRenewalFailed(billing.last_invoice ?? undefined);
  const owed =
    state === "SUSPENDED" ? "suspended" : state === "OVERDUE" ? "overdue" : isUnrenewed ? "unrenewed" : "debt";
  if (owed === "debt" && !is_debtor) return [];
  const fact = t(`dashboard.decisions.unpaid.${owed}`, {
    date: longDate(license.subscription?.renewal?.ends_at ?? null, ""),
  });
  return [{ key: "unpaid", to: routeRules.invoices.path, fact, act: t("dashboard.decisions.unpaid.act") }];
}

/** Only the operator changes a license, but for one that waits for a payment. */
function licenseDecision({ license, is_debtor }: Organization, support: string | undefined, t: TFunction): Decision[] {
  const standing = standingOf(license);
  if (standing === "active" || standing === "later" || stateOf(license) === "SUSPENDED") return [];
  // The unpaid invoice is shown already, and a payment is the way out.
  if (standing === "inactive" && is_debtor) return [];
  const fact = t(`dashboard.decisions.license.${standing}`, { date: longDate(license.expires_at, "") });
  return [{ key: "license", fact, act: t("dashboard.decisions.contact"), href: support }];
}

/** Those of which most is used. */
const budgetDecisions = (budgets: readonly Budget[], t: TFunction): Decision[] =>
  budgets
    .filter(({ used, limit }) => used >= NEARLY_USED * limit)
    .map(({ uuid, of, used, limit }) => ({
      key: uuid,
      to: "#budgets",
      fact: t("dashboard.decisions.budget.fact", { name: of.name, percent: Math.floor((100 * used) / limit) }),
      act: t("dashboard.decisions.budget.act"),
    }));

/** Nobody but they themselves can set one up. */
const factorless = (count: number, t: TFunction): Decision[] =>
  count > 0 ? [{ key: "factor", fact: t("dashboard.decisions.factor", { count }) }] : [];

function decisionsOf(organization: Organization, { invitations, people, groups }: Overview, t: TFunction): Decision[] {
  const { running_instances: running, license } = organization;
  const { max } = license.instances;
  const pending = `${routeRules.users.path}?status=pending`;
  const isNearlyUsed = running > 0 && running >= NEARLY_USED * max;
  const of = (key: Matter, to: string, count: number): Decision[] => {
    const facts = { count, days: limits.expiringDays, running, max };
    const said = { fact: t(`dashboard.decisions.${key}.fact`, facts), act: t(`dashboard.decisions.${key}.act`) };
    return count > 0 ? [{ key, to, ...said }] : [];
  };
  return [
    ...of("minutes", routeRules.billing.path, isUsedUp(license) ? 1 : 0),
    ...of("limit", `${launchpad}?whose=organization`, isNearlyUsed ? running : 0),
    ...factorless(people.without_second_factor, t),
    ...of("refused", pending, invitations.refused),
    ...of("expired", pending, invitations.expired),
    ...of("expiring", pending, invitations.expiring),
    ...(hasGroups() ? groups : []).slice(0, GROUPS).map(({ uuid, ...group }) => ({
      key: uuid,
      to: `${routeRules.groups.path}?group=${uuid}`,
      fact: t("dashboard.decisions.group.fact", group),
      act: t("dashboard.decisions.group.act"),
    })),
  ];
}

const hasGroups = () => !(routeRules.groups as RouteRules).isDisabled;

const line = {
  display: "flex",
  alignItems: "flex-start",
  gap: 2,
  py: 2,
  "& + &": { borderTop: 1, borderColor: "divider" },
} as const;
