import type { AdbLink } from "@terrarium/adb";

const PATH = "/data/local/tmp/.terrarium";

type Link = Pick<AdbLink, "shell">;

/**
 * Writes on the device who has it, so that another installation, or the same one that reaches it in another way, leaves it alone.
 * Answers who has it if that is somebody else.
 */
export async function label(link: Link, owner: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdout } = await link.shell(`[ -e ${PATH} ] || echo '${owner}' > ${PATH}; cat ${PATH}`, { signal });
  const held = stdout.trim();
  return held === owner ? undefined : held;
}

export async function removeLabel(link: Link, signal: AbortSignal): Promise<void> {
  await link.shell(`rm -f ${PATH}`, { signal });
}
