import type { ScenarioChange, ScenarioKind } from "@terrarium/contract";
import type { Capabilities, GpsField } from "@terrarium/player";
import type { VideoSize } from "../display/display-source.ts";
import type { GadgetCommand } from "../gadgets/gadget.ts";

/** What a device has to have for each kind of change; a clipboard every device has. */
export const neededFor: Readonly<Record<ScenarioKind, keyof Capabilities | undefined>> = {
  battery: "battery",
  place: "gps",
  route: "gps",
  network: "network",
  call: "phone",
  sms: "phone",
  sim: "phone",
  identifiers: "identifiers",
  disk: "diskIO",
  clipboard: undefined,
  rotation: "accelerometer",
  fingerprint: "biometrics",
};

const places = ["latitude", "longitude", "altitude", "accuracy", "bearing", "speed"] as const satisfies GpsField[];

/** A change in the words of the gadgets. `size` is that of the picture now: it says how the device is held. */
export function commandsOf(change: ScenarioChange, size: VideoSize): GadgetCommand[] {
  const { battery, place, network, call, sms, sim, identifiers, disk, clipboard, rotation, fingerprint } = change;
  const commands: (GadgetCommand | false | undefined)[] = [
    battery?.level !== undefined && { channel: "battery", type: "batteryLevel", percent: battery.level },
    battery?.charging !== undefined && {
      channel: "battery",
      type: "batteryStatus",
      status: battery.charging ? "charging" : "discharging",
    },
    place?.on !== undefined && { channel: "gps", type: "gpsSwitch", on: place.on },
    ...places.map((field): GadgetCommand | undefined => {
      const value = place?.[field];
      return value === undefined ? undefined : { channel: "gps", type: "gps", field, value };
    }),
    network?.wifi !== undefined && { channel: "settings", type: "networkSwitch", network: "wifi", on: network.wifi },
    network?.mobile !== undefined && {
      channel: "settings",
      type: "networkSwitch",
      network: "mobile",
      on: network.mobile,
    },
    network?.profile && { channel: "network_profile", type: "mobileProfile", profile: network.profile },
    network?.signal && { channel: "network_profile", type: "mobileSignal", strength: network.signal },
    sim?.operator !== undefined && { channel: "baseband", type: "operator", of: "sim", code: sim.operator },
    sim?.operator_name !== undefined && {
      channel: "baseband",
      type: "operatorName",
      of: "sim",
      name: sim.operator_name,
    },
    sim?.network_operator !== undefined && {
      channel: "baseband",
      type: "operator",
      of: "network",
      code: sim.network_operator,
    },
    sim?.network_operator_name !== undefined && {
      channel: "baseband",
      type: "operatorName",
      of: "network",
      name: sim.network_operator_name,
    },
    sim?.imsi !== undefined && { channel: "baseband", type: "imsi", subscriber: sim.imsi },
    sim?.number !== undefined && { channel: "baseband", type: "phoneNumber", number: sim.number },
    call && { channel: "baseband", type: "call", number: call.from },
    sms && { channel: "baseband", type: "sms", number: sms.from, text: sms.text },
    identifiers?.android_id !== undefined && { channel: "framework", type: "androidId", id: identifiers.android_id },
    identifiers?.device_id !== undefined && { channel: "settings", type: "deviceId", id: identifiers.device_id },
    disk && { channel: "diskio", type: "diskReadRate", bytesPerSecond: disk.read_rate },
    clipboard !== undefined && { channel: "framework", type: "clipboard", text: clipboard },
    rotation && rotation !== wayOf(size) && { type: "rotate" },
    fingerprint && { channel: "fingerprint", type: "fingerprintScan", result: fingerprint },
  ];
  return commands.filter((command) => command !== false && command !== undefined);
}

/** What somebody has set, as a change; undefined for what is no step of a scenario. What was copied may have been a password. */
export function changeOf(command: GadgetCommand): ScenarioChange | undefined {
  switch (command.type) {
    case "batteryLevel":
      return { battery: { level: command.percent } };
    case "batteryStatus":
      return { battery: { charging: command.status === "charging" } };
    case "gps":
      return { place: { [command.field]: command.value } };
    case "gpsSwitch":
      return { place: { on: command.on } };
    case "networkSwitch":
      return { network: { [command.network]: command.on } };
    case "mobileProfile":
      return { network: { profile: command.profile } };
    case "mobileSignal":
      return { network: { signal: command.strength } };
    case "call":
      return { call: { from: command.number } };
    case "sms":
      return { sms: { from: command.number, text: command.text } };
    case "operator":
      return { sim: { [command.of === "sim" ? "operator" : "network_operator"]: command.code } };
    case "operatorName":
      return { sim: { [command.of === "sim" ? "operator_name" : "network_operator_name"]: command.name } };
    case "imsi":
      return { sim: { imsi: command.subscriber } };
    case "phoneNumber":
      return { sim: { number: command.number } };
    case "androidId":
      return { identifiers: { android_id: command.id } };
    case "deviceId":
      return { identifiers: { device_id: command.id } };
    case "diskReadRate":
      return { disk: { read_rate: command.bytesPerSecond } };
    case "rotate":
      return { rotation: "quarter" };
    default:
      return undefined;
  }
}

const wayOf = ({ width, height }: VideoSize) => (width > height ? "landscape" : "portrait");
