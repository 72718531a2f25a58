import { client } from "../session/client.ts";

/** A short-lived token for the display of a device. */
export const accessToken = async (uuid: string, signal: AbortSignal): Promise<string> =>
  (await client.instances.accessToken({ body: { instance_uuid: uuid } }, { signal })).access_token;
