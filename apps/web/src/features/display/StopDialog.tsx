import { Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { AppError } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { launchpad } from "../../app/routes.ts";
import { snack } from "../../components/snack-queue.ts";
import { stopInstance } from "./display.queries.ts";

interface Props {
  uuid: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a device is stopped, then leads back to the list. */
export function StopDialog({ uuid, name, isOpen, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const stop = useMutation({
    mutationFn: () => stopInstance(uuid),
    onSuccess: () => {
      snack("info", t("display.stop.done", { name }));
      void navigate(launchpad);
    },
    onError: (error) => {
      snack(
        "error",
        error instanceof AppError && error.status < 500 ? error.message : t("errors.stopDevice", { name }),
      );
      onClose();
    },
  });
  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      aria-labelledby="stop-title"
      aria-describedby="stop-text"
      slotProps={{ paper: { sx: { width: 440 } } }}
    >
      <DialogTitle id="stop-title" sx={{ overflowWrap: "anywhere" }}>
        {t("display.stop.title", { name })}
      </DialogTitle>
      <DialogContent>
        <Typography id="stop-text" color="textSecondary">
          {t("display.stop.text")}
        </Typography>
      </DialogContent>
      <DialogActions>
        {/* A destructive question opens on the answer that destroys nothing. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <Button autoFocus onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button variant="contained" color="error" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t("display.stop.confirm")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
