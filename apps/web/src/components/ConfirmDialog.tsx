import { Button } from "@mui/material";
import { useTranslation } from "react-i18next";
import { AppDialog } from "./AppDialog.tsx";
import { focusWhenShown } from "./focus-when-shown.ts";

interface Props {
  title: string;
  onClose: () => void;
  /** The words for not doing it, where "Cancel" could be taken for the act. */
  dismiss?: string;
  /** The act itself: "Stop 2 devices". */
  confirm: string;
  onConfirm: () => void;
  /** What is lost cannot be had back: the button says so, and the focus starts at Cancel. */
  isDestructive?: boolean;
  children: React.ReactNode;
}

/** Asks before something is done. */
export function ConfirmDialog(props: Props) {
  const { title, onClose, dismiss, confirm, onConfirm, isDestructive = false, children } = props;
  const { t } = useTranslation();
  return (
    <AppDialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose} ref={isDestructive ? focusWhenShown : undefined}>
            {dismiss ?? t("common.cancel")}
          </Button>
          <Button
            variant="contained"
            color={isDestructive ? "error" : "primary"}
            onClick={onConfirm}
            ref={isDestructive ? undefined : focusWhenShown}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </AppDialog>
  );
}
