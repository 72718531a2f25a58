import { Listeners } from "./listeners.ts";

/** Every key of ours in the browser's storage starts so. */
const PREFIX = "vd.pref.";

/** One remembered choice of a person in this browser. */
export interface Preference<Value> {
  readonly read: () => Value;
  readonly write: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

interface Options<Value> {
  /** In the storage: `vd.pref.<name>`. */
  name: string;
  /** Raised when the meaning of the value changes; what an older version left is then forgotten. */
  version: number;
  byDefault: Value;
  /** Whether what was found is of use; anyone may have written to the storage. */
  accepts: (value: unknown) => value is Value;
  storage?: Storage;
}

/** A preference kept as `{ version, value }`; whatever cannot be read is the default. */
export function createPreference<Value>({
  name,
  version,
  byDefault,
  accepts,
  storage = localStorage,
}: Options<Value>): Preference<Value> {
  const listeners = new Listeners();
  const load = (): Value => {
    try {
      const kept = JSON.parse(storage.getItem(PREFIX + name) ?? "null") as {
        version?: unknown;
        value?: unknown;
      } | null;
      return kept?.version === version && accepts(kept.value) ? kept.value : byDefault;
    } catch {
      return byDefault;
    }
  };
  let current = load();
  return {
    read: () => current,
    write(value) {
      current = value;
      try {
        storage.setItem(PREFIX + name, JSON.stringify({ version, value }));
      } catch {
        // A full or closed storage only means that it is forgotten.
      }
      listeners.notify();
    },
    subscribe: listeners.subscribe,
  };
}
