import { Box, Button, LinearProgress, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Budget, Currency, MonthUse } from "@terrarium/contract";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash-2";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { timeOfDay } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { money } from "../../components/money.ts";
import { PageSection } from "../../components/PageSection.tsx";
import { ToolButton } from "../../components/ToolButton.tsx";
import { listRow } from "../../shared/row-list.ts";
import { BudgetForm } from "./BudgetForm.tsx";
import { budgets as budgetsQuery, extendBudget, removeBudget } from "./budgets.queries.ts";

/** What this month has used and is expected to, and how much of it may be used. */
export function BudgetsSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(budgetsQuery);
  const [edited, setEdited] = useState<{ budget: Budget | undefined }>();
  const [removed, setRemoved] = useState<Budget>();
  const { mutate: remove } = useMutation(removeBudget);
  if (error && !data)
    return (
      <ErrorState
        title={t("errors.fetchBudgets")}
        help={t("budgets.unread")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return (
      <Delayed>
        <Skeleton
          variant="rounded"
          animation={false}
          height={160}
          component="output"
          aria-label={t("budgets.loading")}
        />
      </Delayed>
    );
  const { month, results } = data;
  return (
    <PageSection id="budgets" title={t("budgets.title")} about={<Month {...month} />}>
      {results.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t("budgets.none")}
        </Typography>
      ) : (
        <Box component="ul" aria-label={t("budgets.title")} sx={list}>
          {results.map((budget) => (
            <Line
              key={budget.uuid}
              budget={budget}
              currency={month.currency}
              onEdit={() => setEdited({ budget })}
              onRemove={() => setRemoved(budget)}
            />
          ))}
        </Box>
      )}
      <Button variant="outlined" sx={{ mt: 4 }} onClick={() => setEdited({ budget: undefined })}>
        {t("budgets.set")}
      </Button>
      {edited && <BudgetForm budget={edited.budget} currency={month.currency} onClose={() => setEdited(undefined)} />}
      {removed && (
        <ConfirmDialog
          isDestructive
          title={t("budgets.removeDialog.title", removed.of)}
          confirm={t("budgets.removeDialog.confirm")}
          onClose={() => setRemoved(undefined)}
          onConfirm={() => {
            setRemoved(undefined);
            remove(removed);
          }}
        >
          <Typography color="textSecondary">{t("budgets.removeDialog.text")}</Typography>
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

const number = new Intl.NumberFormat("en");
const lastDay = new Intl.DateTimeFormat("en", { timeZone: "UTC", month: "long", day: "numeric" });

function Month({ minutes, amount, expected_minutes, expected_amount, until, currency }: MonthUse) {
  const { t } = useTranslation();
  return (
    <>
      {t("budgets.month", { minutes: number.format(minutes), amount: money(amount, currency) })}{" "}
      {t("budgets.expected", {
        minutes: number.format(expected_minutes),
        amount: money(expected_amount, currency),
        // The next month begins then: its last moment is the day before.
        date: lastDay.format(Date.parse(until) - 1),
      })}{" "}
      {t("budgets.about")}
    </>
  );
}

interface LineProps {
  budget: Budget;
  currency: Currency;
  onEdit: () => void;
  onRemove: () => void;
}

/** The part of a budget from which on its bar warns. */
const NEARLY_USED = 0.8;

function Line({ budget, currency, onEdit, onRemove }: LineProps) {
  const { t } = useTranslation();
  const { mutate: extend, isPending } = useMutation(extendBudget);
  const { of, used, limit, expected, stops, stops_at: stopsAt } = budget;
  const say = (value: number) => sayUse(value, budget.unit, currency, t);
  const share = used / limit;
  const said = t("budgets.used", { used: say(used), limit: say(limit) });
  return (
    <Box component="li" sx={[listRow, { alignItems: "flex-start", py: 3 }]}>
      <Box sx={{ flex: 1, minWidth: 0, display: "grid", gap: 1 }}>
        <Box sx={{ display: "flex", gap: 2, alignItems: "baseline", minWidth: 0 }}>
          <Typography noWrap title={of.name} sx={{ fontWeight: 550, minWidth: 0 }}>
            {of.name}
          </Typography>
          <Typography variant="caption" sx={{ color: "text.tertiary", flex: "none" }}>
            {t(`budgets.kind.${of.kind}`)}
          </Typography>
        </Box>
        <LinearProgress
          variant="determinate"
          value={Math.min(100, share * 100)}
          color={share >= 1 ? "error" : share >= NEARLY_USED ? "warning" : "primary"}
          aria-label={of.name}
          aria-valuetext={said}
          sx={{ height: 6, borderRadius: "3px" }}
        />
        <Typography variant="caption" sx={{ color: "text.secondary" }}>
          {said} · {t("budgets.pace", { expected: say(expected) })} · {t(stops ? "budgets.stops" : "budgets.warns")}
        </Typography>
        {stopsAt && (
          <Box sx={{ display: "flex", alignItems: "center", gap: 3, flexWrap: "wrap" }}>
            <Typography variant="body2" sx={{ color: "error.main" }}>
              {t("budgets.stopping", { time: timeOfDay(stopsAt, "") })}
            </Typography>
            <Button size="small" disabled={isPending} onClick={() => extend(budget)}>
              {t("budgets.extend")}
            </Button>
          </Box>
        )}
      </Box>
      <ToolButton glyph={Pencil} label={t("budgets.edit", of)} onClick={onEdit} />
      <ToolButton glyph={Trash2} label={t("budgets.remove", of)} onClick={onRemove} />
    </Box>
  );
}

const sayUse = (value: number, unit: Budget["unit"], currency: Currency, t: TFunction): string =>
  unit === "minutes" ? t("budgets.minutes", { minutes: number.format(value) }) : money(value, currency);

const list = { listStyle: "none", m: 0, p: 0, "& > li:first-of-type": { borderTop: 0, pt: 0 } } as const;
