import { Button, Typography } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { useMe } from "../../session/user.ts";
import { mailToOwner, mayStop } from "./device-actions.ts";
import { DeviceFacts } from "../../shared/StopDialog.tsx";

interface Props {
  device: Instance;
  onClose: () => void;
  onStop: () => void;
}

/** A colleague's device was opened: whose it is, and what a manager can do about it. Its picture is its owner's alone. */
export function ColleagueDialog({ device, onClose, onStop }: Props) {
  const { t } = useTranslation();
  const { name, owner } = device;
  const canStop = mayStop(device, useMe());
  return (
    <AppDialog
      title={t("launchpad.colleague.title", { name, owner: nameOf(owner) })}
      onClose={onClose}
      dismiss={t("common.close")}
      actions={
        <>
          <Button href={mailToOwner(owner.email, t("launchpad.deviceActions.subject", { name }))} onClick={onClose}>
            {t("launchpad.deviceActions.menu.messageOwner")}
          </Button>
          {canStop && (
            <Button variant="contained" color="error" onClick={onStop}>
              {t("launchpad.stopDialog.confirm", { count: 1 })}
            </Button>
          )}
        </>
      }
    >
      <Typography color="textSecondary">
        {t(canStop ? "launchpad.colleague.stop" : "launchpad.colleague.ask")}
      </Typography>
      <DeviceFacts instance={device} />
    </AppDialog>
  );
}
