import { Checkbox } from "@mui/material";
import { useTranslation } from "react-i18next";

interface Props {
  /** Of what is selected with it. */
  name: string;
  isSelected: boolean;
  onSelect: (event: { shiftKey?: boolean }) => void;
}

/** The tick box of a row. */
export function SelectBox({ name, isSelected, onSelect }: Props) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="small"
      checked={isSelected}
      // React reports a change when the box is clicked, by pointer or key, and passes that event on.
      onChange={({ nativeEvent }) => onSelect(nativeEvent as MouseEvent)}
      onDoubleClick={(event) => event.stopPropagation()}
      slotProps={{ input: { "aria-label": t("common.table.select", { name }) } }}
    />
  );
}
