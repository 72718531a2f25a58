import { Box, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { FormFactor } from "@terrarium/contract";
import { type Ref, useRef } from "react";
import { Arch } from "../../components/Stage.tsx";
import { DeviceFrame } from "./DeviceFrame.tsx";
import type { PictureSize } from "./display-status.ts";
import { frameLayout } from "./frame-layout.ts";
import { SillStage } from "./SillStage.tsx";
import { useSize } from "./use-size.ts";

interface Props {
  picture: PictureSize;
  formFactor: FormFactor;
  /** What the device shows. */
  children: React.ReactNode;
  sill?: React.ReactNode;
  toolbar?: React.ReactNode;
  ref?: Ref<HTMLDivElement>;
}

const TOOLBAR_WIDTH = 44;
const TOOLBAR_GAP = 20;

/** A device on the stage, as large as there is room, in its arch and with its toolbar beside it. */
export function DeviceStage({ picture, formFactor, children, sill, toolbar, ref }: Props) {
  const space = useRef<HTMLDivElement>(null);
  const size = useSize(space);
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const layout = frameLayout(size ?? { width: 0, height: 0 }, picture, formFactor, globalThis.devicePixelRatio);
  const outerWidth = layout.width + 2 * layout.border;
  const beside = `translateX(${Math.round(outerWidth / 2) + TOOLBAR_GAP + TOOLBAR_WIDTH / 2}px)`;
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
          <>
            <Arch sx={{ bottom: -BELOW }} style={archSize(outerWidth, layout.height, size)} />
            <DeviceFrame layout={layout}>{children}</DeviceFrame>
          </>
        )}
      </Box>
    </SillStage>
  );
}

/** Room for the device on either side of it, and below it down to the sill. */
const BELOW = 28;
const archSize = (width: number, height: number, space: { width: number; height: number }) => ({
  width: Math.min(width + 290, space.width + 120),
  height: (space.height + height) / 2 + BELOW + 52,
});

const room = (theme: Theme) => ({
  position: "relative",
  display: "grid",
  placeItems: "center",
  minWidth: 0,
  minHeight: 0,
  // On both sides what the toolbar takes on one, so that the device is in the middle.
  margin: `44px ${TOOLBAR_GAP * 2 + TOOLBAR_WIDTH}px ${BELOW}px`,
  [theme.breakpoints.down("md")]: { margin: `20px 16px ${BELOW - 12}px` },
});

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
