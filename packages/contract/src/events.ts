import { z } from "zod";
import { InstanceChange } from "./instances.ts";

/** Socket.IO lives below the base path. */
export const socketPath = "/cloud/socket.io";

/** What a socket may hear: an event has the name of its channel and carries `{ data }`. */
export const events = {
  instances: z.object({ data: InstanceChange }),
  "manager-instances": z.object({ data: InstanceChange }),
} as const;
export type Channel = keyof typeof events;
export type EventOf<C extends Channel> = z.infer<(typeof events)[C]>;

/** Other spellings that clients subscribe with. */
export const channelAliases: ReadonlyMap<string, Channel> = new Map([["instances-manager", "manager-instances"]]);

/** What a client sends to choose its channels; a web session has its own from the start. */
export const Subscribe = z.object({ tags: z.array(z.string().max(100)).max(20) });
