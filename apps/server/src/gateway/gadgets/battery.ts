import { batteryMessage, type BatteryState } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";
import { Held } from "./held.ts";
import { runOnDevice } from "./run-on-device.ts";

/** As `android.os.BatteryManager` numbers them. */
const statusNumbers = { charging: 2, discharging: 3, full: 5 } as const;
const NOT_CHARGING = 4;

/** Serves any device that has Android's own `dumpsys battery`. A TV and a car answer it too, but run on mains. */
export const openBattery: OpenGadget = async (device, probing) => {
  if (device.kind === "tv" || device.kind === "car") return undefined;
  const dumpsys = (words: string[], signal: AbortSignal) =>
    runOnDevice(device, ["dumpsys", "battery", ...words], signal);
  const battery = await Held.of<BatteryState>(
    device,
    {
      name: "battery",
      read: async (signal) => parseBattery(await dumpsys([], signal)),
      async write({ level, status }, signal) {
        if (level !== undefined) await dumpsys(["set", "level", String(level)], signal);
        if (status !== undefined) await dumpsys(["set", "status", String(statusNumbers[status])], signal);
      },
      messagesOf: (state) => [batteryMessage(state)],
    },
    probing,
  );
  return (
    battery && {
      capabilities: ["battery"],
      channels: ["battery"],
      introduce: (send) => battery.introduce(send),
      handle(command) {
        if (command.type === "batteryLevel") battery.want({ level: command.percent });
        if (command.type === "batteryStatus") battery.want({ status: command.status });
      },
    }
  );
};

/** Reads `dumpsys battery`; undefined when it has no level, or says that there is no battery. */
export function parseBattery(text: string): BatteryState | undefined {
  const level = Number(/^\s*level:\s*(\d{1,3})\s*$/m.exec(text)?.[1] ?? Number.NaN);
  if (!(level >= 0 && level <= 100) || /^\s*present:\s*false\s*$/m.test(text)) return undefined;
  const number = Number(/^\s*status:\s*(\d)\s*$/m.exec(text)?.[1] ?? NOT_CHARGING);
  const known = Object.entries(statusNumbers).find(([, itsNumber]) => itsNumber === number)?.[0];
  return { level, status: (known ?? "discharging") as BatteryState["status"] };
}
