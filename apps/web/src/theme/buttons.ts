import { focusRing } from "./focus-ring.ts";
import type { ThemedComponents, Tokens } from "./tokens.ts";

/** What is pressed. */
export const buttonsOf = ({ size, radius, typography }: Tokens): ThemedComponents => ({
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: { "&.Mui-focusVisible": focusRing } },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: "outlined", color: "inherit" },
    styleOverrides: {
      root: ({ theme }) => ({
        height: size.control,
        minWidth: 0,
        padding: "0 12px",
        borderRadius: radius.sm,
        whiteSpace: "nowrap",
        gap: 6,
        [theme.breakpoints.down("sm")]: { minHeight: size.touch, minWidth: size.touch },
      }),
      sizeLarge: { height: size.controlLarge, padding: "0 16px", fontSize: "0.875rem" },
      contained: {
        boxShadow: "var(--depth-1), inset 0 1px 0 rgba(255,255,255,.14)",
        "&:hover": { boxShadow: "var(--depth-1)" },
        // Under way: it still says what it does.
        "&[aria-disabled=true]": { opacity: 0.8, cursor: "progress" },
        // It stays what it is, and steps back.
        "&.Mui-disabled": {
          opacity: 0.45,
          color: "var(--variant-containedColor)",
          backgroundColor: "var(--variant-containedBg)",
        },
      },
      outlined: ({ theme }) => ({
        borderColor: theme.vars.palette.divider,
        background: theme.vars.palette.background.raised,
        boxShadow: "var(--depth-1)",
      }),
      text: ({ theme }) => ({ color: theme.vars.palette.text.secondary }),
      startIcon: { margin: 0 },
      endIcon: { margin: 0 },
    },
    variants: [
      {
        props: { variant: "fresh" },
        style: ({ theme }) => ({
          background: theme.vars.palette.primary.soft,
          border: `1px solid ${theme.vars.palette.primary.line}`,
          color: theme.vars.palette.primary.main,
        }),
      },
    ],
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: size.control,
        height: size.control,
        borderRadius: radius.sm,
        color: theme.vars.palette.text.secondary,
        "&[aria-disabled=true]": { opacity: 0.35, cursor: "default" },
        [theme.breakpoints.down("sm")]: { minHeight: size.touch, minWidth: size.touch },
      }),
      sizeSmall: { width: 28, height: 28 },
    },
  },
  MuiToggleButtonGroup: {
    styleOverrides: {
      root: ({ theme }) => ({
        padding: 2,
        gap: 1,
        borderRadius: 8,
        background: theme.vars.palette.background.sunken,
        "[data-theme=dark] &": {
          background: theme.vars.palette.stage.bottom,
          boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}`,
        },
      }),
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...typography.body2,
        fontWeight: 500,
        textTransform: "none",
        height: 28,
        padding: "0 10px",
        border: "0 !important",
        margin: "0 !important",
        borderRadius: `${radius.sm}px !important`,
        color: theme.vars.palette.text.secondary,
        "&.Mui-selected, &.Mui-selected:hover": {
          color: theme.vars.palette.text.primary,
          background: theme.vars.palette.background.paper,
          boxShadow: `var(--depth-1), 0 0 0 1px ${theme.vars.palette.divider}`,
          "[data-theme=dark] &": { background: "#26332D", boxShadow: "none" },
        },
        [theme.breakpoints.down("sm")]: { height: size.touch, minWidth: size.touch },
      }),
    },
  },
  MuiTabs: { styleOverrides: { root: { minHeight: 40 }, indicator: { height: 2 } } },
  MuiTab: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...typography.label,
        minHeight: 40,
        minWidth: 0,
        padding: "8px 0 10px",
        marginRight: 20,
        [theme.breakpoints.down("sm")]: { minHeight: size.touch, minWidth: size.touch },
        "&.Mui-selected": { color: theme.vars.palette.text.primary },
      }),
    },
  },
  MuiLink: {
    styleOverrides: {
      root: ({ theme }) => ({
        color: theme.vars.palette.text.primary,
        textUnderlineOffset: 2,
        textDecorationColor: theme.vars.palette.outline,
      }),
    },
  },
});
