import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type Glyph, Icon } from "./Icon.tsx";

/** Filled while something is alive; outlined when it ends (`ending`) or is gone (`gone`). */
export type ChipTone = "success" | "info" | "saving" | "warning" | "error" | "ending" | "gone";

interface Props {
  tone: ChipTone;
  glyph: Glyph;
  spins?: boolean | undefined;
  label: string;
}

/** A state: its picture and its word first, its colour last. When the state changes, the cross-fade does not move it. */
export function StateChip({ tone, glyph, spins, label }: Props) {
  return (
    <Box
      component="span"
      sx={[
        {
          typography: "chip",
          display: "inline-flex",
          alignItems: "center",
          gap: "5px",
          height: 24,
          pl: 1.5,
          pr: 2,
          borderRadius: "6px",
          whiteSpace: "nowrap",
          transition: "background-color 180ms, color 180ms, box-shadow 180ms",
          // Without colours of ours the shape still has to show.
          "@media (forced-colors: active)": { border: "1px solid" },
        },
        (theme) => colours(theme, tone),
      ]}
    >
      <Icon glyph={glyph} size={14} spins={spins} />
      {label}
    </Box>
  );
}

function colours(theme: Theme, tone: ChipTone) {
  const { palette } = theme.vars;
  switch (tone) {
    case "ending":
      return { color: palette.neutral.main, boxShadow: `inset 0 0 0 1px ${palette.outline}` };
    case "gone":
      return { color: palette.text.tertiary, boxShadow: `inset 0 0 0 1px ${palette.divider}` };
    case "success":
    case "info":
    case "saving":
    case "warning":
    case "error":
      return { color: palette[tone].main, background: palette[tone].soft };
    default:
      return tone satisfies never;
  }
}
