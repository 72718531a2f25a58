import "../../en/apps.ts";
import "../../en/uploads.ts";
import { Box, IconButton, LinearProgress, Paper, Tooltip, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { TFunction } from "i18next";
import { AppError } from "@terrarium/contract";
import { RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useRetainedFocus } from "../../components/use-retained-focus.ts";
import { sayAppError } from "../../shared/apps/app-error.ts";
import { uploads as words } from "../../en/uploads.ts";
import type { Upload } from "./use-uploads.ts";

interface Props {
  name: string;
  uploads: readonly Upload[];
  isBusy: boolean;
  onCancel: (key: number) => void;
  onRetry: (upload: Upload) => void;
  onClose: () => void;
}

const MB = 1_000_000;
const MIB = 1024 ** 2;

/** The files that were dropped on a device, and how far each is. */
export function FileTray({ name, uploads, isBusy, onCancel, onRetry, onClose }: Props) {
  const { t } = useTranslation();
  const part = useRetainedFocus<HTMLDivElement>();
  const close = () => {
    part.ref.current?.closest("main")?.focus({ preventScroll: true });
    onClose();
  };
  return (
    <Paper
      {...part}
      component="section"
      tabIndex={-1}
      aria-label={t("uploads.title", { name })}
      elevation={8}
      sx={tray}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 2, pl: 4, pr: 2, py: 2 }}>
        <Typography variant="h3" component="h2" noWrap sx={{ flexGrow: 1 }}>
          {t("uploads.title", { name })}
        </Typography>
        {!isBusy && (
          <Action label={t("uploads.close")} onClick={close}>
            <X size={18} />
          </Action>
        )}
      </Box>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", overflowY: "auto" }}>
        {uploads.map((upload) => (
          <Row key={upload.key} upload={upload} onCancel={() => onCancel(upload.key)} onRetry={() => onRetry(upload)} />
        ))}
      </Box>
      {isBusy && (
        <Typography variant="body2" sx={{ px: 4, py: 2, color: "text.tertiary" }}>
          {t("uploads.leave")}
        </Typography>
      )}
    </Paper>
  );
}

function Row({ upload, onCancel, onRetry }: { upload: Upload; onCancel: () => void; onRetry: () => void }) {
  const { t } = useTranslation();
  const { file, state, sent } = upload;
  const isGoing = state === "waiting" || state === "sending" || state === "lost";
  const share = file.size === 0 ? 1 : sent / file.size;
  return (
    <Box component="li" sx={{ display: "flex", alignItems: "center", gap: 2, pl: 4, pr: 2, py: 2 }}>
      <Box sx={{ flexGrow: 1, minWidth: 0 }}>
        <Typography noWrap title={file.name}>
          {file.name}
        </Typography>
        {(state === "sending" || state === "lost") && (
          <LinearProgress
            aria-label={t("uploads.progress", { file: file.name })}
            sx={{ my: 1 }}
            {...(share < 1 ? { variant: "determinate", value: 100 * share } : {})}
          />
        )}
        <Typography
          variant="body2"
          component="output"
          aria-live={state === "sending" && share < 1 ? "off" : "polite"}
          sx={{
            display: "block",
            color: state === "failed" ? "error.main" : "text.secondary",
            overflowWrap: "anywhere",
          }}
        >
          {say(t, upload)}
        </Typography>
      </Box>
      {isGoing && (
        <Action label={t("uploads.cancel", { file: file.name })} onClick={onCancel}>
          <X size={18} />
        </Action>
      )}
      {(state === "failed" || state === "cancelled") && (
        <Action label={t("uploads.retry", { file: file.name })} onClick={onRetry}>
          <RotateCcw size={18} />
        </Action>
      )}
    </Box>
  );
}

function Action({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={onClick}>
        {children}
      </IconButton>
    </Tooltip>
  );
}

function say(t: TFunction, { state, file, folder, sent, app, error }: Upload): string {
  const inMB = (bytes: number) => (bytes / MB).toFixed(1);
  switch (state) {
    case "waiting":
      return t("uploads.waiting");
    case "lost":
      return t("uploads.lost");
    case "sending":
      return sent < file.size
        ? t("uploads.sending", { sent: inMB(sent), size: inMB(file.size) })
        : t("uploads.finishing");
    case "done":
      if (folder !== undefined) return t("uploads.storedIn", { folder });
      return app ? t("uploads.installed") : t("uploads.stored");
    case "cancelled":
      return t("uploads.cancelled");
    default:
      return sayError(t, error);
  }
}

const { errors } = words.uploads;
const isIn = <Words extends object>(sentences: Words, key: PropertyKey): key is keyof Words =>
  Object.hasOwn(sentences, key);

function sayError(t: TFunction, error: unknown): string {
  if (!(error instanceof AppError)) return t("uploads.errors.other");
  const { code, details = {} } = error;
  const max = Number(details.max_bytes);
  if (code === "BODY_TOO_LARGE" && max > 0)
    return t("uploads.errors.BODY_TOO_LARGE_MAX", { max: Math.floor(max / MIB) });
  if (code === "FILE_REFUSED")
    return details.reason === "FULL" ? t("uploads.full") : [t("uploads.errors.FILE_REFUSED"), details.words].join(" ");
  if (isIn(errors, code)) return t(`uploads.errors.${code}`);
  // What is said of apps holds for the device in general.
  const { why, words: said } = sayAppError(t, error);
  return [why, said].filter(Boolean).join(" ");
}

const tray = (theme: Theme) => ({
  position: "fixed",
  right: 24,
  bottom: 24,
  width: 360,
  maxHeight: "min(420px, 60dvh)",
  display: "flex",
  flexDirection: "column",
  outline: "none",
  zIndex: theme.zIndex.speedDial,
  [theme.breakpoints.down("sm")]: { left: 12, right: 12, bottom: 12, width: "auto" },
});
