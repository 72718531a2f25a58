import MapPin from "lucide-react/icons/map-pin";
import { useTranslation } from "react-i18next";
import { FieldsPanel } from "./FieldsPanel.tsx";
import { gadget, type PanelProps } from "./gadget.ts";
import { roomOf } from "./GadgetPopover.tsx";

/** What the device takes of each: degrees, metres and metres a second. */
const ranges = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  altitude: [-10_000, 10_000],
  accuracy: [0, 200],
  bearing: [0, 360],
  speed: [0, 399.99],
} as const;
type Name = keyof typeof ranges;
type Place = Partial<Record<Name, string>>;

const names = Object.keys(ranges) as Name[];
const WIDTH = 320;

/** The player's message for a place: what is set, and that it holds. */
export const gpsMessage = (place: Readonly<Record<string, string>>) => ({
  channel: "gps",
  messages: [...Object.entries(place).map(([name, value]) => `set ${name} ${value}`), "enable"],
});

/** A device's report has one field: `latitude 65.96`. */
export function placeOf(report: unknown, before: Place | undefined): Place | undefined {
  const [, name = "", value] = /^(\w+) (-?\d{1,9}(?:\.\d{1,20})?)$/.exec(String(report)) ?? [];
  return Object.hasOwn(ranges, name) ? { ...before, [name]: value } : undefined;
}

function GpsPanel({ anchor, state, send, onClose }: PanelProps<Place>) {
  const { t } = useTranslation();
  return (
    <FieldsPanel
      anchor={anchor}
      title={t("display.gps.title")}
      width={WIDTH}
      onClose={onClose}
      state={state}
      hasSome
      fields={names.map((name) => {
        const [min, max] = ranges[name];
        return {
          name,
          label: t(`display.gps.${name}`),
          isNumber: true,
          wrong: (value) =>
            /^-?\d{1,9}(\.\d{1,15})?$/.test(value) && Number(value) >= min && Number(value) <= max
              ? undefined
              : t("display.gadgets.between", { min, max }),
        };
      })}
      onSet={(place) => send(gpsMessage(place))}
    />
  );
}

/** Where the device believes to be. */
export const gps = gadget({
  name: "gps",
  glyph: MapPin,
  shortcut: "g",
  group: "more",
  capability: "gps",
  usualOn: [],
  panel: { Panel: GpsPanel, size: roomOf(WIDTH, 330), channels: ["gps"], read: placeOf },
});
