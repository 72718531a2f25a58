import type { SimulatedDevice } from "../device/simulated-device.ts";

/** The names of the only encoders, in the form of Android's own. */
export const ENCODER_NAME = "c2.terrarium.avc.encoder";
export const AUDIO_ENCODER_NAME = "c2.terrarium.opus.encoder";

/** Android 10 and later say of an encoder whether it is software. */
const KINDS_SINCE = 29;
const KIND_COLUMN = 70;
const PACKAGE_COLUMN = 30;

const isTrue = (words: readonly string[], key: string): boolean =>
  words.some((word) => word.toLowerCase() === `${key}=true`);

/** The lists that `list_*` options ask for, as the server prints them; none when none is asked for. */
export function listsOf(words: readonly string[], device: SimulatedDevice): string[] {
  return [
    ...(isTrue(words, "list_encoders") ? encoderLists(device) : []),
    ...(isTrue(words, "list_displays") ? [displayList(device)] : []),
    ...(isTrue(words, "list_cameras") || isTrue(words, "list_camera_sizes") ? [cameraList()] : []),
    ...(isTrue(words, "list_apps") ? ["Processing Android apps... (this may take some time)", appList(device)] : []),
  ];
}

export function encoderLists({ spec }: SimulatedDevice): [video: string, audio: string] {
  const withKind = (line: string) =>
    spec.image.sdkVersion >= KINDS_SINCE ? `${line}${" ".repeat(KIND_COLUMN - line.length)} (sw)` : line;
  return [
    `List of video encoders:${withKind(`\n    --video-codec=h264 --video-encoder=${ENCODER_NAME}`)}`,
    `List of audio encoders:${withKind(`\n    --audio-codec=opus --audio-encoder=${AUDIO_ENCODER_NAME}`)}`,
  ];
}

export function displayList({ display }: SimulatedDevice): string {
  const { width, height } = display.size;
  return `List of displays:\n    --display-id=0    (${width}x${height})`;
}

export const cameraList = (): string => "List of cameras:\n    (none)";

function appList({ packages }: SimulatedDevice): string {
  const rank = (one: { system: boolean; label: string; packageName: string }) =>
    `${one.system ? 0 : 1}\0${one.label}\0${one.packageName}`;
  const lines = packages
    .launchable()
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
    .map(({ system, label, packageName }) => {
      // A long name takes a line of its own.
      const gap =
        label.length < PACKAGE_COLUMN
          ? " ".repeat(PACKAGE_COLUMN - label.length)
          : `\n   ${" ".repeat(PACKAGE_COLUMN)}`;
      return `\n ${system ? "*" : "-"} ${label}${gap} ${packageName}`;
    });
  return `List of apps:${lines.join("")}`;
}
