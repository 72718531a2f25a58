import type { MachineSpec } from "@terrarium/runtime";

/** The name under which the emulator saves what it has in memory. */
export const SNAPSHOT = "terrarium";

export interface EmulatorParts {
  /** Names the installation: by it and the id its processes are found. */
  place: string;
  /** Of loopback. */
  consolePort: number;
  adbPort: number;
  hasAcceleration: boolean;
  /** Whether the guest reaches what the gateway's host reaches, and the host itself. */
  hasInternet: boolean;
  /** Whether there is a snapshot to start from. */
  hasSnapshot: boolean;
  /** The options that this emulator knows, without their dash. */
  known: ReadonlySet<string>;
}

/**
 * What the emulator is started with. Its ports are outside of those that adb servers scan; it may have any two (`-ports`).
 * Nothing that a customer has named is in it.
 * @throws Error if this emulator cannot do what it is to do
 */
export function emulatorArguments({ id, hardware }: MachineSpec, parts: EmulatorParts): string[] {
  const { place, consolePort, adbPort, hasAcceleration, hasInternet, hasSnapshot, known } = parts;
  const network = ["network-user-mode-options", "wifi-user-mode-options"].filter((name) => known.has(name));
  if (!hasInternet && network.length < 2)
    throw new Error(
      "this emulator cannot keep devices from the network of its host: update it, or set TERRARIUM_ANDROID_EMULATOR_INTERNET=on",
    );
  return [
    "-avd",
    id,
    "-id",
    place,
    "-ports",
    `${consolePort},${adbPort}`,
    "-no-window",
    "-no-audio",
    "-no-boot-anim",
    "-gpu",
    "swiftshader_indirect",
    "-accel",
    hasAcceleration ? "on" : "off",
    "-memory",
    String(hardware.ramMb),
    "-cores",
    String(hardware.cpuCount),
    // Nothing is saved unless we say so.
    "-no-snapshot-save",
    ...(hasSnapshot ? ["-snapshot", SNAPSHOT] : ["-no-snapshot-load"]),
    "-camera-back",
    "none",
    "-camera-front",
    "none",
    // A key of ours is in the image all the same, for those whose adb asks for one always.
    "-skip-adb-auth",
    ...(hasInternet ? [] : network.flatMap((name) => [`-${name}`, "restrict=on"])),
    ...(known.has("no-metrics") ? ["-no-metrics"] : []),
  ];
}
