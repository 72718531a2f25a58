import { IconButton, InputAdornment, OutlinedInput, type OutlinedInputProps } from "@mui/material";
import Search from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<OutlinedInputProps, "label" | "value" | "onChange"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A search box: its label is what it says while it is empty. */
export function SearchField({ label, value, onChange, inputProps, ...input }: Props) {
  const { t } = useTranslation();
  return (
    <OutlinedInput
      size="small"
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{
        "aria-label": label,
        autoComplete: "off",
        spellCheck: false,
        enterKeyHint: "search",
        ...inputProps,
      }}
      startAdornment={
        <InputAdornment position="start" sx={{ mr: 0 }}>
          <Icon glyph={Search} />
        </InputAdornment>
      }
      endAdornment={
        value !== "" && (
          <IconButton size="small" edge="end" aria-label={t("common.clear")} onClick={() => onChange("")}>
            <Icon glyph={X} size={14} />
          </IconButton>
        )
      }
      {...input}
    />
  );
}
