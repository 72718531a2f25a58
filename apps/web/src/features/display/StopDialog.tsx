import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { AppError } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { launchpad } from "../../app/routes.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
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
    <ConfirmDialog
      title={t("display.stop.title", { name })}
      isOpen={isOpen}
      onClose={onClose}
      confirm={t("display.stop.confirm")}
      onConfirm={() => !stop.isPending && stop.mutate()}
      isDestructive
    >
      <Typography color="textSecondary">{t("display.stop.text")}</Typography>
    </ConfirmDialog>
  );
}
