import "../../en/captures.ts";
import { Box, Button, LinearProgress, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Capture } from "@terrarium/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { OpenDialog } from "../../components/use-dialog.tsx";
import { captureName } from "./capture-look.ts";
import { captureFile, deleteCapture, saveCapture } from "./captures.queries.ts";
import { SavedReplay } from "./SavedReplay.tsx";

export type AskedCapture = { what: "show" | "remove"; capture: Capture };

interface Props {
  asked: AskedCapture | undefined;
  /** Where there are those of others as well. */
  me?: string;
  onClose: () => void;
}

/** What can be opened of a capture: itself, and the question before it is deleted. */
export function CaptureDialogs({ asked, me, onClose }: Props) {
  const { t } = useTranslation();
  const { mutate: remove } = useMutation(deleteCapture);
  return (
    <OpenDialog
      asked={asked}
      dialogs={{
        show: ({ capture }) =>
          capture.kind === "replay" ? (
            <SavedReplay capture={capture} onClose={onClose} />
          ) : (
            <CaptureDialog capture={capture} onClose={onClose} />
          ),
        remove: ({ capture }) => (
          <ConfirmDialog
            isDestructive
            title={t("captures.delete.title", {
              kind: t(`captures.delete.kind.${capture.kind}`),
              device: capture.instance_name,
            })}
            confirm={t("captures.delete.confirm")}
            onClose={onClose}
            onConfirm={() => {
              onClose();
              remove(capture);
            }}
          >
            {me !== undefined && capture.owner.uuid !== me && (
              <Typography sx={{ mb: 2 }}>{t("captures.delete.others", { name: nameOf(capture.owner) })}</Typography>
            )}
            <Typography color="textSecondary">{t("captures.delete.help")}</Typography>
          </ConfirmDialog>
        ),
      }}
    />
  );
}

/** The picture, or the video to play. */
function CaptureDialog({ capture, onClose }: { capture: Capture; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...captureFile(capture.uuid), retry: false });
  const { mutate: save } = useMutation(saveCapture);
  const show = useContent(data);
  const [isUnplayable, setUnplayable] = useState(false);
  const name = captureName(capture, t);
  return (
    <AppDialog
      title={name}
      isLarge
      width={720}
      onClose={onClose}
      dismiss={t("common.close")}
      actions={<Button onClick={() => save(capture)}>{t("captures.short.save")}</Button>}
    >
      {error && (
        <Box role="alert">
          <Typography sx={{ mb: 2 }}>{t("errors.fetchCapture")}</Typography>
          <Button onClick={() => void refetch()}>{t("common.tryAgain")}</Button>
        </Box>
      )}
      {!error && !data && <LinearProgress aria-label={t("captures.dialog.loading")} />}
      {isUnplayable && <Typography role="alert">{t("captures.dialog.unplayable")}</Typography>}
      {data &&
        (capture.kind === "screenshot" ? (
          <Box component="img" ref={show} alt={name} sx={picture} />
        ) : (
          <Box
            component="video"
            ref={show}
            controls
            autoPlay
            muted
            aria-label={name}
            onError={() => setUnplayable(true)}
            sx={picture}
          />
        ))}
    </AppDialog>
  );
}

/** Gives an element the content to show, for as long as it is there. */
const useContent = (content: Blob | undefined) =>
  useCallback(
    (element: HTMLImageElement | HTMLVideoElement) => {
      if (!content) return undefined;
      element.src = URL.createObjectURL(content);
      return () => URL.revokeObjectURL(element.src);
    },
    [content],
  );

const picture = { display: "block", maxWidth: "100%", maxHeight: "64dvh", margin: "0 auto" };
