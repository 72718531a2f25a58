import type { AdbLink } from "@terrarium/adb";

const MARK = "--terrarium-section--";

/** Runs several commands in one go, as each round trip to a phone counts, and gives what each has printed. Those that fail print nothing. */
export async function runSections<Name extends string>(
  link: Pick<AdbLink, "shell">,
  commands: Readonly<Record<Name, string>>,
  signal: AbortSignal,
): Promise<Record<Name, string>> {
  const entries = Object.entries(commands) as [Name, string][];
  const script = entries.map(([, command]) => `(${command}) 2>/dev/null; echo; echo ${MARK}`).join("; ");
  const { stdout } = await link.shell(script, { signal });
  const parts = stdout.replaceAll("\r\n", "\n").split(`\n${MARK}\n`);
  if (parts.length <= entries.length) throw new Error("the device's shell has not answered all that it was asked");
  return Object.fromEntries(entries.map(([name], at) => [name, parts[at] ?? ""])) as Record<Name, string>;
}
