import { z } from "zod";
import { Uuid } from "./fields.ts";
import { InstanceChange } from "./instances.ts";
import { Status } from "./os-images.ts";

/** The path of Socket.IO, below the base path. */
export const socketPath = "/cloud/socket.io";

/** How a recipe or an OS image stands now. Of two events of one row, the one with the higher revision is newer. */
export const CatalogueChange = z.object({
  uuid: Uuid,
  status: Status,
  revision: z.int(),
  /** The receiver can no longer use it: it was deleted, or is no longer shared with them. */
  is_gone: z.literal(true).optional(),
});
export type CatalogueChange = z.infer<typeof CatalogueChange>;

/** Something about the receiver themselves is different now: role, status, terms or name. They read their user again. */
export const UserChange = z.object({ uuid: Uuid });
export type UserChange = z.infer<typeof UserChange>;

/** Groups of an organization were changed, or who is in them. Its managers read them again. */
export const GroupsChange = z.object({ uuid: Uuid });
export type GroupsChange = z.infer<typeof GroupsChange>;
/** Something about the receiver's organization is different now, such as its settings. They read it again. */
export const OrganizationChange = z.object({ uuid: Uuid });
export type OrganizationChange = z.infer<typeof OrganizationChange>;

/** Who takes part in a live session is different now. Its owner and its participants read it again. */
export const LiveSessionChange = z.object({
  uuid: Uuid,
  instance_uuid: Uuid,
  /** The receiver was invited just now. */
  is_invited: z.literal(true).optional(),
  /** It is over, or the receiver no longer takes part. */
  is_gone: z.literal(true).optional(),
});
export type LiveSessionChange = z.infer<typeof LiveSessionChange>;

/** What the event of each channel carries. */
export const events = {
  instances: z.object({ data: InstanceChange }),
  "manager-instances": z.object({ data: InstanceChange }),
  "recipes-updates": z.object({ data: CatalogueChange }),
  "os-images-updates": z.object({ data: CatalogueChange }),
  "user-updates": z.object({ data: UserChange }),
  "groups-updates": z.object({ data: GroupsChange }),
  "organization-updates": z.object({ data: OrganizationChange }),
  "live-sessions-updates": z.object({ data: LiveSessionChange }),
} as const;
export type Channel = keyof typeof events;
export type EventOf<C extends Channel> = z.infer<(typeof events)[C]>;

/** The name under which the event of each channel is sent. */
export const eventNames = {
  instances: "instances",
  "manager-instances": "manager-instances",
  "recipes-updates": "recipe.updated.v2",
  "os-images-updates": "os_image.updated",
  "user-updates": "user.updated",
  "groups-updates": "groups.updated",
  "organization-updates": "organization.updated",
  "live-sessions-updates": "live_session.updated",
} as const satisfies Record<Channel, string>;

/** Other names that clients use to subscribe. */
export const channelAliases: ReadonlyMap<string, Channel> = new Map([
  ["instances-manager", "manager-instances"],
  ["recipes", "recipes-updates"],
]);

/** A subscription request. Sockets join all of their user's channels anyway; the reply says which of the requested ones those are. */
export const Subscribe = z.object({ tags: z.array(z.string().max(100)).max(20) });
