import { useSyncExternalStore } from "react";
import type { Preference } from "./preferences.ts";

export function usePreference<Value>(preference: Preference<Value>): [Value, (value: Value) => void] {
  return [useSyncExternalStore(preference.subscribe, preference.read, preference.read), preference.write];
}
