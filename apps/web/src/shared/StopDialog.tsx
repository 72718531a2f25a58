import "../en/devices.ts";
import { Box, Typography } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { FactList } from "../components/FactList.tsx";
import { nameOf } from "../components/PersonMark.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";

type Stoppable = Pick<Instance, "uuid" | "name" | "owner" | "created_at">;

interface Props {
  /** Empty while nothing is asked. */
  instances: readonly Stoppable[];
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before devices are stopped: what is lost, and which they are. */
export function StopDialog({ instances, onClose, onConfirm }: Props) {
  const { t } = useTranslation();
  const [first] = instances;
  const count = instances.length;
  if (!first) return null;
  return (
    <ConfirmDialog
      isDestructive
      title={t("launchpad.stopDialog.title", { count, name: first.name })}
      confirm={t("launchpad.stopDialog.confirm", { count })}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <Typography color="textSecondary">{t("launchpad.stopDialog.warning", { count })}</Typography>
      {count === 1 ? <DeviceFacts instance={first} /> : <DeviceNames instances={instances} />}
    </ConfirmDialog>
  );
}

/** What distinguishes one device from another. */
export function DeviceFacts({ instance: { uuid, owner, created_at } }: { instance: Stoppable }) {
  const { t } = useTranslation();
  return (
    <FactList sx={{ mt: 4 }}>
      <Box component="dt" sx={{ display: { xs: "none", sm: "block" } }}>
        {t("launchpad.stopDialog.id")}
      </Box>
      <Box component="dd" sx={{ typography: "mono", display: { xs: "none", sm: "block" } }}>
        {uuid}
      </Box>
      <dt>{t("launchpad.stopDialog.owner")}</dt>
      <dd>{nameOf(owner)}</dd>
      <dt>{t("launchpad.stopDialog.started")}</dt>
      <dd>
        <RelativeTime time={created_at} />
      </dd>
    </FactList>
  );
}

function DeviceNames({ instances }: { instances: readonly Stoppable[] }) {
  return (
    <Box component="ul" sx={{ m: 0, mt: 4, pl: 5, maxHeight: 240, overflowY: "auto", overflowWrap: "anywhere" }}>
      {instances.map(({ uuid, name }) => (
        <li key={uuid}>{name}</li>
      ))}
    </Box>
  );
}
