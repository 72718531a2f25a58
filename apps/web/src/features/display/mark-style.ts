import type { Theme } from "@mui/material/styles";

/** Lies on a picture, and lets all input through to the device. */
export const markLayer = { position: "absolute", inset: 0, overflow: "hidden", pointerEvents: "none" };

/** With an edge of both kinds, so that it shows on any picture. */
export const mark = (theme: Theme) => ({
  position: "absolute",
  pointerEvents: "none",
  outline: `2px solid ${theme.vars.palette.primary.main}`,
  outlineOffset: -2,
  boxShadow: "0 0 0 1px #fff, inset 0 0 0 3px #fff",
  "&[data-what=marked]": { background: "rgba(14, 107, 76, .22)", outlineStyle: "dashed" },
});
