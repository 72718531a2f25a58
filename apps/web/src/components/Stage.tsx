import { Box, type SxProps } from "@mui/material";
import type { Theme } from "@mui/material/styles";

interface Props {
  /** Width and height of the arch behind the device, in pixels. */
  arch: { width: number; height: number };
  children: React.ReactNode;
  sx?: SxProps<Theme>;
}

/** Where a device stands: daylight from above, one hairline arch, and nothing on the device itself. */
export function Stage({ arch, children, sx }: Props) {
  return (
    <Box
      sx={[
        (theme) => {
          const { daylight, top, bottom } = (theme.vars ?? theme).palette.stage;
          return {
            position: "relative",
            overflow: "hidden",
            display: "grid",
            placeItems: "end center",
            boxShadow: `inset 0 0 0 1px ${(theme.vars ?? theme).palette.divider}`,
            background: `radial-gradient(90% 62% at 28% -6%, ${daylight}, transparent 70%), linear-gradient(180deg, ${top}, ${bottom})`,
          };
        },
        ...(Array.isArray(sx) ? sx : [sx ?? false]),
      ]}
    >
      <Box
        aria-hidden="true"
        sx={(theme) => ({
          position: "absolute",
          left: "50%",
          bottom: 0,
          transform: "translateX(-50%)",
          ...arch,
          maxWidth: "92%",
          maxHeight: "92%",
          border: `1px solid ${(theme.vars ?? theme).palette.stage.glassLine}`,
          borderBottom: 0,
          borderRadius: "999px 999px 0 0",
        })}
      />
      {children}
    </Box>
  );
}
