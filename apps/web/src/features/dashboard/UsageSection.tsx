import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Usage } from "@terrarium/contract";
import type { TFunction } from "i18next";
import Download from "lucide-react/icons/download";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { Dropdown } from "../../components/Dropdown.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { shortDate } from "../../components/dates.ts";
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
  const [today] = useState(() => shortDate(new Date(), ""));
  const { name, ...period } = readPeriod(address, today);
  const { data, error, refetch, isPlaceholderData } = useQuery(usageOf(period));
  const { mutate: save, isPending } = useMutation(exportUsage);
  const choose = (chosen: typeof name, days: Period = period) =>
    setAddress(writePeriod(address, chosen, days), { preventScrollReset: true });
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
        {(["csv", "xlsx"] as const).map((format) => (
          <Button
            key={format}
            aria-label={t(`dashboard.export.${format}`)}
            aria-disabled={isPending}
            onClick={() => {
              if (!isPending) save({ ...period, format });
            }}
          >
            <Icon glyph={Download} />
            {format.toUpperCase()}
          </Button>
        ))}
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
          <Skeleton variant="rounded" animation={false} height={320} aria-label={t("dashboard.loading")} />
        </Delayed>
      )}
    </Box>
  );
}

/** The first and the last day, which count once both make sense. */
function Days({ period, onChange }: { period: Period; onChange: (days: Period) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(period);
  const wrong = wrongIn(typed);
  const field = (which: keyof Period) => (
    <TextInput
      type="date"
      label={t(`dashboard.period.${which}`)}
      value={typed[which]}
      error={which === "until" && wrong ? t(`dashboard.period.wrong.${wrong}`) : undefined}
      onChange={({ target }) => {
        const next = { ...typed, [which]: target.value };
        setTyped(next);
        if (!wrongIn(next)) onChange(next);
      }}
    />
  );
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: { xs: "1fr 1fr", sm: "180px 180px" }, gap: 3 }}>
      {field("since")}
      {field("until")}
    </Box>
  );
}

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
