import { Box, Button, Paper, Typography } from "@mui/material";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Offer, Organization, Subscription } from "@terrarium/contract";
import CalendarX from "lucide-react/icons/calendar-x";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { money } from "../../components/money.ts";
import { StateChip } from "../../components/StateChip.tsx";
import { balance as balanceQuery, usageOf } from "./billing.queries.ts";
import type { Standing } from "./plan-standing.ts";

interface Props {
  organization: Organization;
  offer: Offer;
  /** Business days in which a request for a trial is answered. */
  reviewDays: number;
  standing: Standing;
  onAsk: (what: "cancel" | "restore" | "trial") => void;
}

/** What an organization has, what it has used, and how that ends. */
export function CurrentPlan({ organization, offer, reviewDays, standing, onAsk }: Props) {
  const { t } = useTranslation();
  const { kind, plan, isEnding, mayRestore, state } = standing;
  const { trial, instances, expires_at: licenseEnds } = organization.license;
  const isTrial = kind === null && trial?.state === "APPROVED";
  const isStarting = state === "INCOMPLETE";
  const { is_active: isActive } = organization.license;
  const mayAskTrial = kind === null && !isStarting && isActive && (trial === null || trial.state === "REJECTED");
  const { data: usage } = useQuery(usageOf(plan?.uuid));
  const threshold = usage?.threshold_cents ?? offer.payg_threshold_cents;
  const about = aboutOf(t, { organization, offer, standing, threshold });
  return (
    <Paper variant="outlined" sx={{ borderRadius: "10px", minWidth: 0 }}>
      <Box sx={{ p: { xs: 4, sm: 5 }, display: "grid", gap: 2 }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3 }}>
          <Typography variant="h3" sx={{ fontSize: "1rem" }}>
            {kind ? t(`plans.names.${kind}`) : t(isTrial ? "plans.current.trial" : "plans.current.none")}
          </Typography>
          <PlanChip standing={standing} />
          <Box sx={{ flex: 1 }} />
          {plan && !isEnding && !isStarting && (
            <Button variant="outlined" onClick={() => onAsk("cancel")}>
              {t("plans.current.cancel")}
            </Button>
          )}
          {mayRestore && (
            <Button variant="outlined" onClick={() => onAsk("restore")}>
              {t("plans.current.restore")}
            </Button>
          )}
          {mayAskTrial && (
            <Button variant="outlined" onClick={() => onAsk("trial")}>
              {t("plans.current.requestTrial")}
            </Button>
          )}
        </Box>
        {about !== undefined && (
          <Typography variant="body2" color="textSecondary" sx={{ maxWidth: "72ch" }}>
            {about}
          </Typography>
        )}
        {plan && kind && state !== "expired" && licenseEnds !== null && (
          <Typography variant="body2">
            {t("plans.current.about.license", { date: longDate(licenseEnds, "") })}
          </Typography>
        )}
        {kind === null && trial && trial.state !== "APPROVED" && (
          <Typography variant="body2" color="textSecondary" sx={{ maxWidth: "72ch" }}>
            {trial.state === "REQUESTED"
              ? t("plans.current.trialRequested", { count: reviewDays, date: longDate(trial.requested_at, "") })
              : t("plans.current.trialRejected")}
          </Typography>
        )}
        <Typography variant="body2">
          {t("plans.current.devices", { count: kind === "unlimited" && plan ? plan.quantity : instances.max })}
        </Typography>
      </Box>
      <Figures
        plan={isStarting ? null : plan}
        hasBill={kind === "payg"}
        hasMinutes={kind !== "unlimited" && kind !== "fixed"}
      />
    </Paper>
  );
}

function aboutOf(
  t: TFunction,
  { organization, offer, standing, threshold }: Omit<Props, "onAsk" | "reviewDays"> & { threshold: number },
): string | undefined {
  const { kind, plan, isEnding, mayRestore, state, warnings } = standing;
  const { expires_at, trial, is_active, minuteBalance } = organization.license;
  const end = longDate(plan?.current_period_end, "");
  if (state === "expired")
    return t(
      `plans.current.about.over.${plan && kind ? "plan" : kind === "fixed" ? "fixed" : trial?.state === "APPROVED" ? "trial" : "none"}`,
      {
        date: longDate(expires_at, ""),
      },
    );
  if (kind === "payg")
    return t("plans.current.about.payg", {
      price: money(plan?.items[0]?.plan.price ?? offer.minute_cents, offer.currency),
      threshold: money(threshold, offer.currency),
      date: end,
    });
  if (kind === "unlimited") {
    const paid = t(plan?.plan === "annual" ? "plans.current.about.annual" : "plans.current.about.monthly");
    // The warning says when it ends.
    if (!isEnding && warnings.some(({ what }) => what === "renewal")) return paid;
    const then = mayRestore ? "restorable" : isEnding ? "ends" : "renews";
    return `${paid} ${t(`plans.current.about.${then}`, { date: end })}`;
  }
  if (kind === "fixed")
    return expires_at === null
      ? t("plans.current.about.fixed")
      : t("plans.current.about.fixedUntil", { date: longDate(expires_at, "") });
  // The warning says so.
  if (!is_active) return undefined;
  if (minuteBalance === 0) return t("plans.current.about.usedUp");
  if (trial?.state === "APPROVED") return t("plans.current.about.trial", { date: longDate(expires_at, "") });
  return expires_at === null
    ? t("plans.current.about.none")
    : t("plans.current.about.noneUntil", { date: longDate(expires_at, "") });
}

