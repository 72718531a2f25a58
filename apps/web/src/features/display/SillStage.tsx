import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { Ref } from "react";
import { Stage } from "../../shared/Stage.tsx";

interface Props {
  /** What stands on the sill. */
  children: React.ReactNode;
  /** Read-outs on the sill. */
  sill?: React.ReactNode;
  /** Beside what stands there, or in a row at the bottom of narrow screens. */
  toolbar?: React.ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** The stage of a whole page: a room for the device, and a sill with what is to be read. */
export function SillStage({ children, sill, toolbar, ref }: Props) {
  return (
    <Stage ref={ref} sx={layout}>
      <Box sx={room}>{children}</Box>
      {toolbar}
      <Box sx={sillLine}>{sill}</Box>
    </Stage>
  );
}

const layout = (theme: Theme) => ({
  gridTemplate: '"room" minmax(0, 1fr) "sill" 40px / minmax(0, 1fr)',
  flex: 1,
  minHeight: 0,
  [theme.breakpoints.down("md")]: {
    gridTemplate: '"room" minmax(0, 1fr) "sill" 40px "tools" auto / minmax(0, 1fr)',
  },
});

const room = { gridArea: "room", position: "relative", display: "grid", minWidth: 0, minHeight: 0 };

const sillLine = (theme: Theme) => ({
  ...theme.typography.caption,
  gridArea: "sill",
  display: "flex",
  alignItems: "center",
  justifyContent: "center",
  minWidth: 0,
  padding: "0 16px",
  borderTop: `1px solid ${theme.vars.palette.stage.glassLine}`,
  color: theme.vars.palette.text.secondary,
});
