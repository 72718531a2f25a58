import { AppError } from "@terrarium/contract";
import type { Actor } from "../sessions/actor.ts";

export interface Owned {
  owner_uuid: string;
  organization_uuid: string;
}

/** Owners touch their devices; managers of the owner's organisation see and end them; colleagues may not; others do not know of them. */
export type InstanceRight = "display" | "see" | "end";

export function mayInstance(actor: Actor, right: InstanceRight, instance: Owned): boolean {
  if (instance.owner_uuid === actor.uuid) return true;
  return right !== "display" && actor.isManager && instance.organization_uuid === actor.organization;
}

/** Throws what a caller without the right may learn: that it is not allowed, or that there is no such device. */
export function checkInstance<Row extends Owned>(
  actor: Actor,
  right: InstanceRight,
  instance: Row | undefined,
): asserts instance is Row {
  if (!instance) throw new AppError("INSTANCE_NOT_FOUND");
  if (mayInstance(actor, right, instance)) return;
  const ownOrganization = actor.organization !== null && instance.organization_uuid === actor.organization;
  throw new AppError(ownOrganization ? "INSTANCE_NOT_ALLOWED" : "INSTANCE_NOT_FOUND");
}
