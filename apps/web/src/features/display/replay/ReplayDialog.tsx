import "../../../en/replay.ts";
import "../../../en/tools.ts";
import { Box, Button, LinearProgress, Tooltip, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Capture, Instance } from "@terrarium/contract";
import Bug from "lucide-react/icons/bug";
import Check from "lucide-react/icons/check";
import Download from "lucide-react/icons/download";
import FileJson from "lucide-react/icons/file-json";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Save from "lucide-react/icons/save";
import Share2 from "lucide-react/icons/share-2";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../../components/AppDialog.tsx";
import { EmptyState } from "../../../components/EmptyState.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { saveFile } from "../../../components/save-file.ts";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { ReplayPlayer } from "../../../shared/replay/ReplayPlayer.tsx";
import type { Replay } from "../../../shared/replay/replay-of.ts";
import { fileName } from "../screenshot.ts";
import { sayTrouble } from "../tools/ToolNotice.tsx";
import { BugReport } from "./BugReport.tsx";
import { saveReplay } from "./replay.queries.ts";
import { ShareReplay } from "./ShareReplay.tsx";
import { useReplay } from "./use-replay.ts";

interface Props {
  device: Instance;
  onClose: () => void;
}

const MEGABYTE = 1024 * 1024;

/** The last 90 seconds of a device, as they were when this was opened. */
export default function ReplayDialog({ device, onClose }: Props) {
  const { t } = useTranslation();
  const { replay, received, failure, again, save, canSave } = useReplay(device);
  return (
    <AppDialog
      isLarge
      title={t("replay.title", { name: device.name })}
      width={1280}
      height="calc(100dvh - 64px)"
      onClose={onClose}
    >
      {replay ? (
        <Loaded
          key={replay.story.began_at}
          device={device}
          replay={replay}
          onAgain={again}
          save={save}
          canSave={canSave}
        />
      ) : failure ? (
        <EmptyState
          title={t(failure.code === "missing" ? "replay.empty" : "replay.failed")}
          help={failure.code === "missing" ? t("replay.emptyHelp") : sayTrouble(t, failure)}
        >
          <Button variant="contained" onClick={again}>
            <Icon glyph={RefreshCw} />
            {t("replay.again")}
          </Button>
        </EmptyState>
      ) : (
        <Box component="output" sx={{ display: "grid", placeContent: "center", flex: 1, gap: "12px" }}>
          <LinearProgress aria-label={t("replay.loading")} />
          <Typography color="textSecondary">
            {received === 0
              ? t("replay.loading")
              : t("replay.progress", { megabytes: (received / MEGABYTE).toFixed(1) })}
          </Typography>
        </Box>
      )}
    </AppDialog>
  );
}

interface LoadedProps {
  device: Instance;
  replay: Replay;
  onAgain: () => void;
  save: () => Promise<{ capture: Capture }>;
  canSave: boolean;
}

function Loaded({ device, replay, onAgain, save, canSave }: LoadedProps) {
  const { t } = useTranslation();
  const [isReporting, setReporting] = useState(false);
  const [isSharing, setSharing] = useState(false);
  const { mutateAsync: mutate, data: saved, isPending } = useMutation(saveReplay);
  // Saving and sharing at once make one capture.
  const saving = useRef<Promise<Capture>>(undefined);
  const saveOnce = () =>
    (saving.current ??= mutate(save).catch((error: unknown) => {
      saving.current = undefined;
      throw error;
    }));
  const { story, video } = replay;
  const isSaved = isPending || saved !== undefined;
  const reason = isSaved || canSave ? undefined : t("replay.lost");
  const saveNow = () => {
    // A refusal is said by what saves.
    if (!isSaved && canSave) saveOnce().catch(() => undefined);
  };
  const named = (ending: string) => fileName(device.name, Date.parse(story.began_at), ending);
  return (
    <>
      <ReplayPlayer name={device.name} video={video} story={story}>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: "4px", ml: "auto", alignItems: "center" }}>
          <ToolButton label={t("replay.again")} glyph={RefreshCw} onClick={onAgain} />
          <ToolButton label={t("replay.mp4")} glyph={Download} onClick={() => saveFile(video, named("mp4"))} />
          <ToolButton
            label={t("replay.json")}
            aria-description={t("replay.jsonHelp")}
            glyph={FileJson}
            onClick={() =>
              saveFile(new Blob([JSON.stringify(story, null, 1)], { type: "application/json" }), named("json"))
            }
          />
          <Tooltip title={reason}>
            <Button
              aria-label={t("replay.share.action")}
              aria-description={reason}
              aria-disabled={reason !== undefined}
              onClick={() => reason === undefined && setSharing(true)}
              sx={onlyGlyph}
            >
              <Icon glyph={Share2} />
              <span>{t("replay.share.action")}</span>
            </Button>
          </Tooltip>
          <Tooltip title={reason}>
            <Button
              aria-label={t(isSaved ? "replay.isSaved" : "replay.save")}
              aria-description={reason}
              aria-disabled={isSaved || reason !== undefined}
              onClick={saveNow}
              sx={onlyGlyph}
            >
              <Icon glyph={isSaved ? Check : Save} />
              <span>{t(isSaved ? "replay.isSaved" : "replay.save")}</span>
            </Button>
          </Tooltip>
          <Button variant="contained" color="primary" onClick={() => setReporting(true)}>
            <Icon glyph={Bug} />
            {t("replay.report")}
          </Button>
        </Box>
      </ReplayPlayer>
      {isSharing && <ShareReplay save={async () => (await saveOnce()).uuid} onClose={() => setSharing(false)} />}
      {isReporting && <BugReport device={device} story={story} named={named} onClose={() => setReporting(false)} />}
    </>
  );
}

/** A phone has no room for its word. */
const onlyGlyph = {
  "& > span": { display: { xs: "none", sm: "inline" } },
  minWidth: { xs: 44, sm: 64 },
  px: { xs: 0, sm: 3 },
};
