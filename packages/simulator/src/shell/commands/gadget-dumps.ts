import type { MobileProfile, Place } from "../../device/device-state.ts";
import { axesOf, buttonsOf } from "../../device/gamepads.ts";
import { deviceIdOf, hasPhone } from "../../device/phone.ts";
import { networkTypes } from "../../device/properties.ts";
import type { Command } from "../invocation.ts";

/** TelephonyManager.NETWORK_TYPE_*, and the rates in kbit/s (down, up) that Android assumes of each. */
const networks: Readonly<Record<MobileProfile, { type: number; down: number; up: number }>> = {
  "5g": { type: 20, down: 145_000, up: 60_000 },
  lte: { type: 13, down: 30_000, up: 15_000 },
  hsdpa: { type: 8, down: 4300, up: 620 },
  umts: { type: 3, down: 115, up: 115 },
  edge: { type: 2, down: 70, up: 18 },
  gprs: { type: 1, down: 24, up: 12 },
  gsm: { type: 16, down: 24, up: 12 },
  none: { type: 0, down: 0, up: 0 },
};

/** As `android.location.Location` writes itself. */
const written = ({ latitude, longitude, accuracy, altitude, speed, bearing }: Place): string =>
  `Location[gps ${latitude.toFixed(6)},${longitude.toFixed(6)} hAcc=${accuracy} et=+0ms alt=${altitude} vel=${speed} bear=${bearing}]`;

const location: Command = async ({ device, stdout }) => {
  const { gps } = device.state.values;
  await stdout.write(
    `Location Manager State:\n  Location Settings:\n    Location Setting: [u0] true\n  gps provider:\n` +
      `    last location=${gps.on ? written(gps) : "null"}\n    enabled=${gps.on}\n`,
  );
  return 0;
};

const telephony: Command = async ({ device, stdout }) => {
  const { call, sim, mobileSignal, mobileProfile, mobileData, airplaneMode } = device.state.values;
  if (!hasPhone(device)) return 0;
  const off = airplaneMode || mobileProfile === "none";
  const service = off ? "3(POWER_OFF)" : "0(IN_SERVICE)";
  await stdout.write(
    `last known state:\n  Phone Id=0\n    mCallState=${call ? (call.answered ? 2 : 1) : 0}\n    mCallIncomingNumber=${call?.from ?? ""}\n` +
      `    mServiceState={mVoiceRegState=${service}, mDataRegState=${service}, mOperatorAlphaLong=${sim.networkName}, mOperatorNumeric=${sim.networkOperator}}\n` +
      `    mSignalStrength=SignalStrength:{primary=CellSignalStrength level=${mobileSignal}}\n` +
      `    mDataConnectionState=${mobileData && !off ? 2 : 0}\n    mDataConnectionNetworkType=${networks[mobileProfile].type}(${networkTypes[mobileProfile]})\n`,
  );
  return 0;
};

const connectivity: Command = async ({ device, stdout }) => {
  const { wifi, mobileData, mobileProfile, mobileSignal, airplaneMode } = device.state.values;
  const { down, up } = networks[mobileProfile];
  const agents = [
    ...(wifi ? ["ni{WIFI CONNECTED} nc{[ Transports: WIFI ]}"] : []),
    ...(hasPhone(device) && mobileData && !airplaneMode && mobileProfile !== "none"
      ? [
          `ni{MOBILE[${networkTypes[mobileProfile]}] CONNECTED} nc{[ Transports: CELLULAR LinkUpBandwidth>=${up}Kbps LinkDnBandwidth>=${down}Kbps SignalStrength: ${mobileSignal}]}`,
        ]
      : []),
  ];
  await stdout.write(
    `Current Networks:\n${agents.map((agent, at) => `  NetworkAgentInfo{network{${100 + at}} ${agent}}\n`).join("")}`,
  );
  return 0;
};

const subscriber: Command = async ({ device, stdout }) => {
  if (hasPhone(device))
    await stdout.write(`Phone Subscriber Info:\n  Phone Type = GSM\n  Device ID = ${deviceIdOf(device)}\n`);
  return 0;
};

const audio: Command = async ({ device, stdout }) => {
  const { volume } = device.state.values;
  await stdout.write(
    `Stream volumes (device: index)\n- STREAM_MUSIC:\n   Muted: ${volume === 0}\n   Min: 0\n   Max: 15\n   streamVolume:${volume}\n   Current: 2 (speaker): ${volume}\n`,
  );
  return 0;
};

/** How the display is turned, and the controllers that are plugged in. */
const input: Command = async ({ device, stdout }) => {
  await stdout.write(
    `INPUT MANAGER (dumpsys input)\n\n  Viewport INTERNAL: displayId=0\n    SurfaceOrientation: ${device.state.values.rotation}\n`,
  );
  if (device.gamepads.size > 0) await stdout.write("\nInput Reader State:\n");
  for (const [at, pad] of [...device.gamepads].entries()) {
    const hex = (id: number) => `0x${id.toString(16).padStart(4, "0")}`;
    const axes = axesOf(pad).map((value) => value.toFixed(2));
    await stdout.write(
      `  Device ${at + 2}: ${pad.name}\n    Sources: KEYBOARD | GAMEPAD | JOYSTICK\n    Identifier: bus=0x0003, vendor=${hex(pad.vendorId)}, product=${hex(pad.productId)}\n` +
        `    Keyboard Input Mapper:\n      KeyDowns: ${buttonsOf(pad).length} keys currently down\n` +
        `    Joystick Input Mapper:\n      Axes: X=${axes[0]} Y=${axes[1]} Z=${axes[2]} RZ=${axes[3]}\n`,
    );
  }
  return 0;
};

/** What `dumpsys` prints about the things that viewers set. */
export const gadgetDumps: Readonly<Record<string, Command>> = {
  audio,
  connectivity,
  input,
  iphonesubinfo: subscriber,
  location,
  "telephony.registry": telephony,
};

/** `cmd phone`, `cmd location` and `cmd media_session`; undefined for what they do not know. */
export async function gadgetCommand(
  { device, args, stdout }: Parameters<Command>[0],
  service: "phone" | "location" | "media_session",
): Promise<number | undefined> {
  const words = args.join(" ");
  if (service === "phone" && words === "get-imei") {
    await stdout.write(`Device IMEI: ${deviceIdOf(device)}\n`);
    return 0;
  }
  if (service === "location" && words === "is-location-enabled") {
    await stdout.write("true\n");
    return 0;
  }
  const volume = service === "media_session" && /^volume --stream 3 (?:--get|--set (\d{1,2}))$/.exec(words);
  if (!volume) return undefined;
  const to = volume[1];
  if (to !== undefined && Number(to) <= 15) device.state.set({ volume: Number(to) });
  await stdout.write(`volume is ${device.state.values.volume} in range [0..15]\n`);
  return 0;
}
