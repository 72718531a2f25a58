import type { GadgetDevice } from "./gadget.ts";

const MAX_OUTPUT_BYTES = 64 * 1024;

/** What a command prints; each word is quoted. Rejects when it fails. */
export async function runOnDevice(
  { shell }: Pick<GadgetDevice, "shell">,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const { stdout, exitCode } = await shell(words, { signal, maxBytes: MAX_OUTPUT_BYTES });
  // What was asked for may be private: a text message.
  if (exitCode !== 0) throw new Error(`${words.slice(0, 2).join(" ")} ended with code ${exitCode}`);
  return stdout;
}

/** Sets what acts on a simulated device from outside, and reads how it is then. Rejects when it has no such thing. */
export async function runGadget(
  device: Pick<GadgetDevice, "shell">,
  name: string,
  changes: Readonly<Record<string, string | number | boolean | undefined>>,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const words = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : `${field}=${value}`));
  const printed = await runOnDevice(device, ["gadget", name, ...words], signal);
  return Object.fromEntries(printed.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

/** As `runGadget` without changes, when opening: undefined when the device has no such thing. */
export async function hasGadget(
  { shell }: Pick<GadgetDevice, "shell">,
  name: string,
  probing: AbortSignal,
): Promise<boolean> {
  return (await shell(["gadget", name], { signal: probing, maxBytes: MAX_OUTPUT_BYTES })).exitCode === 0;
}
