import { useMediaQuery } from "@mui/material";
import { useTheme } from "@mui/material/styles";
import { BarChart } from "@mui/x-charts/BarChart";
import type { Usage } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { sayDay, sayDayShort, sayUse } from "./say-use.ts";

/** From here on an axis counts in hours. */
const IN_HOURS = 3 * 3600;

/** About as many lines has the chart. */
const TICKS = 4;

/** How many days have their names below the chart, where there is room for them. */
const NAMED = { phone: 5, other: 10 };

/** A bar for each day. Loaded by itself, as the library is large. */
export default function DayChart({ days }: { days: Usage["days"] }) {
  const { t } = useTranslation();
  const { vars, typography } = useTheme();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  // As many days lie between all that are named, however long their names are.
  const step = Math.ceil(days.length / NAMED[isPhone ? "phone" : "other"]);
  const isInHours = days.some(({ seconds }) => seconds >= IN_HOURS);
  const unit = isInHours ? 3600 : 60;
  const label = { fontFamily: typography.fontFamily, fontSize: 12, fill: vars.palette.text.tertiary };
  return (
    <BarChart
      height={240}
      hideLegend
      skipAnimation
      disableKeyboardNavigation
      borderRadius={3}
      grid={{ horizontal: true }}
      margin={{ left: 0, right: 0, top: 8, bottom: 0 }}
      xAxis={[
        {
          data: days.map(({ day }) => day),
          scaleType: "band",
          categoryGapRatio: days.length > 40 ? 0.1 : 0.25,
          valueFormatter: (day: string, { location }) => (location === "tick" ? sayDayShort(day) : sayDay(day)),
          tickLabelInterval: (_: string, index: number) => index % step === 0,
          disableLine: true,
          disableTicks: true,
          tickLabelStyle: label,
        },
      ]}
      yAxis={[
        {
          width: 44,
          tickNumber: TICKS,
          // Parts of a minute would be cut off beside the axis.
          tickMinStep: 1,
          domainLimit: (_, most) => ({ min: 0, max: Math.max(TICKS, Number(most)) }),
          disableLine: true,
          disableTicks: true,
          tickLabelStyle: label,
          valueFormatter: (value: number) =>
            t(isInHours ? "dashboard.axis.hours" : "dashboard.axis.minutes", { value }),
        },
      ]}
      series={[
        {
          data: days.map(({ seconds }) => seconds / unit),
          color: vars.palette.chart.soft,
          highlightScope: { highlight: "item" },
          valueFormatter: (_, { dataIndex }) => {
            const { seconds = 0, starts = 0 } = days[dataIndex] ?? {};
            return `${sayUse(seconds, t)}, ${t("dashboard.starts", { count: starts })}`;
          },
        },
      ]}
      sx={{
        "& .MuiChartsGrid-line": { stroke: vars.palette.chart.grid },
        "& .MuiBarElement-root[data-highlighted], & .MuiBarElement-highlighted": { fill: vars.palette.chart.strong },
      }}
    />
  );
}
