import { Box, Link as TextLink, Tooltip, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { activeStates, type Instance } from "@terrarium/contract";
import { canDecode } from "@terrarium/sdk/display";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { RowActions } from "../../components/list/RowActions.tsx";
import { SelectBox } from "../../components/list/SelectBox.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { visuallyHidden } from "../../components/hidden.ts";
import { shapeOf } from "../../shared/FormFactorTile.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import type { DrawnProfile } from "../../shared/drawing-layout.ts";
import { GlassCase } from "../../shared/GlassCase.tsx";
import { InstanceState } from "../../shared/InstanceState.tsx";
import { latestPicture } from "../../shared/miniatures/latest-pictures.ts";
import { LiveScreen } from "../../shared/miniatures/LiveScreen.tsx";
import { turnedAs } from "../../shared/miniatures/turned.ts";
import { OPENED_DEVICE } from "../../shared/opened-device.ts";
import { deviceList, type DeviceListContext } from "./device-list.tsx";
import { TimeToEnd } from "./TimeToEnd.tsx";

interface Props {
  device: Instance;
  context: DeviceListContext;
  isFresh: boolean;
  /** It was opened from here: it grows into its page, and comes back from there. */
  isOpened: boolean;
  onOpen: () => void;
  isSelected: boolean;
  /** Selects it or takes it off the selection; with Shift, all between it and the last one. */
  onSelect: (event: { shiftKey?: boolean }) => void;
}

/** In this there is a picture that changes: while it is saved, the service lets nobody begin to look. */
const shown: Instance["state"] = "ONLINE";

/** One device under glass: a look at it, who it is and how it does, and what can be done with it. */
export function WallPlace({ device, context, isFresh, isOpened, onOpen, isSelected, onSelect }: Props) {
  const { t } = useTranslation();
  const { uuid, name, state, owner, stops_at: stopsAt, hardware_profile: hardware } = device;
  const isMine = owner.uuid === context.me.uuid;
  const [size, setSize] = useState<{ width: number; height: number } | undefined>(() => latestPicture(uuid));
  const profile = drawnProfile(turnedAs(hardware, size));
  const screen = isMine && canDecode() && (
    <LiveScreen device={device} isLive={state === shown} onSize={({ width, height }) => setSize({ width, height })} />
  );
  const stands = (
    <GlassCase size="large" profile={profile} screen={screen} transitionName={isOpened ? OPENED_DEVICE : undefined} />
  );
  const label = (
    <>
      <span style={visuallyHidden}>{t("launchpad.wall.open")} </span>
      {name}
    </>
  );
  return (
    <Box
      component="li"
      data-id={uuid}
      data-fresh={isFresh || undefined}
      data-selected={isSelected || undefined}
      sx={place}
    >
      <Box sx={{ position: "relative" }}>
        <Tooltip
          describeChild
          disableInteractive
          enterDelay={PEEK_MS}
          enterNextDelay={PEEK_MS}
          placement="right"
          slotProps={{ tooltip: { sx: peek } }}
          title={<Peek device={device} profile={profile} screen={isMine} />}
        >
          {isMine ? (
            <TextLink
              component={Link}
              to={`/instance/${uuid}`}
              viewTransition
              onClick={onOpen}
              underline="none"
              sx={link}
            >
              {stands}
              <Name>{label}</Name>
            </TextLink>
          ) : (
            <TextLink component="button" onClick={() => context.open(device)} underline="none" sx={link}>
              {stands}
              <Name>{label}</Name>
            </TextLink>
          )}
        </Tooltip>
        <Box sx={tick}>
          <SelectBox name={name} isSelected={isSelected} onSelect={onSelect} />
        </Box>
      </Box>
      <Box sx={facts}>
        <InstanceState {...device} />
        <Typography variant="caption" noWrap component="div" sx={{ color: "text.tertiary", minWidth: 0 }}>
          {isMine ? stopsAt && activeStates.includes(state) && <TimeToEnd stopsAt={stopsAt} /> : nameOf(owner)}
        </Typography>
        <Box sx={{ flex: 1 }} />
        <RowActions actions={deviceList.actions?.(device, context) ?? []} />
      </Box>
    </Box>
  );
}

const Name = ({ children }: { children: React.ReactNode }) => (
  <Typography
    noWrap
    component="span"
    sx={{ display: "block", pl: 3, pr: { xs: 3, sm: 10 }, pt: 2.5, fontWeight: 550, color: "text.primary" }}
  >
    {children}
  </Typography>
);

/** The same device, larger, and what is known of it. It is for the eye alone: all of it is on the device's row or page. */
function Peek({ device, profile, screen }: { device: Instance; profile: DrawnProfile; screen: boolean }) {
  const { name, recipe, state, os_image: image, hardware_profile: hardware } = device;
  const { t } = useTranslation();
  return (
    <Box sx={{ display: "grid", justifyItems: "center", gap: 3 }}>
      <DeviceDrawing
        profile={profile}
        within={peekRoom}
        screen={screen && canDecode() && <LiveScreen device={device} isLive={state === shown} />}
      />
      <Box sx={{ justifySelf: "stretch", minWidth: 0 }}>
        <Typography sx={{ fontWeight: 550, overflowWrap: "anywhere" }}>{name}</Typography>
        <Typography variant="caption" component="div" sx={{ color: "text.secondary" }}>
          {[
            recipe?.name,
            t(`launchpad.shapes.${shapeOf(hardware)}`),
            t("launchpad.wall.android", { version: image.os_version.os_version }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Typography>
      </Box>
    </Box>
  );
}

/** The flat profile of a device as a drawing takes it. */
const drawnProfile = (hardware: Instance["hardware_profile"]): DrawnProfile => ({
  form_factor: hardware.form_factor,
  display_mode: hardware.display_mode,
  display_settings: { displays: [hardware], hw_navigation_keys: hardware.hw_navigation_keys },
});

/** A pointer that only passes by peeks at nothing. */
const PEEK_MS = 500;
const peekRoom = { width: 300, height: 420 };

const place = (theme: Theme) => ({
  position: "relative",
  minWidth: 0,
  overflow: "hidden",
  borderRadius: "10px",
  background: theme.vars.palette.background.paper,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}, var(--glass-edge)`,
  transition: "box-shadow 120ms",
  "&:hover, &:focus-within": { boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}` },
  "&[data-fresh]": {
    animation: "terrarium-fresh 2400ms ease-out",
    boxShadow: "inset 2px 0 0 var(--mui-palette-fresh-bar)",
  },
  "&[data-selected]": {
    background: theme.vars.palette.action.selected,
    boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}`,
  },
  "@media (forced-colors: active)": { border: "1px solid", "&[data-selected]": { outline: "2px solid Highlight" } },
});

const link = { display: "block", width: "100%", textAlign: "left", "&:focus-visible": { outlineOffset: -3 } };

/** Beside the name. On a phone nothing is selected, as in the list. */
const tick = { display: { xs: "none", sm: "block" }, position: "absolute", right: 4, bottom: -8 };

const facts = { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2, px: 3, pt: 1, pb: 2 } as const;

const peek = (theme: Theme) => ({
  p: 4,
  maxWidth: "none",
  borderRadius: "14px",
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.raised,
  boxShadow: "var(--depth-3), var(--glass-edge)",
});
