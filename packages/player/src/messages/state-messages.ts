import { toBase64 } from "../base64.ts";
import type { GpsField } from "../events/channels/gps.ts";
import type { MobileProfile, SignalStrength } from "../events/channels/network.ts";

/** What a device can do; the player disables each widget whose flag is not true. */
export interface Capabilities {
  battery: boolean;
  camera: boolean;
  gps: boolean;
  identifiers: boolean;
  network: boolean;
  /** Shows the mobile network form instead of the list of Wi-Fi profiles; only the first value counts. */
  mobileThrottling: boolean;
  /** Needs `mobileThrottling` in the same message; only the first value counts. */
  enable5G: boolean;
  phone: boolean;
  diskIO: boolean;
  /** The rotate button. */
  accelerometer: boolean;
  systemPatcher: boolean;
  biometrics: boolean;
  gamepad: boolean;
  /** For our own page; the player has sound whenever any comes. */
  sound: boolean;
}

export const noCapabilities: Readonly<Capabilities> = {
  battery: false,
  camera: false,
  gps: false,
  identifiers: false,
  network: false,
  mobileThrottling: false,
  enable5G: false,
  phone: false,
  diskIO: false,
  accelerometer: false,
  systemPatcher: false,
  biometrics: false,
  gamepad: false,
  sound: false,
};

export interface BatteryState {
  /** Percent. */
  level: number;
  status: "charging" | "discharging" | "full";
}

export function capabilitiesMessage(capabilities: Capabilities): string {
  return event("CAPABILITIES", capabilities);
}

/** Notifies the page that the list of viewers changed; the value itself does not matter. */
export function usersMessage(users: unknown): string {
  return event("USERS", users);
}

export function versionMessage(version: string): string {
  return event("VERSION", version);
}

export function batteryMessage({ level, status }: BatteryState): string {
  return event("battery", `state mode ${status} ${level}`);
}

export function gpsMessage(field: GpsField, value: number): string {
  return event("gps", `${field} ${value}`);
}

export function deviceIdMessage(id: string): string {
  return event("settings", `parameter device_id:${id}`);
}

export function androidIdMessage(id: string): string {
  return event("settings", `parameter android_id:${id}`);
}

/** Also unlocks the check box that the player disables until this arrives. */
export function networkSwitchesMessage({ wifi, mobile }: { wifi: boolean; mobile: boolean }): string {
  return event("settings", `if wifi:${onOff(wifi)} mobile:${onOff(mobile)}`);
}

/** The state of the mobile network, without throttling. The player reads the fields by position. */
export function mobileNetworkMessage(mobile: { profile: MobileProfile; strength: SignalStrength }): string {
  const rates = ["up_rate", "down_rate", "up_delay", "down_delay", "up_pkt_loss", "down_pkt_loss", "dns_delay"];
  const fields = rates.map((name) => `${name}:disabled:0`);
  return event(
    "network_profile",
    `state phone ${fields.join(" ")} mobile_profile:${mobile.profile} signal_strength:${mobile.strength}`,
  );
}

export function operatorMessage(of: "network" | "sim", code: string): string {
  return event("baseband", `${of} operator ${code}`);
}

export function operatorNameMessage(of: "network" | "sim", name: string): string {
  return event("baseband", `${of} operator_name ${name}`);
}

export function imsiMessage(subscriber: string): string {
  return event("baseband", `sim imsi_id ${subscriber}`);
}

export function phoneNumberMessage(number: string): string {
  return event("baseband", `sim phone_number ${number}`);
}

/** 0 for no limit. */
export function diskReadRateMessage(bytesPerSecond: number): string {
  return event("diskio", `readbyterate ${bytesPerSecond}`);
}

export function fingerprintStatusMessage(status: "idle" | "scanning" | "enrolling"): string {
  return event("fingerprint", `current_status ${status}`);
}

/** Send it only on a change, because the player echoes it. */
export function fingerprintAutoMessage(on: boolean): string {
  return event("fingerprint", `auto_recognize ${on}`);
}

export function fingerprintScanMessage(
  what: "start" | "success" | "error" | "error timeout" | "error canceled",
): string {
  return event("fingerprint", `scan ${what}`);
}

/** Undefined for an empty text, which the player's format cannot express. */
export function clipboardMessage(text: string): string | undefined {
  return text === "" ? undefined : event("framework", `clipboard from_android ${toBase64(text)}`);
}

export function gamepadConfirmationMessage(hostIndex: number, pad: number): string {
  return event("vinput", `gamepad_plugin_confirmation ${hostIndex} ${pad}`);
}

export function systemPatcherResultMessage(
  result: "success" | "unavailable" | "network_error" | "corrupted_archive" | "install_error",
): string {
  return event("systempatcher", `last_result ${result}`);
}

/** The player ignores events without exactly this code. */
export function event(type: string, message: unknown): string {
  return JSON.stringify({ type, code: "SUCCESS", message });
}

function onOff(on: boolean): "on" | "off" {
  return on ? "on" : "off";
}
