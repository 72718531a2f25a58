import { Box } from "@mui/material";
import { mark, markLayer } from "../mark-style.ts";
import type { Region } from "./regions.ts";

/** Outlines on a picture where it differs from another. How many they are is said beside it. */
export const DifferenceMarks = ({ regions }: { regions: readonly Region[] }) => (
  <Box aria-hidden="true" sx={markLayer}>
    {regions.map(({ left, top, width, height }) => (
      <Box
        key={`${left} ${top} ${width} ${height}`}
        data-testid="difference"
        sx={mark}
        style={{
          left: `${left * 100}%`,
          top: `${top * 100}%`,
          width: `${width * 100}%`,
          height: `${height * 100}%`,
        }}
      />
    ))}
  </Box>
);
