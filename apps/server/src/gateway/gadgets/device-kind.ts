import type { AdbLink } from "@terrarium/adb";

export type DeviceKind = "handheld" | "tv" | "watch" | "car";

/** Words of `ro.build.characteristics`; phones, tablets and foldables have none of them. */
const kinds: Readonly<Record<string, DeviceKind>> = { tv: "tv", watch: "watch", automotive: "car" };

/** What kind of device Android says it was built for. Rejects when the shell cannot be asked. */
export async function deviceKindOf(shell: AdbLink["shell"], signal: AbortSignal): Promise<DeviceKind> {
  const { stdout } = await shell(["getprop", "ro.build.characteristics"], { signal });
  const word = stdout
    .trim()
    .split(",")
    .find((each) => Object.hasOwn(kinds, each));
  return (word !== undefined && kinds[word]) || "handheld";
}
