import "../../en/replay.ts";
import { Box, LinearProgress, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AppError } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { dateTime } from "../../components/dates.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { client } from "../../session/client.ts";
import { Logo } from "../../shared/glyphs.tsx";
import { replayOf } from "../../shared/replay/replay-of.ts";
import { ReplayPlayer } from "../../shared/replay/ReplayPlayer.tsx";

/** A replay that somebody has shared by a link: `/replay/:key`. */
export default function ReplayPage() {
  const { key = "" } = useParams();
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ["replays", key],
    queryFn: async ({ signal }) => {
      const answer = await client.replayLinks.open({ params: { key } }, { signal });
      return (await replayOf(await answer.blob())) ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    structuralSharing: false,
  });
  const isGone = data === null || (error instanceof AppError && (error.status === 404 || error.status === 400));
  const date = data && dateTime(data.story.began_at, "");
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <Box component="header" sx={{ display: "flex", alignItems: "center", gap: "12px", p: "12px 16px", flex: "none" }}>
        <Logo />
        <Typography variant="h1" noWrap>
          {date ? t("replay.shared.titleOf", { date }) : t("replay.shared.title")}
        </Typography>
      </Box>
      {data ? (
        <ReplayPlayer name={t("replay.shared.device")} video={data.video} story={data.story} />
      ) : isGone ? (
        <EmptyState title={t("replay.shared.gone")} help={t("replay.shared.goneHelp")} />
      ) : error ? (
        <ErrorState
          title={t("replay.shared.failed")}
          help={t("replay.shared.failedHelp")}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <Box component="output" sx={{ display: "grid", placeContent: "center", flex: 1, gap: "12px" }}>
          <LinearProgress aria-label={t("replay.shared.loading")} />
          <Typography color="textSecondary">{t("replay.shared.loading")}</Typography>
        </Box>
      )}
    </Box>
  );
}

const page = { display: "flex", flexDirection: "column", height: "100dvh", "&:focus": { outline: "none" } } as const;
