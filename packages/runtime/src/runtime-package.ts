import type { Clock } from "@terrarium/clock";
import type { z } from "zod";
import type { DeviceRuntime } from "./device-runtime.ts";
import type { LayerStore } from "./layers.ts";

export interface RuntimeContext<Settings> {
  settings: Settings;
  /** An absolute path. A runtime stores its files there, under its own name. */
  dataDir: string;
  /** How long machines run on without any server, for the next one to adopt them, in milliseconds. */
  keepMs: number;
  /** Where saved states are. */
  layers: LayerStore;
  clock: Clock;
  log: (line: string) => void;
}

/** What the package of a runtime exports as `runtime`. Nothing of it is loaded unless the operator names the runtime. */
export interface RuntimePackage<Schema extends z.ZodObject = z.ZodObject> {
  /** The word in `TERRARIUM_RUNTIMES` and in an OS image's `runtime` field. */
  name: string;
  /**
   * The environment variables it reads, each described and named `TERRARIUM_<NAME>_...` (a dash in the name is `_`), but for those that the tools
   * of others read, as `ANDROID_HOME`: the README's table of settings is printed from them.
   */
  settings: Schema;
  /** Starts nothing yet: that is for `prepare` and `start`. */
  create(context: RuntimeContext<z.output<Schema>>): DeviceRuntime;
}

/** Checks a runtime's package against the interface, and preserves the type of its settings. */
export const defineRuntime = <Schema extends z.ZodObject>(runtime: RuntimePackage<Schema>) => runtime;
