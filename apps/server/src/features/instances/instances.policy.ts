import { AppError, type ErrorCode } from "@terrarium/contract";
import { type Actor, isGuest } from "../sessions/actor.ts";

export interface OwnedInstance {
  owner_uuid: string;
  organization_uuid: string;
}

/**
 * Owners may do everything with their devices, but guests cannot save theirs, as they own no recipes. A manager of the organization may
 * see, stop, extend and dismiss those of others, and not look at, touch or save what is on them. Colleagues may do none of this; to everybody
 * else the device does not exist.
 */
export type InstanceRight = "display" | "see" | "save" | "stop" | "dismiss" | "extend";

/** The errors for a colleague who asks for more than they may. */
const refusals = {
  display: "INSTANCE_NOT_ALLOWED",
  see: "INSTANCE_NOT_ALLOWED",
  save: "INSTANCE_SAVE_NOT_ALLOWED",
  stop: "INSTANCE_STOP_NOT_ALLOWED",
  dismiss: "INSTANCE_DISMISS_NOT_ALLOWED",
  extend: "INSTANCE_NOT_ALLOWED",
} as const satisfies Record<InstanceRight, ErrorCode>;

export function mayInstance(actor: Actor, right: InstanceRight, instance: OwnedInstance): boolean {
  if (instance.owner_uuid === actor.uuid) return right !== "save" || !isGuest(actor);
  return (
    right !== "display" && right !== "save" && actor.isManager && instance.organization_uuid === actor.organization
  );
}

/** Throws what a caller without the right may learn: that it is not allowed, or that there is no such device. */
export function checkInstance<Row extends OwnedInstance>(
  actor: Actor,
  right: InstanceRight,
  instance: Row | undefined,
): asserts instance is Row {
  if (!instance) throw new AppError("INSTANCE_NOT_FOUND");
  if (mayInstance(actor, right, instance)) return;
  const isOwner = instance.owner_uuid === actor.uuid;
  const ownOrganization = actor.organization !== null && instance.organization_uuid === actor.organization;
  throw new AppError(isOwner || ownOrganization ? refusals[right] : "INSTANCE_NOT_FOUND");
}
