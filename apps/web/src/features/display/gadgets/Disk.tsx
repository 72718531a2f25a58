import { Box, Button } from "@mui/material";
import HardDrive from "lucide-react/icons/hard-drive";
import { useTranslation } from "react-i18next";
import { snack } from "../../../components/snack-queue.ts";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";
import { LabelledChoice } from "./LabelledChoice.tsx";
import { useAsked } from "./use-asked.ts";

interface Disk {
  /** MiB a second; 0 for no limit. */
  rate: number;
}

const WIDTH = 264;
const MIB = 1024 * 1024;
/** As the player offers them, and one for those who want to see it. */
const rates = [0, 200, 100, 50, 1];

/** `readbyterate 52428800`. */
function diskOf(report: unknown): Disk | undefined {
  const bytes = /^readbyterate (\d{1,15})$/.exec(String(report))?.[1];
  return bytes === undefined ? undefined : { rate: Math.round(Number(bytes) / MIB) };
}

function DiskPanel({ anchor, state, send, onClose }: PanelProps<Disk>) {
  const { t } = useTranslation();
  const [{ rate }, ask] = useAsked(state ?? { rate: 0 });
  const known = rates.includes(rate) ? rates : [...rates, rate];
  return (
    <GadgetPopover anchor={anchor} title={t("display.disk.title")} width={WIDTH} onClose={onClose}>
      <Box sx={{ display: "grid", gap: "12px", mt: "12px" }}>
        <LabelledChoice
          label={t("display.disk.rate")}
          value={String(rate)}
          choices={known.map((each) => ({
            value: String(each),
            label: each === 0 ? t("display.disk.unlimited") : t("display.disk.perSecond", { rate: each }),
          }))}
          onChange={(chosen) => {
            ask({ rate: Number(chosen) });
            send({ channel: "diskio", messages: [`set readbyterate ${Number(chosen) * MIB}`, "clearcache"] });
          }}
        />
        <Button
          onClick={() => {
            send({ channel: "diskio", messages: ["clearcache"] });
            snack("success", t("display.disk.cleared"));
          }}
        >
          {t("display.disk.clear")}
        </Button>
      </Box>
    </GadgetPopover>
  );
}

/** How fast the device reads its disk. */
export const disk = gadget({
  name: "disk",
  glyph: HardDrive,
  shortcut: "d",
  group: "more",
  capability: "diskIO",
  usualOn: [],
  panel: { Panel: DiskPanel, size: roomOf(WIDTH, 150), channels: ["diskio"], read: diskOf },
});
