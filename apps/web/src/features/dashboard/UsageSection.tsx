import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Usage } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { Dropdown } from "../../components/Dropdown.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { ExportMenu } from "../../components/ExportMenu.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { shortDate } from "../../components/dates.ts";
import { serviceNow } from "../../components/service-time.ts";
import { TextInput } from "../../components/TextInput.tsx";
import { launchpad } from "../../session/routes.ts";
import { exportUsage, timeZone, usageOf } from "./dashboard.queries.ts";
import { type Period, periods, readPeriod, wrongIn, writePeriod } from "./period.ts";
import { UseBy, type UseItem } from "./UseBy.tsx";
import { UseByDay } from "./UseByDay.tsx";

/** What was used in a period, which the address names, and the way to a file of it. */
export function UsageSection() {
  const { t } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const [today] = useState(() => shortDate(new Date(serviceNow()), ""));
  const { name, ...period } = readPeriod(address, today);
  const { data, error, refetch, isPlaceholderData } = useQuery(usageOf(period));
  const { mutate: save, isPending } = useMutation(exportUsage);
  /** Days that are typed take the place of those before, so that the way back leads to what was chosen before. */
  const choose = (chosen: typeof name, days: Period = period) =>
    setAddress(writePeriod(address, chosen, days), { preventScrollReset: true, replace: days !== period });
  return (
    <Box component="section" aria-labelledby="usage" sx={{ display: "grid", gap: 4 }}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3, flexWrap: "wrap" }}>
        <Box sx={{ flex: 1, minWidth: 160 }}>
          <Typography variant="h2" id="usage">
            {t("dashboard.usage")}
          </Typography>
          <Typography variant="caption" sx={{ color: "text.tertiary" }}>
            {t("dashboard.zone", { zone: timeZone() })}
          </Typography>
        </Box>
        <Dropdown
          label={t("dashboard.period.label")}
          choices={periods.map((value) => ({ value, label: t(`dashboard.period.${value}`) }))}
          value={name}
          onChange={(chosen) => choose(chosen)}
        />
        <ExportMenu
          label={t("dashboard.export.label")}
          busy={t("dashboard.export.busy")}
          isBusy={isPending}
          formats={(["csv", "xlsx"] as const).map((value) => ({ value, label: t(`dashboard.export.${value}`) }))}
          onExport={(format) => save({ ...period, format })}
        />
      </Box>
      {name === "custom" && <Days period={period} onChange={(days) => choose("custom", days)} />}
      {error && !data ? (
        <ErrorState
          title={t("errors.fetchUsage")}
          help={t("dashboard.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <Box aria-busy={isPlaceholderData}>
          <Charts usage={data} />
        </Box>
      ) : (
        <Delayed>
          <Skeleton
            variant="rounded"
            animation={false}
            height={320}
            component="output"
            aria-label={t("dashboard.loading")}
          />
        </Delayed>
      )}
    </Box>
  );
}

/** The first and the last day, which count once both make sense and the field is left, or Enter pressed. They follow the address. */
function Days({ period, onChange }: { period: Period; onChange: (days: Period) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(period);
  /** On its way to the address, where the next one may be typed already. */
  const written = useRef<Period>(undefined);
  const follow = useEffectEvent((now: Period) => {
    if (!written.current || !isSame(written.current, now)) setTyped(now);
    written.current = undefined;
  });
  const { since, until } = period;
  useEffect(() => follow({ since, until }), [since, until]);
  const wrong = wrongIn(typed);
  const take = () => {
    if (wrong || isSame(typed, period)) return;
    written.current = typed;
    onChange(typed);
  };
  const field = (which: keyof Period) => (
    <TextInput
      type="date"
      label={t(`dashboard.period.${which}`)}
      value={typed[which]}
      error={which === "until" && wrong ? t(`dashboard.period.wrong.${wrong}`) : undefined}
      onChange={({ target }) => setTyped({ ...typed, [which]: target.value })}
      onBlur={take}
      onKeyDown={({ key }) => key === "Enter" && take()}
    />
  );
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr 1fr", sm: "180px 180px" }, gap: 3 }}>
      {field("since")}
      {field("until")}
    </Box>
  );
}

const isSame = (one: Period, other: Period): boolean => one.since === other.since && one.until === other.until;

function Charts({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  if (usage.total.seconds === 0 && usage.total.starts === 0)
    return (
      <EmptyState title={t("dashboard.unused.title")} help={t("dashboard.unused.help")}>
        <Button component={Link} to={launchpad}>
          {t("dashboard.unused.start")}
        </Button>
      </EmptyState>
    );
  return (
    <Box sx={{ display: "grid", gap: 4 }}>
      <UseByDay usage={usage} />
      <Box
        sx={{
          display: "grid",
          gap: 4,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "repeat(3, minmax(0, 1fr))" },
        }}
      >
        <UseBy by="person" items={people(usage)} others={usage.people.others} />
        <UseBy by="group" items={groups(usage, t)} others={usage.groups.others} />
        <UseBy by="recipe" items={recipes(usage, t)} others={usage.recipes.others} />
      </Box>
    </Box>
  );
}

const people = (usage: Usage): UseItem[] =>
  usage.people.results.map(({ person, ...use }) => ({ ...use, key: person.uuid, name: nameOf(person) }));

const groups = (usage: Usage, t: TFunction): UseItem[] =>
  usage.groups.results.map(({ group, ...use }) => ({
    ...use,
    key: group?.uuid ?? "none",
    name: group?.name ?? t("dashboard.noGroup"),
  }));

const recipes = (usage: Usage, t: TFunction): UseItem[] =>
  usage.recipes.results.map(({ recipe, ...use }) => ({
    ...use,
    key: recipe?.uuid ?? "none",
    name: recipe?.name ?? t("dashboard.noRecipe"),
    note: recipe?.is_deleted ? t("dashboard.deleted") : undefined,
  }));
