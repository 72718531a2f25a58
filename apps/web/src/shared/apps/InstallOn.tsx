import "../../en/apps.ts";
import { Alert, Box, Button, DialogActions, DialogContent, LinearProgress, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import {
  activeStates,
  AppError,
  type ErrorCode,
  type InstalledApp,
  type Instance,
  instancePhases,
} from "@terrarium/contract";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { snack } from "../../components/snack-queue.ts";
import { instanceOf } from "../instances.queries.ts";
import { sayAppError } from "./app-error.ts";
import { uploadApp } from "./upload-app.ts";

interface Props {
  device: Instance;
  file: File;
  onClose: () => void;
  /** It is installed; that has been said where it cannot be seen. */
  onInstalled: (app: InstalledApp) => void;
  /** Other ways out of a failure. */
  onOtherFile: () => void;
  onOtherDevice?: (() => void) | undefined;
}

const POLL_MS = 1_000;
const MB = 1_000_000;

/** Waits until a device is online, sends it an app, and says how far that is. What stands in a dialog. */
export function InstallOn({ device, file, onClose, onInstalled, onOtherFile, onOtherDevice }: Props) {
  const { t } = useTranslation();
  const { uuid, name } = device;
  const [attempt, setAttempt] = useState(0);
  /** One try of one file: what is known about another one no longer counts. */
  const turn = useMemo(() => ({ file, attempt }), [file, attempt]);
  const [progress, setProgress] = useState<{ of: object; sent: number }>();
  const [failed, setFailed] = useState<{ of: object; why: unknown }>();
  const sent = progress?.of === turn ? progress.sent : undefined;
  const failure = failed?.of === turn ? failed.why : undefined;
  const {
    data: { state } = device,
    error,
    isFetchedAfterMount,
  } = useQuery({
    ...instanceOf(uuid),
    refetchInterval: sent === undefined && failure === undefined ? POLL_MS : false,
  });
  const isGone = error instanceof AppError && error.status < 500;
  // What an earlier page knew may be long over.
  const whyNot = isGone ? "INSTANCE_ENDED" : isFetchedAfterMount ? whyNotIn(state) : undefined;
  // It counts from then on: an upload that was called off does not begin again by itself.
  if (whyNot && failure === undefined) setFailed({ of: turn, why: new AppError(whyNot) });
  const isOnline = state === "ONLINE";
  const maySend = isOnline && failure === undefined;
  const succeed = useEffectEvent((app: InstalledApp) => {
    if (!app.is_open) snack("success", t("apps.notOpened", { name }));
    onInstalled(app);
  });
  useEffect(() => {
    if (!maySend) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const onProgress = (bytes: number) => setProgress({ of: turn, sent: bytes });
    uploadApp({ uuid, file: turn.file, signal, onProgress }).then(succeed, (why: unknown) => {
      if (!signal.aborted) setFailed({ of: turn, why });
    });
    return () => abort.abort();
  }, [maySend, uuid, turn]);

  if (failure !== undefined)
    return (
      <Failed
        error={failure}
        onClose={onClose}
        onOtherFile={onOtherFile}
        onOtherDevice={onOtherDevice}
        onRetry={canRepeat(failure) ? () => setAttempt(attempt + 1) : undefined}
      />
    );
  const share = sent === undefined ? 0 : Math.min(sent / file.size, 1);
  const inMB = (bytes: number) => (bytes / MB).toFixed(1);
  const step = !isOnline
    ? t("apps.steps.starting", { name })
    : share === 1
      ? t("apps.steps.installing", { name })
      : t("apps.steps.uploading", { sent: inMB(sent ?? 0), size: inMB(file.size) });
  return (
    <>
      <DialogContent>
        <Typography
          component="p"
          sx={{ mb: 3, overflowWrap: "anywhere" }}
          aria-live={share > 0 && share < 1 ? "off" : "polite"}
        >
          {step}
        </Typography>
        <LinearProgress
          aria-label={t("apps.progress")}
          {...(share > 0 && share < 1 ? { variant: "determinate", value: 100 * share } : {})}
        />
        <Typography variant="body2" sx={{ mt: 3, color: "text.tertiary" }}>
          {t("apps.cancelled")}
        </Typography>
      </DialogContent>
      <DialogActions>
        <Button ref={focusWhenShown} onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </DialogActions>
    </>
  );
}

/** Why a device in this state takes no app, now or soon. */
const whyNotIn = (state: Instance["state"]): ErrorCode | undefined => {
  if (activeStates.includes(state)) return undefined;
  return instancePhases.windingDown.includes(state) ? "INSTANCE_NOT_ONLINE" : "INSTANCE_ENDED";
};

const canRepeat = (error: unknown): boolean =>
  error instanceof AppError && ["SERVICE_UNAVAILABLE", "INSTANCE_BUSY", "TOO_MANY_REQUESTS"].includes(error.code);

type FailedProps = Pick<Props, "onClose" | "onOtherFile" | "onOtherDevice"> & {
  error: unknown;
  onRetry: (() => void) | undefined;
};

function Failed({ error, onClose, onOtherFile, onOtherDevice, onRetry }: FailedProps) {
  const { t } = useTranslation();
  const { why, words } = sayAppError(t, error);
  return (
    <>
      <DialogContent>
        <Alert severity="error">{why}</Alert>
        {words && (
          <Box component="pre" aria-label={t("apps.words")} sx={said}>
            {words}
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: "wrap" }}>
        <Button variant="text" onClick={onClose}>
          {t("common.close")}
        </Button>
        {onOtherDevice && <Button onClick={onOtherDevice}>{t("apps.otherDevice")}</Button>}
        <Button onClick={onOtherFile}>{t("apps.another")}</Button>
        {onRetry && (
          <Button variant="contained" color="primary" ref={focusWhenShown} onClick={onRetry}>
            {t("common.tryAgain")}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

const said = {
  typography: "mono",
  color: "text.secondary",
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  maxHeight: 160,
  overflowY: "auto",
  mt: 3,
  mb: 0,
} as const;
