import type { AdbLink } from "./adb-link.ts";

/** A screen with some hundred things takes a tenth of it. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Asks Android what is on the screen, which it says of one that stands still for a moment.
 * @param name of the file, which no other caller may use
 * @param first what the shell is to run before it
 * @returns the XML, or undefined if there is none; and what the shell said besides
 */
export async function dumpUi(
  link: Pick<AdbLink, "shell">,
  name: string,
  { signal, first = "true" }: { signal: AbortSignal; first?: string },
): Promise<{ xml: string | undefined; said: string }> {
  // Where the shell may write on every version; a terminal, which `/dev/tty` would be, there is not.
  const file = `/data/local/tmp/${name}.xml`;
  const command = `rm -f ${file}; ${first}; uiautomator dump ${file}; cat ${file} && rm -f ${file}`;
  const { stdout, stderr } = await link.shell(command, { signal, maxBytes: MAX_BYTES });
  const begin = stdout.indexOf("<?xml");
  if (begin < 0) return { xml: undefined, said: stderr + stdout };
  return { xml: stdout.slice(begin), said: stdout.slice(0, begin) };
}
