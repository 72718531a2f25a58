import type { AdbLink } from "@terrarium/adb";
import type { DeviceSettings } from "./device-file.ts";
import { Failure } from "./failures.ts";

/** Something to be set: how to find out how it is, and what sets it. */
interface Setting {
  /** As the file says it: `dark: true`. */
  text: string;
  read: readonly string[];
  isSet: (output: string) => boolean;
  set: readonly string[];
}

const ofNamespace = (namespace: string, name: string, value: string, text: string): Setting => ({
  text,
  read: ["settings", "get", namespace, name],
  // Numbers are written as Android likes: 1.0 is 1.
  isSet: (output) => output === value || (output !== "" && Number(output) === Number(value)),
  set: ["settings", "put", namespace, name, value],
});

/** The settings of a file, each by itself, in the order in which they are made. */
function settingsOf(given: DeviceSettings): Setting[] {
  const { orientation, dark, density, font_scale, system, secure, global } = given;
  const settings: Setting[] = [];
  if (orientation !== undefined) {
    const text = `orientation: ${orientation}`;
    settings.push(ofNamespace("system", "accelerometer_rotation", "0", `${text} (held)`));
    settings.push(ofNamespace("system", "user_rotation", orientation === "portrait" ? "0" : "1", text));
  }
  if (dark !== undefined)
    settings.push({
      ...ofNamespace("secure", "ui_night_mode", dark ? "2" : "1", `dark: ${dark}`),
      set: ["cmd", "uimode", "night", dark ? "yes" : "no"],
    });
  if (density !== undefined)
    settings.push({
      text: `density: ${density}`,
      read: ["wm", "density"],
      // What overrides the physical one comes after it.
      isSet: (output) => Number(output.match(/\d+/g)?.at(-1)) === density,
      set: ["wm", "density", String(density)],
    });
  if (font_scale !== undefined)
    settings.push(ofNamespace("system", "font_scale", String(font_scale), `font_scale: ${font_scale}`));
  for (const [namespace, values] of Object.entries({ system, secure, global }))
    for (const [name, value] of Object.entries(values ?? {})) {
      const plain = typeof value === "boolean" ? String(Number(value)) : String(value);
      settings.push(ofNamespace(namespace, name, plain, `${namespace}.${name}: ${plain}`));
    }
  return settings;
}

/** What the settings of a file would change on a device that is not there yet. */
export const allSettings = (given: DeviceSettings): string[] => settingsOf(given).map(({ text }) => text);

/**
 * Makes the settings of a file that a device does not have, and says which; with `isDry` only says so. Throws a Failure for one that the
 * device refuses.
 */
export async function applySettings(
  link: AdbLink,
  given: DeviceSettings,
  { signal, isDry }: { signal: AbortSignal; isDry: boolean },
): Promise<string[]> {
  const changed: string[] = [];
  for (const { text, read, isSet, set } of settingsOf(given)) {
    if (isSet((await link.shell(read, { signal })).stdout.trim())) continue;
    changed.push(text);
    if (isDry) continue;
    const { exitCode, stdout, stderr } = await link.shell(set, { signal });
    if (exitCode !== 0) throw new Failure("INSTANCE_ERROR", `The device refuses "${text}".`, (stderr || stdout).trim());
  }
  return changed;
}
