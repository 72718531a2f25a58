import type { AdbLink } from "@terrarium/adb";

export type DeviceKind = "handheld" | "tv" | "watch" | "car";

/** What a gadget needs to know to choose how it serves a device. */
export interface DeviceFacts {
  kind: DeviceKind;
  /** 0 when it does not say. */
  sdkVersion: number;
  /** One of our own, with commands for what comes from outside of a device. */
  isSimulated: boolean;
}

/** Words of `ro.build.characteristics`; phones, tablets and foldables have none of them. */
const kinds: Readonly<Record<string, DeviceKind>> = { tv: "tv", watch: "watch", automotive: "car" };

const QUESTION = "getprop ro.build.characteristics; getprop ro.build.version.sdk; getprop ro.terrarium.simulated";

/** What Android says it is. Rejects when the shell cannot be asked. */
export async function deviceFactsOf(shell: AdbLink["shell"], signal: AbortSignal): Promise<DeviceFacts> {
  const { stdout } = await shell(QUESTION, { signal, maxBytes: 4096 });
  const [characteristics = "", sdk = "", simulated = ""] = stdout.split("\n").map((line) => line.trim());
  const word = characteristics.split(",").find((each) => Object.hasOwn(kinds, each));
  return {
    kind: (word !== undefined && kinds[word]) || "handheld",
    sdkVersion: /^\d{1,3}$/.test(sdk) ? Number(sdk) : 0,
    isSimulated: simulated === "1",
  };
}
