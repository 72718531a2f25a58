import { CheckboxEmpty, CheckboxSome, CheckboxTicked } from "./Checkboxes.tsx";
import { SelectArrow } from "./SelectArrow.tsx";
import type { ThemedComponents, Tokens } from "./tokens.ts";

/** What is filled in. */
export const fieldsOf = ({ size }: Tokens): ThemedComponents => ({
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: size.field,
        background: theme.vars.palette.background.paper,
        "& .MuiOutlinedInput-notchedOutline": { borderColor: theme.vars.palette.outline },
        "&.MuiInputBase-multiline": { height: "auto", padding: "8px 0" },
        "&.MuiInputBase-sizeSmall": { height: size.control, fontSize: "0.8125rem" },
        "&.Mui-focused .MuiOutlinedInput-notchedOutline": {
          borderWidth: 1,
          borderColor: theme.vars.palette.primary.main,
        },
        "&.Mui-focused": {
          boxShadow: `0 0 0 3px color-mix(in srgb, ${theme.vars.palette.primary.main} 22%, transparent)`,
        },
        "& input:focus-visible": { outline: "none" },
        [theme.breakpoints.down("sm")]: { "&&": { minHeight: size.touch } },
      }),
      input: ({ theme }) => ({
        padding: "0 10px",
        "&::placeholder": { color: theme.vars.palette.text.tertiary, opacity: 1 },
      }),
      adornedStart: { paddingLeft: 10, "& input": { paddingLeft: 8 } },
      notchedOutline: { top: 0, "& legend": { display: "none" } },
    },
  },
  MuiSwitch: {
    styleOverrides: {
      // A finger that comes down 10 px above or below it means it.
      root: ({ theme }) => ({
        [theme.breakpoints.down("sm")]: {
          overflow: "visible",
          "& input": { height: size.touch, top: -10 },
        },
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
        // Ticked before the code of a prerendered page has come, which draws it ticked.
        "& input:checked + span": { background: `${theme.vars.palette.primary.main} !important` },
        padding: 8,
        color: theme.vars.palette.outline,
        [theme.breakpoints.down("sm")]: { padding: 14 },
      }),
    },
  },
  MuiSelect: {
    defaultProps: { IconComponent: SelectArrow },
    styleOverrides: {
      icon: ({ theme }) => ({ right: 8, top: "calc(50% - 7px)", color: theme.vars.palette.text.secondary }),
    },
  },
});
