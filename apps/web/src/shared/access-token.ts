import { client } from "../session/client.ts";

/** A short-lived token for the display of a device, and who relays its video, if anybody does. */
export const displayAccess = (uuid: string, signal: AbortSignal) =>
  client.instances.accessToken({ body: { instance_uuid: uuid } }, { signal });

/** A short-lived token for the display of a device. */
export const accessToken = async (uuid: string, signal: AbortSignal): Promise<string> =>
  (await displayAccess(uuid, signal)).access_token;
