import { queryClient } from "../../session/client.ts";

/**
 * Pictures that are out of sight are retained for this long: to look again, or to open the display, which shows them until it is connected.
 */
const RETENTION_MS = 60_000;

/** In the cache, which forgets what nobody used for a while, and everything when somebody else signs in. */
const key = (uuid: string) => ["miniature", uuid] as const;
queryClient.setQueryDefaults(["miniature"], { gcTime: RETENTION_MS });

/** The last picture of a device that was seen in this tab. It is closed when the next one comes: draw it, and do not hold on to it. */
export const latestPicture = (uuid: string): ImageBitmap | undefined => queryClient.getQueryData(key(uuid));

export function rememberPicture(uuid: string, picture: ImageBitmap): void {
  latestPicture(uuid)?.close();
  queryClient.setQueryData(key(uuid), picture);
}
