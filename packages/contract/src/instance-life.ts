/** Every state of the API; the transitions below use only those that this service sets. */
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

/** The transitions: for each state, its events and the states they lead to. */
export const instanceLife = {
  CREATING: {
    powered: "STARTING",
    stop: "STOPPING",
    expire: "EXPIRED",
    revoke: "REVOKED",
    fail: "ERROR",
  },
  STARTING: { answered: "BOOTING", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  BOOTING: {
    booted: "ONLINE",
    warmed: "CREATED",
    stop: "STOPPING",
    expire: "EXPIRED",
    revoke: "REVOKED",
    fail: "ERROR",
  },
  // It has booted ahead of time, and is nobody's until it is handed out.
  CREATED: { booted: "ONLINE", stop: "STOPPING", fail: "ERROR" },
  ONLINE: { save: "SAVING", stop: "STOPPING", expire: "EXPIRED", revoke: "REVOKED", fail: "ERROR" },
  SAVING: { saved: "SAVED", saveFailed: "ONLINE", fail: "ERROR" },
  SAVED: { stop: "STOPPING", fail: "ERROR" },
  STOPPING: { stopped: "DELETING", fail: "ERROR" },
  DELETING: { deleted: "DELETED", fail: "ERROR" },
  ERROR: { dismiss: "DELETED" },
  REVOKED: { dismiss: "DELETED" },
  EXPIRED: { dismiss: "DELETED" },
} as const satisfies Partial<Record<InstanceState, Record<string, InstanceState>>>;

/** A state with transitions. */
export type LiveState = keyof typeof instanceLife;
type EventsOf<State extends LiveState> = keyof (typeof instanceLife)[State];
export type InstanceEvent = { [State in LiveState]: EventsOf<State> }[LiveState];

/** The same table, typed for lookups by any state and event. */
const life: Partial<Record<InstanceState, Partial<Record<InstanceEvent, InstanceState>>>> = instanceLife;

/** The state after `event`, or undefined if `state` does not accept it. */
export const nextState = (state: InstanceState, event: InstanceEvent): InstanceState | undefined =>
  life[state]?.[event];

/** The states that accept `event`: the condition of the server's update, and when a button is enabled. */
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

/** The state that `event` leads to, which is the same from every state. */
export const stateAfter = (event: InstanceEvent): InstanceState => outcomes[event];

export type InstancePhase = "starting" | "online" | "windingDown" | "finished";

/** Groups of states, by which the launchpad and existing clients count devices. */
export const instancePhases: Readonly<Record<InstancePhase, readonly InstanceState[]>> = {
  starting: ["CREATING", "STARTING", "BOOTING"],
  online: ["ONLINE"],
  windingDown: ["SAVING", "SAVED", "STOPPING"],
  finished: ["DELETING", "RECYCLED", "ERROR", "REVOKED", "EXPIRED", "OFFLINE"],
};

/** Starting or online: the device can be used now or soon. */
export const activeStates: readonly InstanceState[] = [...instancePhases.starting, ...instancePhases.online];

/** The device counts towards its organization's limit. */
export const runningStates: readonly InstanceState[] = [...activeStates, ...instancePhases.windingDown];

/** The device is listed: in all states but DELETED, which it reaches when it was stopped or dismissed. */
export const shownStates: readonly InstanceState[] = instanceStates.filter((state) => life[state] !== undefined);

/** Why stops of devices of an organization, or of a part of it, are announced: a budget, or the plan they run on. */
export const announcedStops = [
  "budget_used_up",
  "minutes_used_up",
  "license_expired",
  "plan_suspended",
  "plan_ended",
] as const;
export type AnnouncedStop = (typeof announcedStops)[number];
/** Why nothing covers a device any more. */
export type StopReason = Exclude<AnnouncedStop, "budget_used_up">;

/** The device ended by itself and is listed until somebody dismisses it. */
export const dismissableStates: readonly InstanceState[] = statesThatTake("dismiss");

/** A gateway must supervise the device, as there is, will be or may be a machine. */
export const supervisedStates: readonly InstanceState[] = shownStates.filter(
  (state) => !dismissableStates.includes(state),
);

/** The device has ended, without a machine left. */
export const endedStates: readonly InstanceState[] = instanceStates.filter(
  (state) => Object.values(outcomes).includes(state) && !supervisedStates.includes(state),
);

/** The displayed word for a state, before translation. */
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
