import { Listeners } from "./listeners.ts";

/** Every key of ours in the browser's storage starts so. */
const PREFIX = "vd.pref.";

/** One remembered choice of a person in this browser. */
export interface Preference<Value> {
  readonly read: () => Value;
  readonly write: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** How a preference is stored. */
type Stored = { version: number; value: unknown };

const readers = new Map<string, () => void>();
type Writer = (name: string, stored: Stored | undefined) => void;
const writers = new Set<Writer>();

/**
 * Called for every preference that somebody changes in this tab, with what is stored; undefined if it is forgotten. Returns how to stop.
 */
export function watchPreferences(listener: Writer): () => void {
  writers.add(listener);
  return () => writers.delete(listener);
}

/** Takes over a preference that was stored elsewhere, null if it was forgotten there. */
export function adoptPreference(name: string, stored: unknown, storage: Storage = localStorage): void {
  const text = stored === null ? null : JSON.stringify(stored);
  try {
    if (storage.getItem(PREFIX + name) === text) return;
    if (text === null) storage.removeItem(PREFIX + name);
    else storage.setItem(PREFIX + name, text);
  } catch {
    return;
  }
  readers.get(name)?.();
}

/** Forgets every preference, as if nobody had ever chosen anything. */
export function forgetPreferences(storage: Storage = localStorage): void {
  const keys = Object.keys(storage).filter((key) => key.startsWith(PREFIX));
  for (const key of keys) {
    const name = key.slice(PREFIX.length);
    storage.removeItem(key);
    readers.get(name)?.();
    for (const notify of writers) notify(name, undefined);
  }
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

/** A preference stored as `{ version, value }`; if that cannot be read, the default. */
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
      const stored = JSON.parse(storage.getItem(PREFIX + name) ?? "null") as {
        version?: unknown;
        value?: unknown;
      } | null;
      return stored?.version === version && accepts(stored.value) ? stored.value : byDefault;
    } catch {
      return byDefault;
    }
  };
  let current = load();
  if (storage === globalThis.localStorage)
    readers.set(name, () => {
      current = load();
      listeners.notify();
    });
  return {
    read: () => current,
    write(value) {
      current = value;
      const stored: Stored = { version, value };
      try {
        storage.setItem(PREFIX + name, JSON.stringify(stored));
      } catch {
        // A full or closed storage only means that it is forgotten.
      }
      listeners.notify();
      for (const notify of writers) notify(name, stored);
    },
    subscribe: listeners.subscribe,
  };
}
