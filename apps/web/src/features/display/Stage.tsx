import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { Ref } from "react";

interface Props {
  /** What stands on the sill. */
  children: React.ReactNode;
  /** Read-outs on the sill. */
  sill?: React.ReactNode;
  /** Beside what stands there, or in a row at the bottom of narrow screens. */
  toolbar?: React.ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** Daylight from the upper left and a sill to stand on. */
export function Stage({ children, sill, toolbar, ref }: Props) {
  return (
    <Box ref={ref} sx={stage}>
      <Box sx={room}>{children}</Box>
      {toolbar}
      <Box sx={sillLine}>{sill}</Box>
    </Box>
  );
}

const stage = (theme: Theme) => {
  const { daylight, top, bottom } = (theme.vars ?? theme).palette.stage;
  return {
    display: "grid",
    gridTemplate: '"room" minmax(0, 1fr) "sill" 40px / minmax(0, 1fr)',
    flex: 1,
    minHeight: 0,
    overflow: "hidden",
    background: `radial-gradient(90% 62% at 28% -6%, ${daylight}, transparent 70%), linear-gradient(180deg, ${top}, ${bottom})`,
    [theme.breakpoints.down("md")]: {
      gridTemplate: '"room" minmax(0, 1fr) "sill" 40px "tools" auto / minmax(0, 1fr)',
    },
  };
};

const room = { gridArea: "room", position: "relative", display: "grid", minWidth: 0, minHeight: 0 };

const sillLine = (theme: Theme) => ({
  ...theme.typography.caption,
  gridArea: "sill",
  display: "flex",
  alignItems: "center",
  justifyContent: "center",
  minWidth: 0,
  padding: "0 16px",
  borderTop: `1px solid ${(theme.vars ?? theme).palette.stage.glassLine}`,
  color: (theme.vars ?? theme).palette.text.secondary,
});
