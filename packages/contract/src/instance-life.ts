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

export type LiveState = keyof typeof instanceLife;
type EventsOf<State extends LiveState> = keyof (typeof instanceLife)[State];
export type InstanceEvent = { [State in LiveState]: EventsOf<State> }[LiveState];

/** Where `event` leads from `state`, or undefined when the state does not take it. */
export function nextState(state: InstanceState, event: InstanceEvent): InstanceState | undefined {
  const events: Record<string, InstanceState> = (instanceLife as Partial<Record<InstanceState, object>>)[
    state
  ] as never;
  return events?.[event];
}

/** The states that take `event`: the condition of the update and the enabled state of the button. */
export function statesThatTake(event: InstanceEvent): InstanceState[] {
  return instanceStates.filter((state) => nextState(state, event) !== undefined);
}

/** The groups that the launchpad and existing clients count by. */
export const instancePhases = {
  starting: ["CREATING", "STARTING", "BOOTING"],
  online: ["ONLINE"],
  windingDown: ["SAVING", "SAVED", "STOPPING"],
  finished: ["DELETING", "RECYCLED", "ERROR", "REVOKED", "EXPIRED", "OFFLINE"],
} as const satisfies Record<string, readonly InstanceState[]>;
export type InstancePhase = keyof typeof instancePhases;

/** States in which a device holds a place of its organisation's limit: from the ask to its end. */
export const runningStates = [
  ...instancePhases.starting,
  ...instancePhases.online,
  ...instancePhases.windingDown,
] as const satisfies readonly InstanceState[];

/** Starting or online: a device that is or will be there to touch. */
export const activeStates = [...instancePhases.starting, ...instancePhases.online] as const;

export const dismissableStates = statesThatTake("dismiss");

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
