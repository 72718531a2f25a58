import type { Components, CssVarsTheme, Theme } from "@mui/material/styles";
import { CheckboxEmpty, CheckboxSome, CheckboxTicked } from "./Checkboxes.tsx";
import { SelectArrow } from "./SelectArrow.tsx";
import type tokensType from "./tokens.json";

type Tokens = typeof tokensType;
type ThemedComponents = Components<Omit<Theme, "components" | "palette"> & CssVarsTheme>;

const REDUCED = "@media (prefers-reduced-motion: reduce)";

/** Sizes and shapes of the library's components. */
export function componentsOf({ size, radius, color, typography, motion }: Tokens): ThemedComponents {
  const shadows = (shadow: Tokens["color"]["light"]["shadow"]) => ({
    "--depth-1": shadow["1"],
    "--depth-2": shadow["2"],
    "--depth-3": shadow["3"],
    "--depth-4": shadow["4"],
    "--glass-edge": shadow.edge,
  });
  const focusRing = { outline: "2px solid var(--mui-palette-focus)", outlineOffset: 2 };
  return {
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
        "@keyframes terrarium-turn": { to: { transform: "rotate(1turn)" } },
        // Where the system chooses the colours, edges say what fills say elsewhere.
        "@media (forced-colors: active)": {
          ".MuiButton-contained, .MuiToggleButtonGroup-root, .MuiDialog-paper, .MuiPopover-paper, [role=toolbar]": {
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
        [REDUCED]: {
          "*, ::before, ::after": {
            animationDuration: "80ms !important",
            animationIterationCount: "1 !important",
            transitionDuration: "80ms !important",
          },
        },
      },
    },
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
          [theme.breakpoints.down("sm")]: { minHeight: 40 },
        }),
        sizeLarge: { height: size.controlLarge, padding: "0 16px", fontSize: "0.875rem" },
        contained: {
          boxShadow: "var(--depth-1), inset 0 1px 0 rgba(255,255,255,.14)",
          "&:hover": { boxShadow: "var(--depth-1)" },
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
        }),
        sizeSmall: { width: 28, height: 28 },
      },
    },
    MuiOutlinedInput: {
      styleOverrides: {
        root: ({ theme }) => ({
          height: size.field,
          background: theme.vars.palette.background.paper,
          "& .MuiOutlinedInput-notchedOutline": { borderColor: theme.vars.palette.outline },
          "&.MuiInputBase-sizeSmall": { height: size.control, fontSize: "0.8125rem" },
          "&.Mui-focused .MuiOutlinedInput-notchedOutline": {
            borderWidth: 1,
            borderColor: theme.vars.palette.primary.main,
          },
          "&.Mui-focused": {
            boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette.primary.main} 22%, transparent)`,
          },
          "& input:focus-visible": { outline: "none" },
        }),
        input: ({ theme }) => ({
          padding: "0 10px",
          "&::placeholder": { color: theme.vars.palette.text.tertiary, opacity: 1 },
        }),
        adornedStart: { paddingLeft: 10, "& input": { paddingLeft: 8 } },
        notchedOutline: { top: 0, "& legend": { display: "none" } },
      },
    },
    MuiTooltip: {
      defaultProps: { enterDelay: 700, disableInteractive: true },
      styleOverrides: {
        tooltip: ({ theme }) => ({
          background: theme.vars.palette.snack.bg,
          color: theme.vars.palette.snack.fg,
          ...typography.caption,
          padding: "4px 8px",
          boxShadow: "var(--depth-2)",
        }),
      },
    },
    MuiPaper: { styleOverrides: { root: { backgroundImage: "none" } } },
    MuiMenu: {
      styleOverrides: {
        paper: ({ theme }) => ({
          background: theme.vars.palette.background.raised,
          borderRadius: radius.md,
          boxShadow: `var(--depth-3), var(--glass-edge), 0 0 0 1px ${theme.vars.palette.divider}`,
          marginTop: 4,
        }),
        list: { padding: 4 },
      },
    },
    MuiMenuItem: {
      styleOverrides: {
        root: ({ theme }) => ({
          ...typography.body2,
          minHeight: size.control,
          borderRadius: radius.xs,
          padding: "6px 10px",
          gap: 8,
          [theme.breakpoints.down("sm")]: { minHeight: size.touch },
        }),
      },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme }) => ({
          background: theme.vars.palette.background.raised,
          borderRadius: radius.lg,
          "&.MuiDialog-paperFullScreen": { borderRadius: 0 },
          boxShadow: `var(--depth-4), var(--glass-edge), 0 0 0 1px ${theme.vars.palette.divider}`,
        }),
      },
    },
    MuiDialogTitle: { styleOverrides: { root: { ...typography.h2, padding: "20px 24px 12px" } } },
    MuiDialogContent: { styleOverrides: { root: { padding: "0 24px 20px" } } },
    MuiDialogActions: {
      styleOverrides: {
        root: { padding: "12px 24px 20px", gap: 8, "& > :not(style) ~ :not(style)": { marginLeft: 0 } },
      },
    },
    MuiBackdrop: {
      styleOverrides: {
        root: ({ theme }) => ({ "&:not(.MuiBackdrop-invisible)": { background: theme.vars.palette.scrim } }),
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
          "&.Mui-selected": { color: theme.vars.palette.text.primary },
        }),
      },
    },
    MuiCheckbox: {
      defaultProps: {
        size: "small",
        icon: CheckboxEmpty,
        checkedIcon: CheckboxTicked,
        indeterminateIcon: CheckboxSome,
      },
      styleOverrides: {
        root: ({ theme }) => ({
          padding: 8,
          color: theme.vars.palette.outline,
          [theme.breakpoints.down("sm")]: { padding: 14 },
        }),
      },
    },
    MuiTableCell: {
      styleOverrides: {
        root: ({ theme }) => ({
          ...typography.body2,
          height: size.row,
          padding: "0 10px",
          whiteSpace: "nowrap",
          overflow: "hidden",
          textOverflow: "ellipsis",
          color: theme.vars.palette.text.secondary,
          borderColor: theme.vars.palette.divider,
        }),
        head: ({ theme }) => ({
          ...typography.overline,
          height: size.tableHead,
          color: theme.vars.palette.text.tertiary,
        }),
        paddingCheckbox: { width: 44, padding: "0 0 0 8px" },
      },
    },
    MuiTableRow: {
      styleOverrides: {
        root: ({ theme }) => ({
          "tbody &:last-of-type td": { borderBottom: 0 },
          "tbody &:hover": { background: theme.vars.palette.action.hover },
          "tbody &:focus-visible": { outlineOffset: -2 },
          "&.Mui-selected, &.Mui-selected:hover": { background: theme.vars.palette.action.selected },
          // What is new comes in the light of the day, which fades; its bar stays.
          "&[data-fresh]": { animation: `terrarium-fresh ${motion.duration.fresh}ms ease-out` },
          "&[data-fresh] td:first-of-type": { boxShadow: `inset 2px 0 0 ${theme.vars.palette.fresh.bar}` },
        }),
      },
    },
    MuiTableSortLabel: {
      styleOverrides: {
        root: ({ theme }) => ({
          gap: 4,
          flexDirection: "row",
          "&.Mui-active": { color: theme.vars.palette.text.primary },
          "&:focus-visible": { borderRadius: radius.xs },
        }),
        icon: ({ theme }) => ({
          margin: 0,
          transition: theme.transitions.create("transform", { duration: motion.duration.fast }),
          "&.MuiTableSortLabel-directionAsc, &.MuiTableSortLabel-iconDirectionAsc": { transform: "rotate(180deg)" },
        }),
      },
    },
    MuiSelect: {
      defaultProps: { IconComponent: SelectArrow },
      styleOverrides: {
        icon: ({ theme }) => ({ right: 8, top: "calc(50% - 7px)", color: theme.vars.palette.text.secondary }),
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
          [theme.breakpoints.down("sm")]: { height: 36 },
        }),
      },
    },
    MuiPopover: { defaultProps: { transitionDuration: motion.duration.base } },
    MuiAlert: {
      styleOverrides: {
        root: { ...typography.body2, borderRadius: radius.sm, padding: "8px 12px", border: "1px solid currentColor" },
        icon: { padding: 0, marginRight: 8, alignItems: "center", color: "inherit !important" },
        message: { padding: 0 },
      },
      variants: (["error", "warning", "info", "success"] as const).map((severity) => ({
        props: { severity },
        style: ({ theme }) => ({
          background: theme.vars.palette[severity].soft,
          color: theme.vars.palette[severity].main,
        }),
      })),
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
  };
}
