import "../../en/replay.ts";
import { Box, Button, LinearProgress, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Capture } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { dateTime } from "../../components/dates.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ReplayPlayer } from "../replay/ReplayPlayer.tsx";
import { captureName } from "./capture-look.ts";
import { captureReplay, replayLink, saveCapture, unshareReplay } from "./captures.queries.ts";

interface Props {
  capture: Capture;
  onClose: () => void;
}

/** A saved replay: what happened, its video as a file, and the end of the link to it. */
export function SavedReplay({ capture, onClose }: Props) {
  const { t } = useTranslation();
  const { uuid, instance_name: name } = capture;
  const { data, error, refetch } = useQuery({ ...captureReplay(uuid), retry: false });
  const { data: link } = useQuery(replayLink(uuid));
  const { mutate: save } = useMutation(saveCapture);
  const { mutate: end, isPending: isEnding } = useMutation(unshareReplay);
  return (
    <AppDialog isLarge title={captureName(capture, t)} width={1280} height="calc(100dvh - 64px)" onClose={onClose}>
      {data ? (
        <ReplayPlayer name={name} video={data.video} story={data.story}>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: "8px", ml: "auto", alignItems: "center" }}>
            {link?.expires_at && (
              <>
                <Typography variant="caption" color="textSecondary">
                  {t("replay.share.shared", { date: dateTime(link.expires_at, "") })}
                </Typography>
                <Button disabled={isEnding} onClick={() => end(uuid)}>
                  {t("replay.share.end")}
                </Button>
              </>
            )}
            <Button onClick={() => save(capture)}>{t("replay.mp4")}</Button>
          </Box>
        </ReplayPlayer>
      ) : error ? (
        <EmptyState title={t("errors.fetchCapture")} help={t("captures.failed")}>
          <Button onClick={() => void refetch()}>{t("common.tryAgain")}</Button>
        </EmptyState>
      ) : (
        <LinearProgress aria-label={t("captures.dialog.loading")} />
      )}
    </AppDialog>
  );
}
