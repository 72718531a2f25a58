import { Box, type SxProps } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import type { Ref } from "react";

interface Props {
  children: React.ReactNode;
  sx?: SxProps<Theme>;
  ref?: Ref<HTMLDivElement>;
}

/** Where a device stands: daylight from the upper left, and nothing on the device itself. */
export function Stage({ children, sx, ref }: Props) {
  return (
    <Box ref={ref} sx={[light, ...(Array.isArray(sx) ? sx : [sx ?? false])]}>
      {children}
    </Box>
  );
}

interface ArchProps {
  sx?: SxProps<Theme>;
  /** Sizes that change while one looks. */
  style?: React.CSSProperties;
}

/** The one hairline behind a device, from the floor of what it stands in. */
export function Arch({ sx, style }: ArchProps) {
  return <Box aria-hidden="true" sx={[hairline, ...(Array.isArray(sx) ? sx : [sx ?? false])]} style={style} />;
}

/** The floor of a stage that is a picture alone; what stands on it stands as high as it is. */
export const Sill = ({ height }: { height: number | Record<"xs" | "md", number> }) => (
  <Box sx={[{ position: "absolute", insetInline: 0, bottom: 0, height }, edge]} />
);

const edge = (theme: Theme) => ({ borderTop: `1px solid ${theme.vars.palette.stage.glassLine}` });

const light = (theme: Theme) => {
  const { daylight, top, bottom } = theme.vars.palette.stage;
  return {
    position: "relative",
    display: "grid",
    overflow: "hidden",
    background: `radial-gradient(90% 62% at 28% -6%, ${daylight}, transparent 70%), linear-gradient(180deg, ${top}, ${bottom})`,
  };
};

const hairline = (theme: Theme) => ({
  position: "absolute",
  bottom: 0,
  left: "50%",
  transform: "translateX(-50%)",
  border: `1px solid ${theme.vars.palette.stage.glassLine}`,
  borderBottom: 0,
  borderRadius: "999px 999px 0 0",
  pointerEvents: "none",
});
