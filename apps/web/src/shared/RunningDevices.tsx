import "../en/devices.ts";
import { Box, Link as TextLink, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Instance, instancePhases, runningStates } from "@terrarium/contract";
import ExternalLink from "lucide-react/icons/external-link";
import Power from "lucide-react/icons/power";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../components/ErrorState.tsx";
import { nameOf } from "../components/PersonMark.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { ToolButton } from "../components/ToolButton.tsx";
import type { Me } from "../session/user.ts";
import { launchpad } from "../session/routes.ts";
import { FormFactorTile, shapeOf } from "./FormFactorTile.tsx";
import { InstanceState } from "./InstanceState.tsx";
import { instanceList, stopDevices } from "./instances.queries.ts";
import { listRow, rowList } from "./row-list.ts";
import { StopDialog } from "./StopDialog.tsx";

/** As many as somebody would look through; the launchpad has the others. */
const SHOWN = 25;

/** What runs, the longest-running first, each with the way to look at it and to stop it. A manager sees the organization's devices. */
export function RunningDevices({ me }: { me: Me }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(
    instanceList({
      state: [...runningStates],
      ordering: "created_at",
      page_size: SHOWN,
      ...(me.role === "manager" && { organization_uuid: me.organization?.uuid, organization_wide: true }),
    }),
  );
  const { mutate: stop } = useMutation(stopDevices);
  const [asked, setAsked] = useState<Instance>();
  if (error && !data)
    return (
      <ErrorState
        {...t("launchpad.runningDevices.failed", { returnObjects: true })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  // What has ended meanwhile is still in the answer.
  const devices = data?.results.filter(({ state }) => runningStates.includes(state)) ?? [];
  const others = (data?.count ?? 0) - (data?.results.length ?? 0);
  return (
    <Box aria-busy={!data} sx={{ minHeight: 56 }}>
      {data && devices.length === 0 && (
        <Typography color="textSecondary">{t("launchpad.runningDevices.noneOfYours")}</Typography>
      )}
      {devices.length > 0 && (
        <Box component="ul" aria-label={t("launchpad.runningDevices.label")} sx={rowList}>
          {devices.map((device) => (
            <RunningDevice key={device.uuid} device={device} me={me} onStop={() => setAsked(device)} />
          ))}
        </Box>
      )}
      {others > 0 && (
        <TextLink href={launchpad} variant="body2">
          {t("launchpad.runningDevices.others", { count: others })}
        </TextLink>
      )}
      <StopDialog
        instances={asked ? [asked] : []}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          if (asked) stop([asked]);
        }}
      />
    </Box>
  );
}

function RunningDevice({ device, me, onStop }: { device: Instance; me: Me; onStop: () => void }) {
  const { t } = useTranslation();
  const { uuid, name, owner, state, created_at: created } = device;
  const isMine = owner.uuid === me.uuid;
  const isEnding = instancePhases.windingDown.includes(state);
  return (
    <Box component="li" sx={listRow}>
      <FormFactorTile shape={shapeOf(device.hardware_profile)} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap title={name} sx={{ fontWeight: 550 }}>
          {name}
        </Typography>
        <Typography variant="caption" noWrap component="div" sx={{ color: "text.tertiary" }}>
          {isMine ? t("common.you") : nameOf(owner)} · <RelativeTime time={created} />
        </Typography>
      </Box>
      <InstanceState state={state} />
      <Box sx={{ display: "flex", flex: "none" }}>
        {isMine && !isEnding && (
          <ToolButton
            glyph={ExternalLink}
            label={t("launchpad.deviceActions.display", { name })}
            href={`/instance/${uuid}`}
            target="_blank"
          />
        )}
        <ToolButton
          glyph={Power}
          label={t("launchpad.deviceActions.stop", { name })}
          reason={isEnding ? t("launchpad.deviceActions.unless.ending") : undefined}
          onClick={onStop}
        />
      </Box>
    </Box>
  );
}
