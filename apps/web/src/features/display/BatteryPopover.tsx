import { Box, FormControlLabel, Popover, Slider, Switch, Typography, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Battery } from "./battery.ts";

interface Props {
  /** The button that opened it; closed when there is none. */
  anchor: HTMLElement | undefined;
  /** What the device last reported. */
  battery: Battery | undefined;
  onChange: (battery: Battery) => void;
  onClose: () => void;
}

const WIDTH = 264;
const GAP = 16;

/** What it takes beside the toolbar, or above it on narrow screens, in pixels. */
export const BATTERY_ROOM = { width: WIDTH + 2 * GAP, height: 212 };

/** The device's battery. It shows what the device reports; while a hand is on the slider, what the hand asks for. */
export function BatteryPopover({ anchor, battery, onChange, onClose }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const [dragged, setDragged] = useState<number>();
  const reported = battery ?? { level: 100, isCharging: true };
  const level = dragged ?? reported.level;
  return (
    <Popover
      open={anchor !== undefined}
      anchorEl={anchor ?? null}
      onClose={onClose}
      anchorOrigin={isNarrow ? { vertical: "top", horizontal: "center" } : { vertical: "center", horizontal: "right" }}
      transformOrigin={
        isNarrow ? { vertical: "bottom", horizontal: "center" } : { vertical: "center", horizontal: "left" }
      }
      slotProps={{ paper: { sx: sheet, role: "dialog", "aria-labelledby": "battery-title" } }}
    >
      <Typography id="battery-title" variant="h3">
        {t("display.battery.title")}
      </Typography>
      <Box sx={{ display: "flex", justifyContent: "space-between", mt: "12px" }}>
        <Typography id="battery-level" variant="label">
          {t("display.battery.level")}
        </Typography>
        <Typography variant="body2" sx={{ fontWeight: 600 }}>
          {t("display.battery.percent", { level })}
        </Typography>
      </Box>
      <Slider
        aria-labelledby="battery-level"
        size="small"
        value={level}
        onChange={(_, value) => setDragged(value)}
        onChangeCommitted={(_, value) => {
          setDragged(undefined);
          onChange({ ...reported, level: value });
        }}
      />
      <FormControlLabel
        sx={{ m: 0, width: "100%", justifyContent: "space-between" }}
        labelPlacement="start"
        label={t("display.battery.charging")}
        slotProps={{ typography: { variant: "label" } }}
        control={
          <Switch
            edge="end"
            size="small"
            checked={reported.isCharging}
            onChange={(_, isCharging) => onChange({ ...reported, isCharging })}
          />
        }
      />
      <Typography variant="caption" component="p" sx={{ mt: "8px", color: "text.tertiary" }}>
        {t(battery ? "display.battery.help" : "display.battery.unknown")}
      </Typography>
    </Popover>
  );
}

const sheet = (theme: Theme) => ({
  width: WIDTH,
  padding: "16px 20px",
  margin: { xs: "-12px 0 0", md: `0 0 0 ${GAP}px` },
  borderRadius: "10px",
  background: theme.vars.palette.background.raised,
  boxShadow: `var(--depth-3), var(--glass-edge), 0 0 0 1px ${theme.vars.palette.divider}`,
});
