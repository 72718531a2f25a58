import { Box, useMediaQuery } from "@mui/material";
import { DeviceDrawing } from "./DeviceDrawing.tsx";
import { Arch, Sill, Stage } from "./Stage.tsx";

interface Props extends Omit<React.ComponentProps<typeof DeviceDrawing>, "within"> {
  /** One of many to choose from, or one to look at. */
  size?: keyof typeof sizes;
}

/** A device under glass, for a page of many: the cases of a page are of one size. */
export function GlassCase({ size = "small", ...drawing }: Props) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const { height, narrow, wide } = sizes[size];
  const { glass, room } = isPhone ? narrow : wide;
  return (
    <Stage sx={[stage, { height }]}>
      <Arch sx={{ bottom: SILL, ...glass }} />
      <Box sx={{ mb: `${SILL}px` }}>
        <DeviceDrawing {...drawing} within={room} />
      </Box>
      <Sill height={SILL} />
    </Stage>
  );
}

/** What they stand on. */
const SILL = 18;

/** Of the stage, the arch, and what a device has of it, in CSS pixels. */
const sizes = {
  small: {
    height: { xs: 136, sm: 192 },
    narrow: { glass: { width: 148, height: 108 }, room: { width: 110, height: 92 } },
    wide: { glass: { width: 224, height: 164 }, room: { width: 164, height: 138 } },
  },
  large: {
    height: { xs: 196, sm: 292 },
    narrow: { glass: { width: 148, height: 166 }, room: { width: 124, height: 148 } },
    wide: { glass: { width: 232, height: 262 }, room: { width: 196, height: 236 } },
  },
};

/** How the cases stand. */
export const caseGrid = {
  listStyle: "none",
  m: 0,
  p: 0,
  display: "grid",
  gap: { xs: 3, sm: 4 },
} as const;

const stage = { placeItems: "end center", m: "1px", borderRadius: "9px 9px 0 0" };
