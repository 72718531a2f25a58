import type { SimulatedDevice } from "../device/simulated-device.ts";
import { AUDIO_ENCODER_NAME, cameraList, displayList, ENCODER_NAME, encoderLists } from "./lists.ts";

/** What the server says on stderr, and whether its process fails: it exits with 0 after errors of configuration. */
export interface Refusal {
  message: string;
  exitCode: 0 | 1;
}

const invalid = (message: string): Refusal => ({ message, exitCode: 1 });
const unsupported = (message: string): Refusal => ({ message, exitCode: 0 });
/** For what the server can do and a simulated device cannot: no message of the server's own fits. */
const notHere = (what: string): Refusal => unsupported(`${what} is not supported by a simulated device`);

type Check = (value: string, device: SimulatedDevice, all: ReadonlyMap<string, string>) => Refusal | undefined;

const isTrue = (value: string) => value.toLowerCase() === "true";
const flag =
  (what: string): Check =>
  (value) =>
    isTrue(value) ? notHere(what) : undefined;

/** Options of scrcpy 4.1 that a simulated device does not honour, in the order in which the server looks at them. */
const checks: Record<string, Check> = {
  crop: (value) => {
    if (value === "") return undefined;
    const [width = 0, height = 0, x = -1, y = -1, ...more] = value.split(":").map(Number);
    if (y === -1 || more.length > 0) return invalid(`Crop must contains 4 values separated by colons: "${value}"`);
    if (!(width > 0 && height > 0)) return invalid(`Invalid crop size: ${width}x${height}`);
    if (!(x >= 0 && y >= 0)) return invalid(`Invalid crop offset: ${x}:${y}`);
    return notHere("Crop");
  },
  video_source: (value, device, all) => {
    if (value === "display") return undefined;
    if (value !== "camera") return invalid(`Video source ${value} not supported`);
    if (device.spec.image.sdkVersion < 31) return unsupported("Camera mirroring is not supported before Android 12");
    const id = all.get("camera_id");
    return unsupported(id ? `Camera with id ${id} not found\n${cameraList()}` : "No matching camera found");
  },
  new_display: (_value, { spec }) =>
    spec.image.sdkVersion < 29
      ? unsupported("New virtual display is not supported before Android 10")
      : notHere("New virtual display"),
  display_ime_policy: (value, { spec }) => {
    if (!["local", "fallback", "hide"].includes(value)) return invalid(`Invalid display IME policy: ${value}`);
    return spec.image.sdkVersion < 29
      ? unsupported("Display IME policy is not supported before Android 10")
      : notHere("Display IME policy");
  },
  display_id: (value, device) =>
    value === "0" ? undefined : unsupported(`Display ${value} not found\n${displayList(device)}`),
  capture_orientation: (value) => {
    if (value === "") return invalid("Empty capture orientation string");
    return value === "0" ? undefined : notHere("Capture orientation");
  },
  angle: (value) => {
    if (value === "" || Number.isNaN(Number(value))) return invalid(`Invalid float value for angle: "${value}"`);
    return Number(value) === 0 ? undefined : notHere("Angle");
  },
  flex_display: flag("Flexible display"),
  video_encoder: (value, device, all) => {
    if (value === "" || value === ENCODER_NAME) return undefined;
    const codec = all.get("video_codec") ?? "h264";
    return unsupported(`Video encoder '${value}' for ${codec} not found\n${encoderLists(device)[0]}`);
  },
  audio_encoder: (value, device, all) =>
    value === "" || value === AUDIO_ENCODER_NAME
      ? undefined
      : unsupported(
          `Audio encoder '${value}' for ${all.get("audio_codec") ?? "opus"} not found\n${encoderLists(device)[1]}`,
        ),
};

/** Why the server cannot serve these `key=value` words, or undefined if it can. */
export function refusalOf(words: readonly string[], device: SimulatedDevice): Refusal | undefined {
  const all = new Map(
    words.map((word): [string, string] => {
      const equals = word.indexOf("=");
      return [word.slice(0, equals), word.slice(equals + 1)];
    }),
  );
  for (const [key, check] of Object.entries(checks)) {
    const value = all.get(key);
    const refusal = value === undefined ? undefined : check(value, device, all);
    if (refusal) return refusal;
  }
  return undefined;
}
