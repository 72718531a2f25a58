import type { Clock } from "@terrarium/clock";
import type { DeviceRuntime, RuntimePackage } from "@terrarium/runtime";
import type { Logger } from "./platform/log.ts";

/** A runtime whose settings have been read, and of which nothing has been started. */
export interface ConfiguredRuntime {
  name: string;
  create(deps: { dataDir: string; clock: Clock; log: Logger }): DeviceRuntime;
}

type Load = () => Promise<{ runtime: RuntimePackage }>;

/** The runtimes there are. Only those that the operator names are loaded: the packages of the others may be missing. */
export const runtimePackages: Readonly<Record<string, Load>> = {
  simulator: () => import("@terrarium/runtime-simulator"),
};

/**
 * Loads the runtimes of these names and reads their settings. Throws a `ZodError` that names the variable, or an error
 * that says which runtime is unknown or not installed.
 */
export async function loadRuntimes(
  names: readonly string[],
  environment: Record<string, string | undefined>,
  packages: Readonly<Record<string, Load>> = runtimePackages,
): Promise<ConfiguredRuntime[]> {
  return Promise.all(names.map(async (name) => configure(await load(name, packages), environment)));
}

async function load(name: string, packages: Readonly<Record<string, Load>>): Promise<RuntimePackage> {
  const known = Object.keys(packages);
  if (!known.includes(name))
    throw new Error(`TERRARIUM_RUNTIMES names "${name}", which is no runtime. There is: ${known.join(", ")}.`);
  try {
    return (await packages[name]!()).runtime;
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error(
      `TERRARIUM_RUNTIMES names "${name}", and not all of its packages are installed: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function configure(
  { name, settings: schema, create }: RuntimePackage,
  environment: Record<string, string | undefined>,
): ConfiguredRuntime {
  // An empty variable is one that is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const settings = schema.parse(given);
  return {
    name,
    create: ({ dataDir, clock, log }) =>
      create({ settings, dataDir, clock, log: (line) => log.info({ runtime: name }, line) }),
  };
}
