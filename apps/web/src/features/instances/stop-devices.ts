import { client } from "../../session/client.ts";
import { eachDevice, type Stopped } from "./each-device.ts";

export const stopDevices = (uuids: readonly string[]): Promise<Stopped> =>
  eachDevice(uuids, (uuid) => client.instances.stop({ params: { uuid } }));

export const dismissDevice = (uuid: string): Promise<Stopped> =>
  eachDevice([uuid], (uuid) => client.instances.dismiss({ params: { uuid } }));
