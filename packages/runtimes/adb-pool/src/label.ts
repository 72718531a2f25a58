import type { AdbLink } from "@terrarium/adb";

/** A folder, since of two that make one only one succeeds. */
const PATH = "/data/local/tmp/.terrarium";
/** Of somebody else's text, in our log. */
const MAX_SHOWN = 80;

type Link = Pick<AdbLink, "shell">;

/**
 * Writes on the device who has it, so that another installation, or the same one that reaches it in another way, leaves it alone.
 * Answers who has it if that is somebody else, cut and escaped.
 */
export async function label(link: Link, owner: string, signal: AbortSignal): Promise<string | undefined> {
  const script = `mkdir ${PATH} && echo '${owner}' > ${PATH}/owner; head -c 200 ${PATH}/owner`;
  const held = (await link.shell(script, { signal })).stdout.trim();
  return held === owner ? undefined : JSON.stringify(held.slice(0, MAX_SHOWN));
}

/** Whatever has become of it. */
export async function removeLabel(link: Link, signal: AbortSignal): Promise<void> {
  await link.shell(`rm -rf ${PATH}`, { signal });
}
