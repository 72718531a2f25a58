import "@mui/material/themeCssVarsAugmentation";

interface Soft {
  main: string;
  soft: string;
}

/** Colours of ours beside the library's own; UI sizes and roles are in tokens.json. */
interface OwnPalette {
  outline: string;
  focus: string;
  scrim: string;
  saving: Soft;
  neutral: Soft;
  fresh: { wash: string; bar: string };
  snack: { bg: string; fg: string };
  stage: { daylight: string; top: string; bottom: string; glassLine: string };
  chart: { strong: string; soft: string; grid: string };
}

declare module "@mui/material/styles" {
  /** `theme.vars` is always there: the theme is made with them. */
  interface CssThemeVariables {
    enabled: true;
  }
  interface Palette extends OwnPalette {}
  interface PaletteOptions extends Partial<OwnPalette> {}
  interface PaletteColor {
    soft: string;
    line: string;
  }
  interface SimplePaletteColorOptions {
    soft?: string;
    line?: string;
  }
  interface TypeBackground {
    sunken: string;
    raised: string;
  }
  interface TypeText {
    tertiary: string;
  }
  interface TypographyVariants {
    display: React.CSSProperties;
    figure: React.CSSProperties;
    lead: React.CSSProperties;
    label: React.CSSProperties;
    chip: React.CSSProperties;
    mono: React.CSSProperties;
  }
  interface TypographyVariantsOptions extends Partial<TypographyVariants> {}
}

declare module "@mui/material/Typography" {
  interface TypographyPropsVariantOverrides {
    display: true;
    figure: true;
    lead: true;
    label: true;
    chip: true;
    mono: true;
  }
}

declare module "@mui/material/Button" {
  interface ButtonPropsVariantOverrides {
    fresh: true;
  }
}
