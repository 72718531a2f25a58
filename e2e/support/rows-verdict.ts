import { endedStates, type InstanceEvent, type InstanceState, nextState, supervisedStates } from "@terrarium/contract";

/** What the service has acknowledged about devices, and so must hold. */
export interface Acknowledged {
  /** By idempotency key, which is also the device's name: the devices that replies named. More than one is a duplicate. */
  started: Map<string, Set<string>>;
  stopped: Set<string>;
}

export interface Row {
  uuid: string;
  /** The idempotency key of its start, unless another device had that name. */
  name: string;
  state: InstanceState;
  machine: { port: number } | null;
}

export interface HistoryRow {
  instance_uuid: string;
  event: InstanceEvent | "ask";
  from_state: InstanceState | null;
  to_state: InstanceState;
}

/** What is there after the faults have ended. */
export interface Facts {
  rows: Row[];
  /** In order for each device. */
  history: HistoryRow[];
  /** The ports at which machines answer. */
  ports: ReadonlySet<number>;
}

/** What is wrong, a line for each. */
export interface Verdict {
  /** Acknowledged, but not so. */
  lost: string[];
  /** One key, several devices. */
  duplicated: string[];
  /** A machine without a row, or a row that says ONLINE without a machine. */
  orphaned: string[];
  /** Neither online nor ended. */
  stuck: string[];
  /** A history that the table of transitions does not allow, or that does not end with the row's state. */
  impossible: string[];
}

export function verdictOf({ started, stopped }: Acknowledged, facts: Facts): Verdict {
  const byId = new Map(facts.rows.map((row) => [row.uuid, row]));
  const lost = [...started].flatMap(([key, uuids]) =>
    [...uuids].some((uuid) => byId.has(uuid)) ? [] : [`${key} was started as ${[...uuids].join()}, which is not there`],
  );
  for (const uuid of stopped) {
    const state = byId.get(uuid)?.state;
    if (!state || !endedStates.includes(state)) lost.push(`${uuid} was stopped, and is ${state}`);
  }
  return {
    lost,
    duplicated: duplicatesIn(started, facts.rows),
    orphaned: orphansIn(facts),
    stuck: facts.rows.filter(isStuck).map(({ uuid, state }) => `${uuid} is ${state}`),
    impossible: impossibleIn(facts),
  };
}

const isStuck = ({ state }: Row) => state !== "ONLINE" && supervisedStates.includes(state);

function duplicatesIn(started: Acknowledged["started"], rows: Row[]): string[] {
  const made = new Map<string, Set<string>>();
  // A second device of one start is renamed: "NAME (1)".
  for (const { name, uuid } of rows) {
    const [key = ""] = name.split(" ");
    made.set(key, (made.get(key) ?? new Set(started.get(key))).add(uuid));
  }
  return [...made].flatMap(([key, uuids]) => (uuids.size > 1 ? [`${key}: ${[...uuids].join(", ")}`] : []));
}

function orphansIn({ rows, ports }: Facts): string[] {
  const owned = new Set(
    rows.flatMap(({ state, machine }) => (supervisedStates.includes(state) && machine ? [machine.port] : [])),
  );
  const machines = [...ports]
    .filter((port) => !owned.has(port))
    .map((port) => `the machine at port ${port} has no row`);
  const online = rows.filter(({ state, machine }) => state === "ONLINE" && !ports.has(machine?.port ?? 0));
  return [...machines, ...online.map(({ uuid }) => `${uuid} is ONLINE without a machine`)];
}

function impossibleIn({ rows, history }: Facts): string[] {
  const at = new Map<string, InstanceState>();
  const wrong: string[] = [];
  for (const { instance_uuid: uuid, event, from_state, to_state } of history) {
    const before = at.get(uuid);
    const isPossible = event === "ask" ? !before : before !== undefined && nextState(before, event) === to_state;
    if (!isPossible || (from_state ?? undefined) !== before)
      wrong.push(`${uuid}: ${before} took ${event} from ${from_state} to ${to_state}`);
    at.set(uuid, to_state);
  }
  for (const { uuid, state } of rows)
    if (at.get(uuid) !== state) wrong.push(`${uuid} is ${state} after ${at.get(uuid)}`);
  return wrong;
}

export const isGood = (verdict: Verdict): boolean => Object.values(verdict).every((found) => found.length === 0);
