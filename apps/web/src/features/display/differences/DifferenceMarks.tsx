import { Box } from "@mui/material";
import { mark, markLayer } from "../mark-style.ts";
import type { Region } from "./regions.ts";

/** Between an outline and what differs, which may be a letter: the outline covers none of it. */
const ROOM_PX = 5;

/** So far from an edge of the picture, and within it. */
const beside = (share: number) => `max(0px, calc(${share * 100}% - ${ROOM_PX}px))`;

/** Outlines on a picture where it differs from another. How many they are is said beside it. */
export const DifferenceMarks = ({ regions }: { regions: readonly Region[] }) => (
  <Box aria-hidden="true" sx={markLayer}>
    {regions.map(({ left, top, width, height }) => (
      <Box
        key={`${left} ${top} ${width} ${height}`}
        data-testid="difference"
        sx={mark}
        style={{
          left: beside(left),
          top: beside(top),
          right: beside(1 - left - width),
          bottom: beside(1 - top - height),
        }}
      />
    ))}
  </Box>
);
