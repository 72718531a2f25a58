import { Box, FormControlLabel, Switch } from "@mui/material";
import Signal from "lucide-react/icons/signal";
import { useTranslation } from "react-i18next";
import { gadget, type PanelProps } from "./gadget.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";
import { LabelledChoice } from "./LabelledChoice.tsx";
import { useAsked } from "./use-asked.ts";

const profiles = ["5g", "lte", "hsdpa", "umts", "edge", "gprs", "gsm", "none"] as const;
const strengths = ["great", "good", "moderate", "poor", "none"] as const;

interface Network {
  wifi: boolean;
  mobile: boolean;
  profile: (typeof profiles)[number];
  strength: (typeof strengths)[number];
}

const WIDTH = 272;
const unknown: Network = { wifi: true, mobile: true, profile: "lte", strength: "great" };

/** `if wifi:on mobile:off`, or a state whose last two words are `mobile_profile:lte signal_strength:great`. */
export function networkOf(report: unknown, before: Network | undefined): Network | undefined {
  const text = String(report);
  const [, wifi, mobile] = /^if wifi:(on|off) mobile:(on|off)$/.exec(text) ?? [];
  if (wifi) return { ...(before ?? unknown), wifi: wifi === "on", mobile: mobile === "on" };
  const [, kind, bars] = /^state phone .* mobile_profile:(\w+) signal_strength:(\w+)$/.exec(text) ?? [];
  const profile = profiles.find((each) => each === kind);
  const strength = strengths.find((each) => each === bars);
  return profile && strength && { ...(before ?? unknown), profile, strength };
}

function NetworkPanel({ anchor, state, send, onClose }: PanelProps<Network>) {
  const { t } = useTranslation();
  const [shown, ask] = useAsked(state ?? unknown);
  const turn = (network: "wifi" | "mobile", on: boolean) => {
    ask({ ...shown, [network]: on });
    send({ channel: "settings", messages: [`${on ? "enable" : "disable"}if ${network}`] });
  };
  const choose = (change: Partial<Network>, command: string) => {
    ask({ ...shown, ...change });
    send({ channel: "network_profile", messages: [command] });
  };
  return (
    <GadgetPopover anchor={anchor} title={t("display.network.title")} width={WIDTH} onClose={onClose}>
      <Box sx={{ display: "grid", gap: "8px", mt: "12px" }}>
        {(["wifi", "mobile"] as const).map((network) => (
          <FormControlLabel
            key={network}
            sx={{ m: 0, minHeight: { xs: 44, sm: 0 }, justifyContent: "space-between" }}
            labelPlacement="start"
            label={t(`display.network.${network}`)}
            slotProps={{ typography: { variant: "label" } }}
            control={
              <Switch edge="end" size="small" checked={shown[network]} onChange={(_, on) => turn(network, on)} />
            }
          />
        ))}
        <LabelledChoice
          label={t("display.network.profile")}
          value={shown.profile}
          choices={profiles.map((value) => ({ value, label: t(`display.network.profiles.${value}`) }))}
          onChange={(profile) => choose({ profile }, `setprofile mobile ${profile}`)}
        />
        <LabelledChoice
          label={t("display.network.strength")}
          value={shown.strength}
          choices={strengths.map((value) => ({ value, label: t(`display.network.strengths.${value}`) }))}
          onChange={(strength) => choose({ strength }, `setsignalstrength mobile ${strength}`)}
        />
      </Box>
    </GadgetPopover>
  );
}

/** Wi-Fi and the mobile network: whether they are on, of which kind and how strong. */
export const network = gadget({
  name: "network",
  glyph: Signal,
  shortcut: "n",
  group: "more",
  capability: "network",
  usualOn: [],
  panel: { Panel: NetworkPanel, size: roomOf(WIDTH, 230), channels: ["settings", "network_profile"], read: networkOf },
});
