import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type Stroke, strokesAt } from "./strokes.ts";

interface Props {
  strokes: readonly Stroke[];
  /** In ms since the beginning. */
  time: number;
  /** Of the picture, in its pixels. */
  size: { width: number; height: number };
}

/** Of the shorter side of the picture. */
const RADIUS = 0.04;

/** The fingers that are on the picture, and a little of the way that they have come. */
export function Touches({ strokes, time, size: { width, height } }: Props) {
  if (width === 0) return null;
  const radius = Math.min(width, height) * RADIUS;
  return (
    <Box component="svg" viewBox={`0 0 ${width} ${height}`} aria-hidden sx={overlay}>
      {strokesAt(strokes, time).map(({ trail, opacity, isWheel }, index) => {
        const points = trail.map(({ x, y }) => [x * width, y * height] as const);
        const [x = 0, y = 0] = points.at(-1) ?? [];
        const drawn = { cx: x, cy: y, r: radius, strokeDasharray: isWheel ? radius / 2 : undefined };
        return (
          <g key={index} opacity={opacity} data-testid="touch">
            <polyline points={points.join(" ")} strokeWidth={radius} className="way" />
            <circle {...drawn} strokeWidth={radius / 4} className="edge" />
            <circle {...drawn} strokeWidth={radius / 8} />
          </g>
        );
      })}
    </Box>
  );
}

/** As large as the video, whose picture is in the middle as well. White on black can be seen on any picture. */
const overlay = (theme: Theme) => ({
  position: "absolute",
  inset: 0,
  width: "100%",
  height: "100%",
  pointerEvents: "none",
  fill: "none",
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "& circle": { stroke: "#fff", fill: theme.vars.palette.primary.main, fillOpacity: 0.35 },
  "& .edge": { stroke: "#000", strokeOpacity: 0.6 },
  "& .way": { stroke: theme.vars.palette.primary.main, strokeOpacity: 0.45 },
});
