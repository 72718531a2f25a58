import { Button } from "@mui/material";
import IdCard from "lucide-react/icons/id-card";
import { useTranslation } from "react-i18next";
import { FieldsPanel } from "./FieldsPanel.tsx";
import { gadget, type PanelProps } from "./gadget.ts";
import { roomOf } from "./GadgetPopover.tsx";

type Identifiers = Partial<Record<"androidId" | "deviceId", string>>;

const WIDTH = 288;
const ANDROID_ID = /^[0-9a-f]{16}$/i;
const DEVICE_ID = /^[0-9a-f]{14,15}$/i;

/** `parameter device_id:358240051111110` or `parameter android_id:0123456789abcdef`. */
function identifiersOf(report: unknown, before: Identifiers | undefined): Identifiers | undefined {
  const [, which, id] = /^parameter (android|device)_id:([0-9a-f]{14,16})$/i.exec(String(report)) ?? [];
  if (id === undefined) return undefined;
  return { ...before, [which === "device" ? "deviceId" : "androidId"]: id };
}

/** Random digits of a base up to 16. */
const randomDigits = (count: number, base: number): string =>
  [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => (byte % base).toString(base)).join("");

/** Luhn's digit, with which an IMEI ends. */
function checkDigit(digits: string): string {
  const sum = Array.from(digits).reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

const randomImei = (): string => {
  const digits = `35824005${randomDigits(6, 10)}`;
  return digits + checkDigit(digits);
};

function IdentifiersPanel({ anchor, state, send, onClose }: PanelProps<Identifiers>) {
  const { t } = useTranslation();
  return (
    <FieldsPanel
      anchor={anchor}
      title={t("display.identifiers.title")}
      width={WIDTH}
      onClose={onClose}
      state={state}
      fields={[
        {
          name: "androidId",
          label: t("display.identifiers.androidId"),
          wrong: (value) => (ANDROID_ID.test(value) ? undefined : t("display.identifiers.wrongAndroidId")),
        },
        {
          name: "deviceId",
          label: t("display.identifiers.deviceId"),
          wrong: (value) => (DEVICE_ID.test(value) ? undefined : t("display.identifiers.wrongDeviceId")),
        },
      ]}
      extra={(set) => (
        <Button
          onClick={() => {
            set("androidId", randomDigits(16, 16));
            set("deviceId", randomImei());
          }}
        >
          {t("display.identifiers.random")}
        </Button>
      )}
      onSet={({ androidId, deviceId }) => {
        send({ channel: "framework", messages: [`set parameter android_id:${androidId}`] });
        send({ channel: "settings", messages: [`set parameter device_id:${deviceId}`] });
      }}
    />
  );
}

/** The ids by which apps know the device. */
export const identifiers = gadget({
  name: "identifiers",
  glyph: IdCard,
  shortcut: "i",
  group: "more",
  capability: "identifiers",
  usualOn: [],
  panel: { Panel: IdentifiersPanel, size: roomOf(WIDTH, 240), channels: ["settings"], read: identifiersOf },
});
