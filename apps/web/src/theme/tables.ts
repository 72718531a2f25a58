import { focusRing } from "./focus-ring.ts";
import type { ThemedComponents, Tokens } from "./tokens.ts";

/** Rows, heads and cells. */
export const tablesOf = ({ size, radius, typography, motion }: Tokens): ThemedComponents => ({
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
        // The library takes the ring away.
        "tbody &:focus-visible": { ...focusRing, outlineOffset: -2 },
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
});
