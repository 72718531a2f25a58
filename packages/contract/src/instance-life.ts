/** Every state name that exists on the wire; the life below uses those that this service sets. */
export const instanceStates = [
  "INIT",
  "ASKED_CREATING",
  "CREATING",
  "CREATED",
  "ASKED_STARTING",
  "STARTING",
  "BOOTING",
  "ONLINE",
  "RUNNING",
  "ASKED_SAVING",
  "SAVING",
  "SAVED",
  "ASKED_STOPPING",
  "STOPPING",
  "STOPPED",
  "ASKED_DELETING",
  "DELETING",
  "DELETED",
  "RECYCLED",
  "ERROR",
  "REVOKED",
  "EXPIRED",
  "OFFLINE",
] as const;
export type InstanceState = (typeof instanceStates)[number];

/** What may happen in a state, and where it leads. */
export const instanceLife = {
  CREATING: { powered: "STARTING", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  STARTING: { answered: "BOOTING", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  BOOTING: { booted: "ONLINE", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  ONLINE: { save: "SAVING", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  SAVING: { saved: "SAVED", fail: "ERROR" },
  SAVED: { stop: "STOPPING", fail: "ERROR" },
  STOPPING: { stopped: "DELETING", fail: "ERROR" },
  DELETING: { deleted: "DELETED", fail: "ERROR" },
  ERROR: { dismiss: "DELETED" },
  REVOKED: { dismiss: "DELETED" },
  EXPIRED: { dismiss: "DELETED" },
} as const satisfies Partial<Record<InstanceState, Record<string, InstanceState>>>;

/** A state that something may still happen in. */
export type LiveState = keyof typeof instanceLife;
type EventsOf<State extends LiveState> = keyof (typeof instanceLife)[State];
export type InstanceEvent = { [State in LiveState]: EventsOf<State> }[LiveState];

/** The same table, to be asked about any state and any event. */
const life: Partial<Record<InstanceState, Partial<Record<InstanceEvent, InstanceState>>>> = instanceLife;

/** Where `event` leads from `state`, or undefined when the state does not take it. */
export const nextState = (state: InstanceState, event: InstanceEvent): InstanceState | undefined =>
  life[state]?.[event];

/** The states that take `event`: the condition of the update and the enabled state of the button. */
export const statesThatTake = (event: InstanceEvent): InstanceState[] =>
  instanceStates.filter((state) => nextState(state, event) !== undefined);

const outcomes: Record<InstanceEvent, InstanceState> = {
  ...instanceLife.CREATING,
  ...instanceLife.STARTING,
  ...instanceLife.BOOTING,
  ...instanceLife.ONLINE,
  ...instanceLife.SAVING,
  ...instanceLife.STOPPING,
  ...instanceLife.DELETING,
  ...instanceLife.ERROR,
};

/** Where `event` leads: an event ends in the same state, whichever state took it. */
export const stateAfter = (event: InstanceEvent): InstanceState => outcomes[event];

export type InstancePhase = "starting" | "online" | "windingDown" | "finished";

/** The groups that the launchpad and existing clients count by. */
export const instancePhases: Readonly<Record<InstancePhase, readonly InstanceState[]>> = {
  starting: ["CREATING", "STARTING", "BOOTING"],
  online: ["ONLINE"],
  windingDown: ["SAVING", "SAVED", "STOPPING"],
  finished: ["DELETING", "RECYCLED", "ERROR", "REVOKED", "EXPIRED", "OFFLINE"],
};

/** Starting or online: a device that is or will be there to touch. */
export const activeStates: readonly InstanceState[] = [...instancePhases.starting, ...instancePhases.online];

/** States in which a device holds a place of its organisation's limit: from the ask to its end. */
export const runningStates: readonly InstanceState[] = [...activeStates, ...instancePhases.windingDown];

/** States on a device's list: all but the last, in which it was deleted or dismissed. */
export const shownStates: readonly InstanceState[] = instanceStates.filter((state) => life[state] !== undefined);

/** It ended by itself and stays on the list until somebody dismisses it. */
export const dismissableStates: readonly InstanceState[] = statesThatTake("dismiss");

/** A gateway has to supervise the device, for there is a machine, or there will be or may still be one. */
export const supervisedStates: readonly InstanceState[] = shownStates.filter(
  (state) => !dismissableStates.includes(state),
);

/** Its life is over, and no machine is left. */
export const endedStates: readonly InstanceState[] = instanceStates.filter(
  (state) => Object.values(outcomes).includes(state) && !supervisedStates.includes(state),
);

/** Its screen is gone for good: the device is being taken down, or has ended. */
export const darkStates: readonly InstanceState[] = ["STOPPING", "DELETING", ...endedStates];

/** The word a person sees for a state, before translation. */
export const displayedStates = {
  INIT: "creating",
  ASKED_CREATING: "creating",
  CREATING: "creating",
  CREATED: "creating",
  ASKED_STARTING: "starting",
  STARTING: "starting",
  BOOTING: "booting",
  ONLINE: "online",
  RUNNING: "online",
  ASKED_SAVING: "saving",
  SAVING: "saving",
  SAVED: "saving",
  ASKED_STOPPING: "stopping",
  STOPPING: "stopping",
  STOPPED: "stopping",
  ASKED_DELETING: "offline",
  DELETING: "offline",
  DELETED: "offline",
  RECYCLED: "recycled",
  ERROR: "error",
  REVOKED: "revoked",
  EXPIRED: "expired",
  OFFLINE: "offline",
} as const satisfies Record<InstanceState, string>;
export type DisplayedState = (typeof displayedStates)[InstanceState];
