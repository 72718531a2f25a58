import { ToggleButton, ToggleButtonGroup, Tooltip } from "@mui/material";
import { type Glyph, Icon } from "./Icon.tsx";

interface Choice<Value extends string> {
  value: Value;
  label: string;
  /** Shown in place of the label, which then names it. */
  glyph?: Glyph;
}

interface Props<Value extends string> {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  isFullWidth?: boolean;
  /** The element that says more about it. */
  describedBy?: string | undefined;
}

/** One of a few, all of them in sight. */
export function Segmented<Value extends string>({
  label,
  choices,
  value,
  onChange,
  isFullWidth = false,
  describedBy,
}: Props<Value>) {
  return (
    <ToggleButtonGroup
      exclusive
      fullWidth={isFullWidth}
      aria-label={label}
      aria-describedby={describedBy}
      value={value}
      onChange={(_, chosen: Value | null) => {
        if (chosen !== null) onChange(chosen);
      }}
    >
      {choices.map((choice) => (
        <ToggleButton key={choice.value} value={choice.value}>
          {choice.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

interface TogglesProps<Value extends string> {
  label: string;
  choices: readonly Required<Choice<Value>>[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
}

/** Any of a few, each a picture with its word as a tooltip. */
export function IconToggles<Value extends string>({ label, choices, values, onChange }: TogglesProps<Value>) {
  return (
    <ToggleButtonGroup aria-label={label} value={values} onChange={(_, chosen: Value[]) => onChange(chosen)}>
      {choices.map(({ value, label: word, glyph }) => (
        <Tooltip key={value} title={word}>
          <ToggleButton
            value={value}
            aria-label={word}
            selected={values.includes(value)}
            sx={{ width: { xs: 44, sm: 32 }, p: 0 }}
          >
            <Icon glyph={glyph} />
          </ToggleButton>
        </Tooltip>
      ))}
    </ToggleButtonGroup>
  );
}
