import { Box, Typography } from "@mui/material";
import Gauge from "lucide-react/icons/gauge";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";
import { LabelledChoice } from "./LabelledChoice.tsx";

const WIDTH = 280;
/** The shorter side, and kilobits a second; 0 is what the device's encoder does by itself. */
const sizes = ["0", "1080", "720", "480", "360", "240"] as const;
const rates = ["0", "8000", "5000", "2000", "1000", "500"] as const;

function StreamPanel({ anchor, send, onClose }: PanelProps<never>) {
  const { t } = useTranslation();
  const [size, setSize] = useState<(typeof sizes)[number]>("0");
  const [rate, setRate] = useState<(typeof rates)[number]>("0");
  return (
    <GadgetPopover anchor={anchor} title={t("display.stream.title")} width={WIDTH} onClose={onClose}>
      <Box sx={{ display: "grid", gap: "8px", mt: "12px" }}>
        <LabelledChoice
          label={t("display.stream.size")}
          value={size}
          choices={sizes.map((value) => ({
            value,
            label: value === "0" ? t("display.stream.whole") : t("display.stream.lines", { lines: value }),
          }))}
          onChange={(chosen) => {
            setSize(chosen);
            send({ type: "SIZE", width: Number(chosen) });
          }}
        />
        <LabelledChoice
          label={t("display.stream.rate")}
          value={rate}
          choices={rates.map((value) => ({
            value,
            label:
              value === "0" ? t("display.stream.automatic") : t("display.stream.mbits", { rate: Number(value) / 1000 }),
          }))}
          onChange={(chosen) => {
            setRate(chosen);
            send({ type: "BITRATE", videoBitrate: Number(chosen), audioBitrate: 0 });
          }}
        />
        <Typography variant="caption" component="p" sx={{ color: "text.tertiary" }}>
          {t("display.stream.help")}
        </Typography>
      </Box>
    </GadgetPopover>
  );
}

/** How large and how good the picture is sent. */
export const stream = gadget({
  name: "stream",
  glyph: Gauge,
  shortcut: "q",
  group: "more",
  usualOn: ["PHONE", "TABLET", "TV", "CAR", "WATCH"],
  panel: { Panel: StreamPanel, size: roomOf(WIDTH, 190), channels: [], read: () => undefined },
});
