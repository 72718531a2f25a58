import { Button } from "@mui/material";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../../../components/hidden.ts";
import { usePreference } from "../../../components/use-preference.ts";
import { screenReaderPreference } from "./screen-reader-preference.ts";

/** Turns support for screen readers on or off. It is first at a device, and seen by who comes to it with the Tab key. */
export function ScreenReaderSwitch() {
  const { t } = useTranslation();
  const [isOn, setOn] = usePreference(screenReaderPreference);
  return (
    <Button variant="contained" color="primary" onClick={() => setOn(!isOn)} sx={shownByKey}>
      {t(isOn ? "display.reader.turnOff" : "display.reader.turnOn")}
    </Button>
  );
}

const shownByKey = {
  position: "absolute",
  top: 8,
  left: 8,
  zIndex: 2,
  "&:not(:focus-visible)": visuallyHidden,
};
