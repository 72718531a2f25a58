import { Button, OutlinedInput } from "@mui/material";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { FreeFilterProps } from "../../components/list/list.ts";
import { isDay } from "../../components/days.ts";

/** A day, by typing or from the browser's calendar. Half a date is not asked for. */
export function DayFilter({ label, value, onChange }: FreeFilterProps) {
  const [typed, setTyped] = useState(value);
  const [inAddress, setInAddress] = useState(value);
  // The address may change in another way, such as by going back.
  if (inAddress !== value) {
    setInAddress(value);
    setTyped(value);
  }
  return (
    <OutlinedInput
      size="small"
      type="date"
      startAdornment={<span style={{ whiteSpace: "nowrap" }}>{label}</span>}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        if (target.value === "" || isDay(target.value)) onChange(target.value);
      }}
      inputProps={{ "aria-label": label, max: "2999-12-31" }}
      sx={{
        gap: 2,
        color: value === "" ? "text.tertiary" : "text.primary",
        "& .MuiOutlinedInput-notchedOutline": { borderColor: "divider" },
      }}
    />
  );
}

/** One thing, which a link leads to; there is nothing to choose, but it can be left. */
export function SubjectFilter({ label, value, onChange }: FreeFilterProps) {
  const { t } = useTranslation();
  if (value === "") return null;
  return (
    <Button variant="fresh" aria-description={label} onClick={() => onChange("")}>
      {t("audit.subject.label", { id: value.slice(0, 8) })}
      <Icon glyph={X} size={14} />
    </Button>
  );
}
