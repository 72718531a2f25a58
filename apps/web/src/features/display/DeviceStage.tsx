import { Box, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { FormFactor } from "@terrarium/contract";
import type { PictureSize } from "@terrarium/sdk/display";
import { type Ref, useRef } from "react";
import { Arch } from "../../shared/Stage.tsx";
import { DeviceFrame } from "./DeviceFrame.tsx";
import { type FrameLayout, frameLayout } from "./frame-layout.ts";
import { SillStage } from "./SillStage.tsx";
import { type Size, useSize } from "./use-size.ts";

interface Props {
  picture: PictureSize;
  formFactor: FormFactor;
  /** What the device shows. */
  children: React.ReactNode;
  sill?: React.ReactNode;
  toolbar?: React.ReactNode;
  /** The size of what opens at the toolbar: the device makes way for it, since nothing may lie on its picture. */
  panel?: { width: number; height: number } | undefined;
  ref?: Ref<HTMLDivElement>;
}

const TOOLBAR_WIDTH = 44;
const TOOLBAR_GAP = 20;
/** On both sides what the toolbar takes on one, so that the device is in the middle. */
const SIDE = 2 * TOOLBAR_GAP + TOOLBAR_WIDTH;
const SILL = 40;
/** Below the device, down to the sill. */
const BELOW = 28;
const BELOW_NARROW = 16;

/** A device on the stage, as large as there is room, in its arch and with its toolbar beside it. */
export function DeviceStage({ picture, formFactor, children, sill, toolbar, panel, ref }: Props) {
  const space = useRef<HTMLDivElement>(null);
  const size = useSize(space);
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const layoutIn = (room: Size) => frameLayout(room, picture, formFactor, globalThis.devicePixelRatio);
  const whole = size ?? { width: 0, height: 0 };
  const away = panel ? roomFor(panel, whole, layoutIn(whole), isNarrow) : { right: 0, bottom: 0 };
  const left = { width: whole.width - away.right, height: whole.height - away.bottom };
  const layout = layoutIn(left);
  const outerWidth = layout.width + 2 * layout.border;
  const beside = `translateX(${Math.round((outerWidth - away.right) / 2) + TOOLBAR_GAP + TOOLBAR_WIDTH / 2}px)`;
  return (
    <SillStage
      ref={ref}
      sill={sill}
      toolbar={
        toolbar && (
          <Box sx={tools} style={isNarrow ? undefined : { transform: beside }}>
            {toolbar}
          </Box>
        )
      }
    >
      <Box ref={space} sx={room}>
        {size && (
          <Box sx={standing} style={away}>
            <Arch sx={{ bottom: -BELOW }} style={archSize(outerWidth, layout.height, left)} />
            <DeviceFrame layout={layout}>{children}</DeviceFrame>
          </Box>
        )}
      </Box>
    </SillStage>
  );
}

/** How far the device must draw back for a panel: not at all where there is room beside it. */
function roomFor(panel: Size, room: Size, { width, height, border }: FrameLayout, isNarrow: boolean) {
  if (isNarrow) {
    const below = SILL + BELOW_NARROW;
    const isFree = (room.height - height) / 2 - border + below >= panel.height;
    return { right: 0, bottom: isFree ? 0 : panel.height - below };
  }
  const beside = SIDE - TOOLBAR_GAP - TOOLBAR_WIDTH;
  const isFree = (room.width - width) / 2 - border + beside >= panel.width;
  return { right: isFree ? 0 : panel.width - beside, bottom: 0 };
}

const archSize = (width: number, height: number, space: Size) => ({
  width: Math.min(width + 290, space.width + 120),
  height: (space.height + height) / 2 + BELOW + 52,
});

const room = (theme: Theme) => ({
  position: "relative",
  minWidth: 0,
  minHeight: 0,
  margin: `44px ${SIDE}px ${BELOW}px`,
  [theme.breakpoints.down("md")]: { margin: `20px 16px ${BELOW_NARROW}px` },
});

const standing = { position: "absolute", inset: 0, display: "grid", placeItems: "center" };

const tools = (theme: Theme) => ({
  gridArea: "room",
  placeSelf: "center",
  maxHeight: "100%",
  minHeight: 0,
  display: "flex",
  padding: "12px 0",
  zIndex: 1,
  [theme.breakpoints.down("md")]: { gridArea: "tools", placeSelf: "stretch", padding: 0, minWidth: 0 },
});
