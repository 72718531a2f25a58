import { Box, Link as TextLink } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { AppError, type Instance } from "@terrarium/contract";
import { pressMessage, releaseMessage, type OpenPlayer } from "@terrarium/sdk/display";
import X from "lucide-react/icons/x";
import type { TFunction } from "i18next";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ToolButton } from "../../components/ToolButton.tsx";
import { useSession } from "../../session/user.ts";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { latestPicture } from "../../shared/miniatures/latest-pictures.ts";
import { turnedAs } from "../../shared/miniatures/turned.ts";
import { Stage } from "../../shared/Stage.tsx";
import { DeviceFrame } from "./DeviceFrame.tsx";
import { DevicePicture } from "./DevicePicture.tsx";
import { DifferenceMarks } from "./differences/DifferenceMarks.tsx";
import type { Differences, Found } from "./differences/differences.ts";
import { useDifferences } from "./differences/use-differences.ts";
import { instanceQuery } from "./display.queries.ts";
import { frameLayout } from "./frame-layout.ts";
import { HoldButton } from "./HoldButton.tsx";
import type { Mirror } from "./mirror.ts";
import { refusalOf, stageOf } from "./refusal.ts";
import { toolGroups } from "./toolbar-items.ts";
import { useDisplaySession } from "./use-display-session.ts";
import { useDisplayStatus } from "./use-display-status.ts";
import { useSize } from "./use-size.ts";

interface Props {
  uuid: string;
  mirror: Mirror;
  /** Missing while nothing is compared. */
  differences: Differences | undefined;
  /** The one that the others are compared with. */
  isFirst: boolean;
  openPlayer: OpenPlayer;
  /** Takes it off the page. */
  onRemove: () => void;
}

/** One of several devices: its name and state, and its picture or why there is none. */
export function DeviceTile({ uuid, onRemove, ...together }: Props) {
  const { t } = useTranslation();
  const me = useSession();
  const { data: instance, error } = useQuery(instanceQuery(uuid));
  const isRefused = error !== null && (!instance || (error instanceof AppError && error.status < 500));
  const isColleagues = instance !== undefined && me !== undefined && instance.owner.uuid !== me.user.uuid;
  const name = instance?.name ?? uuid.slice(0, 8);
  const why = isRefused
    ? t(`display.refused.${refusalOf(error)}`)
    : isColleagues
      ? t("display.refused.notAllowed")
      : instance
        ? t(whyNoPicture[stageOf(instance)])
        : t("display.loading");
  const isLive = instance !== undefined && !isRefused && !isColleagues && stageOf(instance) === "online";
  return (
    <Box component="section" aria-label={name} sx={tile}>
      <Box sx={line}>
        <TextLink component={Link} to={`/instance/${uuid}`} color="inherit" noWrap title={name} sx={nameLink}>
          {name}
        </TextLink>
        {instance && !isRefused && <InstanceState {...instance} />}
        <ToolButton glyph={X} label={t("display.sideBySide.remove", { name })} onClick={onRemove} sx={{ ml: "auto" }} />
      </Box>
      {isLive ? (
        <LiveTile instance={instance} {...together} />
      ) : (
        <Stage sx={stage}>
          <Box component="output" sx={words}>
            {why}
          </Box>
        </Stage>
      )}
    </Box>
  );
}

const whyNoPicture = {
  starting: "display.phase.help",
  online: "display.loading",
  windingDown: "display.ending.stopping",
  ended: "display.refused.notRunning",
} as const;

function LiveTile({
  instance,
  mirror,
  differences,
  isFirst,
  openPlayer,
}: Omit<Props, "uuid" | "onRemove"> & { instance: Instance }) {
  const { t } = useTranslation();
  const { uuid, name, hardware_profile: hardware } = instance;
  const session = useDisplaySession(instance, openPlayer, { onSent: (from, message) => mirror.hear(from, message) });
  useEffect(() => mirror.join(session), [mirror, session]);
  const found = useDifferences(differences, session, isFirst);
  const phase = useDisplayStatus(session, "phase");
  const picture = useDisplayStatus(session, "picture") ?? turnedAs(hardware, latestPicture(uuid));
  const path = useDisplayStatus(session, "readout")?.path;
  const space = useRef<HTMLDivElement>(null);
  const size = useSize(space);
  const keys = useRef<HTMLDivElement>(null);
  const [navigation = []] = toolGroups({ formFactor: hardware.form_factor, capabilities: undefined }, true);
  const reached =
    phase === "reconnecting"
      ? t("display.readout.lost")
      : phase === "live"
        ? t(path ? `display.path.${path}` : "display.readout.measuring")
        : t("display.readout.connecting");
  return (
    <>
      <Stage sx={stage}>
        <Box ref={space} sx={room}>
          {size && (
            <DeviceFrame isOneOfMany layout={frameLayout(size, picture, hardware.form_factor, devicePixelRatio)}>
              <DevicePicture
                session={session}
                name={name}
                isViewOnly={false}
                onLeave={() => keys.current?.querySelector("button")?.focus()}
              />
              {found && found !== "turned" && <DifferenceMarks regions={found} />}
            </DeviceFrame>
          )}
        </Box>
      </Stage>
      <Box sx={line}>
        <Box ref={keys} sx={{ display: "flex" }}>
          {navigation.map((tool) => {
            const action = t(`display.toolbar.${tool.name}`);
            const hold = (isDown: boolean) =>
              tool.key && session.send(isDown ? pressMessage(tool.key) : releaseMessage(tool.key));
            return (
              <HoldButton
                key={tool.name}
                tool={tool}
                label={t("display.sideBySide.on", { action, name })}
                reason={phase === "live" ? undefined : t("display.toolbar.notConnected", { action })}
                isOpen={false}
                onAct={() => {
                  hold(true);
                  hold(false);
                }}
                onHold={hold}
              />
            );
          })}
        </Box>
        <Box sx={{ ml: "auto", typography: "caption", color: "text.secondary", textAlign: "right" }}>
          <Box component="output" sx={{ display: "block", color: "text.primary" }}>
            {differences && phase === "live" && (isFirst ? t("display.sideBySide.compared") : found && said(found, t))}
          </Box>
          <Box component="output" sx={{ display: "block" }}>
            {reached}
          </Box>
        </Box>
      </Box>
    </>
  );
}

const said = (found: Found, t: TFunction) =>
  found === "turned"
    ? t("display.sideBySide.turned")
    : t(found.length === 0 ? "display.sideBySide.alike" : "display.sideBySide.found", { count: found.length });

const tile = (theme: Theme) => ({
  display: "flex",
  flexDirection: "column",
  minWidth: 0,
  minHeight: 0,
  overflow: "hidden",
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: "10px",
  background: theme.vars.palette.background.paper,
  "&:has([data-keyboard-focus], section:focus-within)": { borderColor: theme.vars.palette.primary.main },
});

const line = {
  display: "flex",
  alignItems: "center",
  gap: "8px",
  minHeight: 44,
  minWidth: 0,
  flex: "none",
  padding: "2px 6px 2px 12px",
};

const nameLink = { fontWeight: 550, minWidth: 0, textDecoration: "none", "&:hover": { textDecoration: "underline" } };

const stage = { flex: 1, minHeight: 0, padding: "12px" };

const room = { display: "grid", placeItems: "center", minWidth: 0, minHeight: 0 };

const words = { placeSelf: "center", padding: "16px", textAlign: "center", color: "text.secondary" };
