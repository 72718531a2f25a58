import type { ThemedComponents, Tokens } from "./tokens.ts";

/** What lies on the page or above it. */
export const surfacesOf = ({ size, radius, typography, motion }: Tokens): ThemedComponents => ({
  MuiPaper: { styleOverrides: { root: { backgroundImage: "none" } } },
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
});
