import "../../en/status.ts";
import { Alert, Box, Link as MuiLink, Paper, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { ComponentState, PlatformStatus } from "@terrarium/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import OctagonAlert from "lucide-react/icons/octagon-alert";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { BackLink, takesFinger } from "../../components/links.tsx";
import { dateTime } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { type Glyph, Icon } from "../../components/Icon.tsx";
import { type ChipTone, StateChip } from "../../components/StateChip.tsx";
import { client } from "../../session/client.ts";

const POLL_MS = 30_000;
/** The service itself waits for its database for half of that. */
const TIMEOUT_MS = 10_000;
const ADDRESS = "/cloud/status.json";

const ownStatus = {
  queryKey: ["status"] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.status.get({}, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) }),
  refetchInterval: POLL_MS,
  retry: false,
  // Whoever is offline gets no answer, and sees that.
  networkMode: "always" as const,
};

const looks: Record<ComponentState, { tone: ChipTone & ("success" | "warning" | "error"); glyph: Glyph }> = {
  operational: { tone: "success", glyph: CircleCheck },
  degraded_performance: { tone: "warning", glyph: TriangleAlert },
  major_outage: { tone: "error", glyph: OctagonAlert },
};
const lookOf: Record<PlatformStatus["status"]["indicator"], ComponentState> = {
  none: "operational",
  minor: "degraded_performance",
  major: "major_outage",
  critical: "major_outage",
};

/** How the service is, for anybody. */
export default function StatusPage() {
  const { t } = useTranslation();
  const answer = useQuery(ownStatus);
  // Shown piece by piece, as the first answer comes while the page is still being taken over.
  const data = useDeferredValue(answer.data);
  const { error, dataUpdatedAt } = answer;
  const indicator = data && !error ? data.status.indicator : undefined;
  const { tone, glyph } = looks[indicator ? lookOf[indicator] : "major_outage"];
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <BackLink to="/" mb={4}>
        {t("status.back")}
      </BackLink>
      <Typography variant="label" component="p" color="primary">
        {t("status.title")}
      </Typography>
      <Box aria-live="polite" sx={{ minHeight: 40 }}>
        <Typography variant="figure" component="h1" sx={{ mt: 1, display: "flex", alignItems: "center", gap: 3 }}>
          {(data ?? error) ? (
            <>
              <Box component="span" sx={{ display: "flex", color: `${tone}.main` }}>
                <Icon glyph={glyph} size={24} />
              </Box>
              {t(`status.all.${indicator ?? "unknown"}`)}
            </>
          ) : (
            t("status.loading")
          )}
        </Typography>
      </Box>
      {/* Longer than what comes later: this part of the page is there before any script. */}
      <Typography color="textSecondary">{t("status.lead")}</Typography>
      {error && (
        <Alert severity="warning" sx={{ mt: 4 }}>
          {data ? t("status.old", { time: dateTime(dataUpdatedAt, "") }) : t("status.failed")}
        </Alert>
      )}
      {!data && !error && (
        <Delayed>
          <Skeleton variant="rounded" height={360} sx={{ mt: 6 }} />
        </Delayed>
      )}
      {data && (
        <>
          <Paper variant="outlined" component="ul" aria-label={t("status.parts")} sx={list}>
            {data.components.map(({ id, status }) => (
              <Box component="li" key={id} sx={line}>
                <Box sx={{ minWidth: 0 }}>
                  <Typography variant="label" component="h2" sx={{ color: "text.primary" }}>
                    {t(`status.part.${id}.title`)}
                  </Typography>
                  <Typography variant="caption" component="p" color="textSecondary" sx={{ m: 0 }}>
                    {t(`status.part.${id}.help`)}
                  </Typography>
                </Box>
                {error ? (
                  <StateChip tone="gone" glyph={looks[status].glyph} label={t(`status.state.${status}`)} />
                ) : (
                  <StateChip {...looks[status]} label={t(`status.state.${status}`)} />
                )}
              </Box>
            ))}
          </Paper>
          {!error && (
            <Typography variant="caption" component="p" color="textSecondary" sx={{ mt: 3 }}>
              {t("status.looked", { time: dateTime(data.page.updated_at, "") })}
            </Typography>
          )}
        </>
      )}
      <Typography variant="caption" component="p" color="textSecondary" sx={{ mt: 1 }}>
        <MuiLink href={ADDRESS} color="inherit" sx={takesFinger}>
          {t("status.forPrograms", { address: ADDRESS })}
        </MuiLink>
      </Typography>
    </Box>
  );
}

const page = { maxWidth: 640, mx: "auto", px: { xs: 4, sm: 6 }, py: { xs: 6, sm: 16 } } as const;
const list = { listStyle: "none", m: 0, mt: 6, p: 0, "& li + li": { borderTop: 1, borderColor: "divider" } } as const;
const line = { display: "flex", alignItems: "center", justifyContent: "space-between", gap: 4, px: 4, py: 3 } as const;
