import { Box, FormControlLabel, Slider, Switch, Typography } from "@mui/material";
import BatteryMedium from "lucide-react/icons/battery-medium";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";
import { useAsked } from "./use-asked.ts";

interface Battery {
  /** 0 to 100 %. */
  level: number;
  isCharging: boolean;
}

const WIDTH = 264;
const unknown: Battery = { level: 100, isCharging: true };

/** The player's own message for the battery: it always sends both of its settings. */
export const batteryMessage = ({ level, isCharging }: Battery) => ({
  channel: "battery",
  messages: [`set state level ${Math.round(level)}`, `set state status ${isCharging ? "charging" : "discharging"}`],
});

/** A device's report; its last two words count: `state mode charging 73`. Undefined for anything else. */
export function batteryOf(report: unknown): Battery | undefined {
  if (typeof report !== "string") return undefined;
  const [status, level] = report.trim().split(/\s+/).slice(-2);
  if (!/^(charging|discharging|full)$/.test(status ?? "") || !/^\d{1,3}$/.test(level ?? "")) return undefined;
  return Number(level) > 100 ? undefined : { level: Number(level), isCharging: status !== "discharging" };
}

function BatteryPanel({ anchor, state, send, onClose }: PanelProps<Battery>) {
  const { t } = useTranslation();
  const [shown, ask] = useAsked(state ?? unknown);
  const [dragged, setDragged] = useState<number>();
  const level = dragged ?? shown.level;
  const set = (change: Partial<Battery>) => {
    const wanted = { ...shown, ...change };
    ask(wanted);
    send(batteryMessage(wanted));
  };
  return (
    <GadgetPopover anchor={anchor} title={t("display.battery.title")} width={WIDTH} onClose={onClose}>
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
          set({ level: value });
        }}
      />
      <FormControlLabel
        sx={{ m: 0, width: "100%", minHeight: { xs: 44, sm: 0 }, justifyContent: "space-between" }}
        labelPlacement="start"
        label={t("display.battery.charging")}
        slotProps={{ typography: { variant: "label" } }}
        control={
          <Switch
            edge="end"
            size="small"
            checked={shown.isCharging}
            onChange={(_, isCharging) => set({ isCharging })}
          />
        }
      />
      <Typography variant="caption" component="p" sx={{ mt: "8px", color: "text.tertiary" }}>
        {t(state ? "display.battery.help" : "display.battery.unknown")}
      </Typography>
    </GadgetPopover>
  );
}

/** The device's battery: its level, and whether it is charging. A TV and a car run on mains. */
export const battery = gadget({
  name: "battery",
  glyph: BatteryMedium,
  shortcut: "b",
  group: "sensors",
  capability: "battery",
  usualOn: ["PHONE", "TABLET", "WATCH"],
  panel: { Panel: BatteryPanel, size: roomOf(WIDTH, 212), channels: ["battery"], read: batteryOf },
});
