import type { AdbLink } from "@terrarium/adb";
import { randomUUID } from "node:crypto";

/**
 * Runs several commands in one go, as each round trip to a phone counts, and gives what each has printed.
 * @throws Error if one of `required` fails, or an answer is not whole; AdbError when the device is gone
 */
export async function runSections<Name extends string>(
  link: Pick<AdbLink, "shell">,
  commands: Readonly<Record<Name, string>>,
  signal: AbortSignal,
  required: readonly NoInfer<Name>[] = [],
): Promise<Record<Name, string>> {
  const entries = Object.entries(commands) as [Name, string][];
  // Nobody who names a file on the device can know it.
  const mark = randomUUID();
  const script = entries.map(([, command]) => `(${command}) 2>/dev/null; echo "${mark}:$?"`).join("; ");
  const { stdout } = await link.shell(script, { signal });
  const parts = stdout.split(new RegExp(`${mark}:(\\d+)\\r?\\n`));
  if (parts.length !== 2 * entries.length + 1 || parts.at(-1) !== "")
    throw new Error("the device's shell has not answered all that it was asked");
  const failed = entries.find(([name], at) => required.includes(name) && parts[2 * at + 1] !== "0");
  if (failed) throw new Error(`the device could not answer "${failed[1]}"`);
  return Object.fromEntries(
    // Android 6 and older end lines so; in a list of names it may belong to a name.
    entries.map(([name], at) => [
      name,
      parts[2 * at]!.includes("\0") ? parts[2 * at] : parts[2 * at]!.replaceAll("\r\n", "\n"),
    ]),
  ) as Record<Name, string>;
}
