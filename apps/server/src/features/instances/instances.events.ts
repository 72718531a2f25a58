import type { Channel, EventOf } from "@terrarium/contract";
import type { Server } from "socket.io";
import type { Database } from "../../database/schema.ts";
import type { Actor } from "../sessions/actor.ts";
import { listChangedSince } from "./instances.store.ts";
import { presentChange } from "./present-instance.ts";

/** What a notification of `moveInstance` carries: times as text. */
type Told = Parameters<typeof presentChange>[0] & { organization_uuid: string };

const roomOf = (channel: Channel, whose: string) => `${channel}:${whose}`;

/** The rooms of the channels a person may hear: their own devices, and for a manager the organisation's. */
export function instanceRooms(
  actor: Pick<Actor, "uuid" | "isManager" | "organization">,
): Partial<Record<Channel, string>> {
  return {
    instances: roomOf("instances", actor.uuid),
    ...(actor.isManager && actor.organization
      ? { "manager-instances": roomOf("manager-instances", actor.organization) }
      : {}),
  };
}

/** Tells the sockets of this process about a change that the database told. */
export function emitInstanceChange(io: Server, payload: string): void {
  const told = JSON.parse(payload, (key, value: unknown) =>
    key.endsWith("_at") && typeof value === "string" ? new Date(value) : value,
  ) as Told;
  emit(io, told);
}

/** Tells again how everything stands that changed since; who heard it already keeps the higher revision. */
export async function emitInstancesSince(io: Server, db: Database, since: Date): Promise<void> {
  const margin = new Date(since.getTime() - 5_000);
  for (const row of await listChangedSince(db, margin)) emit(io, row);
}

function emit(io: Server, told: Told): void {
  const event: EventOf<Channel> = { data: presentChange(told) };
  io.local.to(roomOf("instances", told.owner_uuid)).emit("instances", event);
  io.local.to(roomOf("manager-instances", told.organization_uuid)).emit("manager-instances", event);
}
