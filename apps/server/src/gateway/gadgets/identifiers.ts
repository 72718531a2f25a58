import { androidIdMessage, deviceIdMessage } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";
import { Held } from "./held.ts";
import { hasGadget, runGadget, runOnDevice } from "./run-on-device.ts";

interface Identifiers {
  androidId: string;
  /** IMEI or MEID. */
  deviceId: string;
}

/** The ids by which apps know a device. Stock Android gives each app an id of its own and has no command for the IMEI. */
export const openIdentifiers: OpenGadget = async (device, probing) => {
  if (!device.isSimulated || !(await hasGadget(device, "device", probing))) return undefined;
  const settings = (words: string[], signal: AbortSignal) => runOnDevice(device, ["settings", ...words], signal);
  const ids = await Held.of<Identifiers>(
    device,
    {
      name: "identifiers",
      read: async (signal) => ({
        androidId: (await settings(["get", "secure", "android_id"], signal)).trim(),
        deviceId: (await runGadget(device, "device", {}, signal))["id"] ?? "",
      }),
      async write({ androidId, deviceId }, signal) {
        if (androidId !== undefined) await settings(["put", "secure", "android_id", androidId], signal);
        if (deviceId !== undefined) await runGadget(device, "device", { id: deviceId }, signal);
      },
      messagesOf: ({ androidId, deviceId }) => [androidIdMessage(androidId), deviceIdMessage(deviceId)],
    },
    probing,
  );
  return (
    ids && {
      capabilities: ["identifiers"],
      channels: ["framework", "settings"],
      introduce: (send) => ids.introduce(send),
      handle(command) {
        if (command.type === "androidId") ids.want({ androidId: command.id.toLowerCase() });
        if (command.type === "deviceId") ids.want({ deviceId: command.id });
      },
    }
  );
};