/** How it stands, in a word. */
function PlanChip({ standing: { plan, state, kind, isEnding } }: { standing: Standing }) {
  const { t } = useTranslation();
  if (state === "expired" || state === "inactive" || state === "SUSPENDED" || state === "OVERDUE")
    return (
      <StateChip
        tone="error"
        glyph={state === "expired" ? Clock : state === "OVERDUE" ? TriangleAlert : CircleSlash}
        label={t(`plans.current.states.${state}`)}
      />
    );
  if (state === "INCOMPLETE" || state === "CANCELLED")
    return (
      <StateChip
        tone={state === "INCOMPLETE" ? "info" : "gone"}
        glyph={state === "INCOMPLETE" ? Clock : CircleSlash}
        label={t(`plans.current.states.${state}`)}
      />
    );
  if (isEnding && plan)
    return (
      <StateChip
        tone="ending"
        glyph={CalendarX}
        label={t("plans.current.states.ending", { date: longDate(plan.current_period_end, "") })}
      />
    );
  return kind && <StateChip tone="success" glyph={CircleCheck} label={t("plans.current.states.ACTIVE")} />;
}

/** What is left and what was used, as it is now. What did not load is said in its place. */
function Figures({ plan, hasBill, hasMinutes }: { plan: Subscription | null; hasBill: boolean; hasMinutes: boolean }) {
  const { t } = useTranslation();
  const balance = useQuery(balanceQuery);
  const usage = useQuery(usageOf(plan?.uuid));
  if (!plan && !hasMinutes) return null;
  return (
    <Box component="dl" sx={figures}>
      {hasMinutes && (
        <Figure
          label={t("plans.current.free")}
          query={balance}
          failed={t("errors.fetchBalance")}
          say={({ minutes }) => minutes.toLocaleString("en-US")}
        />
      )}
      {plan && (
        <Figure
          label={t("plans.current.used")}
          query={usage}
          failed={t("errors.fetchUsage")}
          say={({ minutes }) => minutes.toLocaleString("en-US")}
          note={({ period_start }) => t("plans.current.since", { date: longDate(period_start, "") })}
        />
      )}
      {hasBill && (
        <Figure
          label={t("plans.current.toPay")}
          query={balance}
          failed={t("errors.fetchBalance")}
          say={({ amount, currency }) => money(amount, currency)}
          note={() => t("plans.current.withoutTax")}
        />
      )}
    </Box>
  );
}

interface FigureProps<Data> {
  label: string;
  query: UseQueryResult<Data>;
  failed: string;
  say: (data: Data) => string;
  note?: (data: Data) => string;
}

function Figure<Data>({ label, query: { data, error, refetch }, failed, say, note }: FigureProps<Data>) {
  const { t } = useTranslation();
  return (
    <div>
      <Typography component="dt" variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Box component="dd" sx={{ m: 0 }}>
        {data !== undefined && (
          <Typography variant="figure" component="span">
            {say(data)}
          </Typography>
        )}
        {data !== undefined && note && (
          <Typography variant="caption" sx={{ display: "block", color: "text.tertiary" }}>
            {note(data)}
          </Typography>
        )}
        {data === undefined && !error && <Typography variant="figure">{t("common.none")}</Typography>}
        {error && (
          <Typography variant="body2" role="alert" sx={{ color: "error.main" }}>
            <span>{failed}</span>{" "}
            <Button variant="text" size="small" onClick={() => void refetch()}>
              {t("common.tryAgain")}
            </Button>
          </Typography>
        )}
      </Box>
    </div>
  );
}

const figures = {
  m: 0,
  px: { xs: 4, sm: 5 },
  py: 4,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "repeat(3, minmax(0, 1fr))" },
  gap: 4,
  borderTop: 1,
  borderColor: "divider",
} as const;
