import { MenuItem, Select } from "@mui/material";

interface Props<Value extends string> {
  label: string;
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** One of several, in a menu. Its name is for screen readers only: the choices say what they are of. */
export function Dropdown<Value extends string>({ label, choices, value, onChange }: Props<Value>) {
  return (
    <Select
      size="small"
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      sx={{ "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" } }}
      inputProps={{ "aria-label": label }}
    >
      {choices.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </Select>
  );
}
