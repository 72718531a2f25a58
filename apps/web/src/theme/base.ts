import { focusRing } from "./focus-ring.ts";
import type { ThemedComponents, Tokens } from "./tokens.ts";

const REDUCED = "@media (prefers-reduced-motion: reduce)";

const shadows = (shadow: Tokens["color"]["light"]["shadow"]) => ({
  "--depth-1": shadow["1"],
  "--depth-2": shadow["2"],
  "--depth-3": shadow["3"],
  "--depth-4": shadow["4"],
  "--glass-edge": shadow.edge,
});

/** The page itself: type, focus, and what the system asks for. */
export const baseOf = ({ color, typography }: Tokens): ThemedComponents => ({
  MuiCssBaseline: {
    styleOverrides: {
      ":root": shadows(color.light.shadow),
      ":root[data-theme=dark]": { ...shadows(color.dark.shadow), colorScheme: "dark" },
      body: {
        ...typography.body1,
        ...typography.base,
        textRendering: "optimizeLegibility",
        WebkitFontSmoothing: "antialiased",
      },
      ":focus-visible": focusRing,
      "main:focus-visible": { outline: "none" },
      "@keyframes terrarium-fresh": { from: { backgroundColor: "var(--mui-palette-fresh-wash)" } },
      "@keyframes terrarium-run": { from: { translate: "-100%" }, to: { translate: "250%" } },
      "@keyframes terrarium-turn": { to: { transform: "rotate(1turn)" } },
      // Where the system chooses the colours, edges say what fills say elsewhere.
      "@media (forced-colors: active)": {
        ".MuiButton-contained, .MuiToggleButtonGroup-root, .MuiDialog-paper, .MuiPopover-paper, [role=toolbar], [data-floating]":
          {
            border: "1px solid",
          },
        ".MuiToggleButton-root.Mui-selected, .MuiButton-contained": {
          forcedColorAdjust: "none",
          background: "Highlight !important",
          color: "HighlightText !important",
        },
        ".MuiButton-contained.Mui-disabled": { background: "ButtonFace !important", color: "GrayText !important" },
        "tr.Mui-selected": { outline: "2px solid Highlight", outlineOffset: -2 },
      },
      "::view-transition-group(*)": { animationDuration: "240ms", animationTimingFunction: "cubic-bezier(.2,0,0,1)" },
      [REDUCED]: {
        "::view-transition-group(*)": { animation: "none !important" },
        "::view-transition-old(*), ::view-transition-new(*)": { animationDuration: "80ms !important" },
        "*, ::before, ::after": {
          animationDuration: "80ms !important",
          animationIterationCount: "1 !important",
          transitionDuration: "80ms !important",
        },
      },
    },
  },
});
