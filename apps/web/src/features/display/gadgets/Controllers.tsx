import { FormControlLabel, Switch, Typography } from "@mui/material";
import Gamepad2 from "lucide-react/icons/gamepad-2";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";
import { confirmedOf, type Confirmed, GamepadBridge } from "./gamepad-bridge.ts";

const WIDTH = 280;
const none: Confirmed = {};

function ControllersPanel({ anchor, state = none, send, onClose }: PanelProps<Confirmed>) {
  const { t } = useTranslation();
  const [isOn, setOn] = useState(false);
  const [names, setNames] = useState<string[]>([]);
  const confirmed = useEffectEvent(() => state);
  const sendToDevice = useEffectEvent(send);
  // Even while the panel is closed: that is when somebody plays.
  useEffect(() => {
    if (!isOn) return undefined;
    const bridge = new GamepadBridge((message) => sendToDevice(message));
    let frame = 0;
    const look = () => {
      const pads = navigator.getGamepads();
      bridge.look(pads, confirmed());
      setNames((before) => {
        const now = pads.flatMap((pad) => (pad?.connected ? pad.id : []));
        return now.join() === before.join() ? before : now;
      });
      frame = requestAnimationFrame(look);
    };
    look();
    return () => {
      cancelAnimationFrame(frame);
      bridge.close(confirmed());
    };
  }, [isOn]);
  const shown = names.length > 0 ? names.join(", ") : t("display.gamepad.none");
  return (
    <GadgetPopover anchor={anchor} title={t("display.gamepad.title")} width={WIDTH} onClose={onClose}>
      <FormControlLabel
        sx={{ m: 0, mt: "12px", width: "100%", minHeight: { xs: 44, sm: 0 }, justifyContent: "space-between" }}
        labelPlacement="start"
        label={t("display.gamepad.pass")}
        slotProps={{ typography: { variant: "label" } }}
        control={<Switch edge="end" size="small" checked={isOn} onChange={(_, on) => setOn(on)} />}
      />
      <Typography variant="caption" component="p" sx={{ mt: "8px", color: "text.tertiary" }} aria-live="polite">
        {isOn ? shown : t("display.gamepad.help")}
      </Typography>
    </GadgetPopover>
  );
}

/** Controllers of this computer, which become the device's. */
export const gamepad = gadget({
  name: "gamepad",
  glyph: Gamepad2,
  shortcut: "j",
  group: "more",
  capability: "gamepad",
  usualOn: [],
  panel: {
    Panel: ControllersPanel,
    size: roomOf(WIDTH, 130),
    channels: ["vinput"],
    read: confirmedOf,
    isOfConnection: true,
  },
});
