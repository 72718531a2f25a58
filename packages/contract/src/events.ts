import { z } from "zod";
import { InstanceChange } from "./instances.ts";

/** The path of Socket.IO, below the base path. */
export const socketPath = "/cloud/socket.io";

/** The events of each channel. An event is named after its channel and carries `{ data }`. */
export const events = {
  instances: z.object({ data: InstanceChange }),
  "manager-instances": z.object({ data: InstanceChange }),
} as const;
export type Channel = keyof typeof events;
export type EventOf<C extends Channel> = z.infer<(typeof events)[C]>;

/** Other names that clients use to subscribe. */
export const channelAliases: ReadonlyMap<string, Channel> = new Map([["instances-manager", "manager-instances"]]);

/** A subscription request. Sockets join all of their user's channels anyway; the reply says which of the requested ones those are. */
export const Subscribe = z.object({ tags: z.array(z.string().max(100)).max(20) });
