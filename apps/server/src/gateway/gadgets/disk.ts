import { diskReadRateMessage } from "@terrarium/player";
import type { OpenGadget } from "./gadget.ts";
import { Held } from "./held.ts";
import { hasGadget, runGadget } from "./run-on-device.ts";

interface Disk {
  /** Bytes a second; 0 for no limit. */
  readRate: number;
  /** Set to have what is cached read again. */
  dropCaches?: "";
}

/** Below this, a device would never start an app again. */
const LEAST_READ_RATE = 1024 * 1024;

/** How fast files are read. On stock Android only root may say. */
export const openDisk: OpenGadget = async (device, probing) => {
  if (!device.isSimulated || !(await hasGadget(device, "disk", probing))) return undefined;
  const disk = await Held.of<Disk>(
    device,
    {
      name: "disk",
      read: async (signal) => ({ readRate: Number((await runGadget(device, "disk", {}, signal))["readRate"]) || 0 }),
      write: async (change, signal) => void (await runGadget(device, "disk", { ...change }, signal)),
      messagesOf: ({ readRate }) => [diskReadRateMessage(readRate)],
    },
    probing,
  );
  return (
    disk && {
      capabilities: ["diskIO"],
      channels: ["diskio"],
      introduce: (send) => disk.introduce(send),
      handle(command) {
        if (command.type === "clearDiskCache") disk.want({ dropCaches: "" });
        if (command.type === "diskReadRate") {
          const rate = command.bytesPerSecond;
          disk.want({ readRate: rate === 0 ? 0 : Math.max(LEAST_READ_RATE, rate) });
        }
      },
    }
  );
};
