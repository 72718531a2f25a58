import { Box } from "@mui/material";
import { useId } from "react";
import { Wallpaper } from "./Wallpaper.tsx";

type View = React.ComponentProps<typeof Wallpaper>["view"];
export type DeviceShape = "phone" | "tablet" | "foldable" | "car" | "tv" | "watch";

/** Frame and corner as parts of the width, and the picture's sides; measured on what such devices look like. */
const shapes: Record<DeviceShape, { frame: number; corner: string; ratio: string; view: View; width: number }> = {
  phone: { frame: 0.026, corner: "12.5% / 6%", ratio: "360 / 800", view: "tall", width: 1 },
  tablet: { frame: 0.03, corner: "4% / 6%", ratio: "800 / 500", view: "wide", width: 2 },
  foldable: { frame: 0.02, corner: "6% / 7%", ratio: "440 / 520", view: "square", width: 1.5 },
  car: { frame: 0.02, corner: "3% / 7%", ratio: "960 / 400", view: "wide", width: 2.2 },
  tv: { frame: 0.012, corner: "1.5% / 2.6%", ratio: "960 / 540", view: "wide", width: 2.2 },
  watch: { frame: 0.06, corner: "50%", ratio: "1", view: "round", width: 1.2 },
};

/** A device with a picture of its home screen. `width` is that of a phone in pixels; the other shapes keep their proportion to it. */
export function DeviceDrawing({ shape = "phone", width }: { shape?: DeviceShape; width: number }) {
  const { frame, corner, ratio, view, width: times } = shapes[shape];
  const whole = Math.round(width * times);
  return (
    <Box
      aria-hidden="true"
      sx={{
        position: "relative",
        flex: "none",
        width: whole,
        padding: `${Math.max(2, whole * frame)}px`,
        borderRadius: corner,
        background: "#0A0E0D",
        boxShadow: `0 0 0 1px #2D3834, inset 0 0 0 1.5px #1b2320, 0 ${width * 0.05}px ${width * 0.14}px rgba(10,30,22,.28)`,
        "[data-theme=dark] &": {
          boxShadow: "0 0 0 1px #45544D, inset 0 0 0 1.5px #1b2320, 0 24px 60px rgba(0,0,0,.5)",
        },
      }}
    >
      <Box sx={{ overflow: "hidden", borderRadius: corner, aspectRatio: ratio, display: "flex", position: "relative" }}>
        <Wallpaper id={useId()} view={view} />
        {shape === "foldable" && (
          <Box sx={{ position: "absolute", inset: "0 auto 0 50%", width: 1, background: "rgba(0,0,0,.18)" }} />
        )}
      </Box>
    </Box>
  );
}
