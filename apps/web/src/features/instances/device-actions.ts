import { activeStates, type InstanceState, instancePhases, statesThatTake } from "@terrarium/contract";
import { whyNotSavable, type WhyNotSavable } from "./save-rules.ts";

/** `unless` says why an action that is shown cannot be used now. */
export type DeviceAction =
  | { kind: "display" | "messageOwner" | "stop" | "dismiss"; unless?: "notRunning" | "ending" }
  | { kind: "save"; unless: WhyNotSavable | undefined };

const isIn = (states: readonly InstanceState[], state: InstanceState): boolean => states.includes(state);

const isActive = (state: InstanceState): boolean => isIn(activeStates, state);

/** What somebody may do with a device, in the order it is shown. The service decides again. */
export function actionsOf(
  device: Parameters<typeof whyNotSavable>[0],
  me: { uuid: string; organization: { uuid: string } | null; is_organization_manager: boolean },
): DeviceAction[] {
  const { state, owner } = device;
  const isMine = owner.uuid === me.uuid;
  const mayEnd = isMine || me.is_organization_manager;
  const isEnding = isIn(instancePhases.windingDown, state);
  const actions: DeviceAction[] = [];

  if (isMine && isActive(state)) actions.push({ kind: "display" });
  else if (isMine && isEnding) actions.push({ kind: "display", unless: "notRunning" });
  if (isMine && (isActive(state) || isEnding)) actions.push({ kind: "save", unless: whyNotSavable(device, me) });
  if (!isMine) actions.push({ kind: "messageOwner" });
  if (mayEnd && isActive(state) && isIn(statesThatTake("stop"), state)) actions.push({ kind: "stop" });
  else if (mayEnd && isEnding) actions.push({ kind: "stop", unless: "ending" });
  if (mayEnd && isIn(statesThatTake("dismiss"), state)) actions.push({ kind: "dismiss" });
  return actions;
}

export const mayStop = (device: Parameters<typeof actionsOf>[0], me: Parameters<typeof actionsOf>[1]): boolean =>
  actionsOf(device, me).some(({ kind, unless }) => kind === "stop" && unless === undefined);

/** A mail to the owner of a device. Names are chosen by people, so each part is escaped. */
export const mailToOwner = (email: string, subject: string): string =>
  `mailto:${encodeURIComponent(email).replaceAll("%40", "@")}?subject=${encodeURIComponent(subject)}`;
