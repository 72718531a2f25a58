import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useLayoutEffect, useRef } from "react";
import { OPENED_DEVICE } from "../../shared/opened-device.ts";
import type { FrameLayout } from "./frame-layout.ts";

interface Props {
  layout: FrameLayout;
  /** It does not grow out of a miniature, as only one thing of a page can. */
  isOneOfMany?: boolean;
  children: React.ReactNode;
}

/** The device around its picture: near black in light and dark, and never over the picture. */
export function DeviceFrame({ layout, isOneOfMany, children }: Props) {
  const { width, height, border, outerRadius, innerRadius } = layout;
  const ref = useTurning(width, height);
  return (
    <Box
      ref={ref}
      data-testid="device-frame"
      sx={frame}
      style={{
        padding: border,
        borderRadius: outerRadius,
        ["--frame" as never]: `${Math.min(width, height)}px`,
        ...(!isOneOfMany && { viewTransitionName: OPENED_DEVICE }),
      }}
    >
      <Box sx={screen} style={{ width, height, borderRadius: innerRadius }}>
        {children}
      </Box>
    </Box>
  );
}

/** As long as the picture of the simulated device takes to turn. */
const TURN_MS = 240;

/** Turns the device as a hand does when its picture has changed sides: from how it stood to how it stands. */
function useTurning(width: number, height: number) {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef({ width, height });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { width, height };
    const isWide = width > height;
    if (was.width === was.height || width === height || was.width > was.height === isWide) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const scale = Math.max(was.width, was.height) / Math.max(width, height, 1);
    ref.current?.animate([{ transform: `rotate(${isWide ? 90 : -90}deg) scale(${scale})` }, { transform: "none" }], {
      duration: TURN_MS,
      easing: "cubic-bezier(.2,0,0,1)",
    });
  }, [width, height]);
  return ref;
}

const GLASS = "#0A0E0D";

const frame = [
  (theme: Theme) => ({
    position: "relative" as const,
    background: GLASS,
    boxShadow:
      "0 0 0 1px #2D3834, inset 0 0 0 1.5px #1B2320, 0 calc(var(--frame) * .05) calc(var(--frame) * .14) rgba(10,30,22,.28), 0 calc(var(--frame) * .01) calc(var(--frame) * .03) rgba(10,30,22,.22)",
    "&:has([data-keyboard-focus])": { outline: `2px solid ${theme.vars.palette.focus}`, outlineOffset: 4 },
  }),
  (theme: Theme) =>
    theme.applyStyles("dark", {
      boxShadow: "0 0 0 1px #45544D, inset 0 0 0 1.5px #1B2320, 0 24px 60px rgba(0,0,0,.5)",
    }),
];

const screen = { position: "relative", overflow: "hidden", contain: "paint", background: GLASS, color: "#A9B7B0" };
