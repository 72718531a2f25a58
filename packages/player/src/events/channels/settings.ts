export type SettingsCommand =
  | { type: "networkSwitch"; network: "wifi" | "mobile"; on: boolean }
  | { type: "deviceId"; id: string };

const DEVICE_ID = /^set parameter device_id:([0-9a-fA-F]{14,15})$/;

/** `enableif wifi`, `disableif mobile`, `set parameter device_id:<14 or 15 hexadecimal digits>`. */
export function parseSettings(command: string): SettingsCommand | undefined {
  const [, verb, network] = /^(enable|disable)if (wifi|mobile)$/.exec(command) ?? [];
  if (network) return { type: "networkSwitch", network: network === "wifi" ? "wifi" : "mobile", on: verb === "enable" };
  const id = DEVICE_ID.exec(command)?.[1];
  return id === undefined ? undefined : { type: "deviceId", id };
}
