import { Box, Skeleton, Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from "@mui/material";
import type { Usage } from "@terrarium/contract";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCode } from "../../components/fetch-code.ts";
import { Segmented } from "../../components/Segmented.tsx";
import { Card } from "./Card.tsx";
import { sayDay, sayUse } from "./say-use.ts";

const DayChart = lazy(() => fetchCode(() => import("./DayChart.tsx")));

/** How long devices were online on each day, as a chart or as a table. */
export function UseByDay({ usage }: { usage: Usage }) {
  const { t } = useTranslation();
  const [view, setView] = useState<"chart" | "table">("chart");
  const title = t("dashboard.by.day");
  const { seconds, starts } = usage.total;
  const sum = t("dashboard.sum", { time: sayUse(seconds, t), starts: t("dashboard.starts", { count: starts }) });
  return (
    <Card
      title={title}
      caption={sum}
      action={
        <Segmented
          label={t("dashboard.view.label")}
          choices={(["chart", "table"] as const).map((value) => ({ value, label: t(`dashboard.view.${value}`) }))}
          value={view}
          onChange={setView}
        />
      }
    >
      {view === "chart" ? (
        <Box
          component="figure"
          aria-label={t("dashboard.view.drawn", { title, sum })}
          sx={{ minHeight: 240, m: 0, mt: 2 }}
        >
          <Suspense fallback={<Skeleton variant="rounded" height={240} animation={false} />}>
            <DayChart days={usage.days} />
          </Suspense>
        </Box>
      ) : (
        <TableContainer sx={{ maxHeight: 320, mt: 2 }} tabIndex={0} aria-label={title}>
          <Table size="small" stickyHeader aria-label={title}>
            <TableHead>
              <TableRow>
                <TableCell>{t("dashboard.columns.day")}</TableCell>
                <TableCell align="right">{t("dashboard.columns.time")}</TableCell>
                <TableCell align="right">{t("dashboard.columns.starts")}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {usage.days.toReversed().map((each) => (
                <TableRow key={each.day}>
                  <TableCell component="th" scope="row">
                    <time dateTime={each.day}>{sayDay(each.day)}</time>
                  </TableCell>
                  <TableCell align="right">{sayUse(each.seconds, t)}</TableCell>
                  <TableCell align="right">{each.starts}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </Card>
  );
}
