import { createTheme } from "@mui/material/styles";
import "./augmentation.ts";
import { componentsOf } from "./components.ts";
import tokens from "./tokens.json" with { type: "json" };

const { typography, breakpoints, color, motion, radius } = tokens;

/** The whole look, from tokens.json. Colours are read through `theme.vars`, so that light and dark need no second render. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: "data-theme" },
  colorSchemes: { light: { palette: color.light.palette as never }, dark: { palette: color.dark.palette as never } },
  spacing: tokens.space.unit,
  shape: { borderRadius: radius.sm },
  breakpoints: { values: breakpoints },
  transitions: {
    easing: {
      easeInOut: motion.easing.standard,
      easeOut: motion.easing.standard,
      easeIn: motion.easing.exit,
      sharp: motion.easing.exit,
    },
    duration: {
      shortest: motion.duration.fast,
      shorter: motion.duration.fast,
      short: motion.duration.base,
      standard: motion.duration.base,
      complex: motion.duration.slow,
      enteringScreen: motion.duration.slow,
      leavingScreen: motion.duration.fast,
    },
  },
  typography: {
    fontFamily: typography.fontFamily,
    h1: typography.h1,
    h2: typography.h2,
    h3: typography.h3,
    body1: typography.body1,
    body2: typography.body2,
    button: { ...typography.button, textTransform: "none" },
    caption: typography.caption,
    overline: { ...typography.overline, textTransform: "none" },
    display: typography.display,
    figure: typography.figure,
    lead: typography.lead,
    label: typography.label,
    chip: typography.chip,
    mono: { ...typography.mono, fontFamily: typography.fontFamilyMono, fontVariantLigatures: "none" },
  },
  components: componentsOf(tokens),
});
