import { Alert, Skeleton } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { dateTime } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { type Overview, overview } from "./operator.queries.ts";

/** Shows the overview once it is there; what came before stays if it cannot be read again. */
export function OverviewState({ children }: { children: (overview: Overview) => React.ReactNode }) {
  const { t } = useTranslation();
  const { data, error, dataUpdatedAt, refetch } = useQuery(overview);
  if (data)
    return (
      <>
        {error && (
          <Alert severity="warning" sx={{ mt: 5 }}>
            {t("operator.stale", { time: dateTime(dataUpdatedAt, "") })}
          </Alert>
        )}
        {children(data)}
      </>
    );
  if (error)
    return (
      <ErrorState
        title={t("errors.operatorOverview")}
        help={t("operator.failed")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Delayed>
      <Skeleton variant="rounded" height={280} component="output" aria-label={t("operator.loading")} sx={{ mt: 5 }} />
    </Delayed>
  );
}
