import { Box } from "@mui/material";
import { Fragment, useId } from "react";
import { type DrawnDisplay, drawingLayout, type DrawnProfile } from "./drawing-layout.ts";
import { Wallpaper } from "./Wallpaper.tsx";

interface Props {
  profile: DrawnProfile;
  /** The room that it fills, in CSS pixels, in one direction at least. */
  within: { width: number; height: number };
  /** What its first display shows, instead of a drawn home screen. */
  screen?: React.ReactNode;
  /** Names it for the transition to a page that shows it too. */
  transitionName?: string | undefined;
}

/** A device drawn to scale from its hardware profile: all of its displays, with a picture of its home screen, and its keys. */
export function DeviceDrawing({ profile, within, screen, transitionName }: Props) {
  const { displays, gap } = drawingLayout(profile, within);
  const isFoldable = profile.display_mode === "FOLDABLE";
  const isHandheld = profile.form_factor === "PHONE" || profile.form_factor === "TABLET";
  return (
    <Box
      aria-hidden="true"
      sx={{ display: "flex", flex: "none", alignItems: "flex-end" }}
      style={{ gap, viewTransitionName: transitionName }}
    >
      {displays.map((display, index) => (
        <DisplayDrawing
          key={index}
          display={display}
          crease={isFoldable && index === 0}
          hasBar={isHandheld && !profile.display_settings.hw_navigation_keys && index === 0}
        >
          {index === 0 && screen}
        </DisplayDrawing>
      ))}
    </Box>
  );
}

interface DisplayProps {
  display: DrawnDisplay;
  crease: boolean;
  hasBar: boolean;
  children?: React.ReactNode;
}

function DisplayDrawing({ display, crease, hasBar, children }: DisplayProps) {
  const { width, height, border, chin, radius, isRound } = display;
  const id = useId();
  const frame = Math.max(1.5, border);
  const short = Math.min(width, height);
  const depth = short / 7;
  return (
    <Box
      sx={body}
      style={{ padding: frame, borderRadius: radius + frame, "--drop": `0 ${depth * 0.36}px ${depth}px` } as object}
    >
      {isRound && <Box sx={crown} style={{ width: frame * 0.9, height: short * 0.14 }} />}
      <Box sx={screen} style={{ width, height, borderRadius: radius }}>
        {children || (
          <>
            <Wallpaper id={id} ratio={height / width} isRound={isRound} />
            {crease && <Box sx={height > 1.5 * width ? [line, across] : [line, along]} />}
            {hasBar && <Box sx={bar} style={{ height: Math.max(1, short * 0.012), bottom: height * 0.015 }} />}
          </>
        )}
      </Box>
      {chin > 0 && <Keys size={chin} />}
    </Box>
  );
}

/** Back, home and recents, as Android draws them. */
const keys = ["M14 7 8 12l6 5Z", "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "M8.5 8.5h7v7h-7Z"];

const Keys = ({ size }: { size: number }) => (
  <Box sx={{ display: "flex", justifyContent: "space-evenly" }} style={{ height: size }}>
    {keys.map((path) => (
      <Fragment key={path}>
        <svg viewBox="0 0 24 24" width={size} height={size}>
          <path d={path} fill="none" stroke="#8A9992" strokeWidth="1.5" strokeLinejoin="round" />
        </svg>
      </Fragment>
    ))}
  </Box>
);

const body = {
  position: "relative",
  flex: "none",
  background: "#0A0E0D",
  boxShadow: "0 0 0 1px #2D3834, inset 0 0 0 1.5px #1b2320, var(--drop) rgba(10,30,22,.28)",
  "[data-theme=dark] &": { boxShadow: "0 0 0 1px #45544D, inset 0 0 0 1.5px #1b2320, var(--drop) rgba(0,0,0,.5)" },
};
const screen = { overflow: "hidden", display: "flex", position: "relative" };
const crown = {
  position: "absolute",
  left: "100%",
  top: "50%",
  transform: "translateY(-50%)",
  borderRadius: "0 3px 3px 0",
  background: "#2D3834",
};
const line = { position: "absolute", background: "rgba(0,0,0,.18)" };
const along = { inset: "0 auto 0 50%", width: "1px" };
const across = { inset: "50% 0 auto 0", height: "1px" };
const bar = {
  position: "absolute",
  left: "35%",
  width: "30%",
  borderRadius: 99,
  background: "rgba(255,255,255,.85)",
};
