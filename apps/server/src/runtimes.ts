import type { Clock } from "@terrarium/clock";
import type { DeviceRuntime, LayerStore, RuntimePackage } from "@terrarium/runtime";
import type { Logger } from "./platform/log.ts";

/** A runtime whose settings have been parsed, but which was not created yet. */
export interface ConfiguredRuntime {
  name: string;
  create(deps: { dataDir: string; keepMs: number; layers: LayerStore; clock: Clock; log: Logger }): DeviceRuntime;
}

type Load = () => Promise<{ runtime: RuntimePackage }>;

/** All known runtimes. Only those that the operator selects are loaded, as the packages of others may not be installed. */
export const runtimePackages: Readonly<Record<string, Load>> = {
  "adb-pool": () => import("@terrarium/runtime-adb-pool"),
  "android-emulator": () => import("@terrarium/runtime-android-emulator"),
  docker: () => import("@terrarium/runtime-docker"),
  kubernetes: () => import("@terrarium/runtime-kubernetes"),
  qemu: () => import("@terrarium/runtime-qemu"),
  simulator: () => import("@terrarium/runtime-simulator"),
};

/**
 * Loads the named runtimes and parses their settings.
 * @throws ZodError that names the variable; Error if a runtime is unknown or not installed
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
    throw new Error(`TERRARIUM_RUNTIMES names "${name}", which is not a runtime. Available: ${known.join(", ")}.`);
  try {
    return (await packages[name]!()).runtime;
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error(
      `TERRARIUM_RUNTIMES names "${name}", but some of its packages are not installed: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function configure(
  { name, settings: schema, create }: RuntimePackage,
  environment: Record<string, string | undefined>,
): ConfiguredRuntime {
  // An empty variable counts as not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const settings = schema.parse(given);
  return {
    name,
    create: ({ log, ...deps }) => create({ ...deps, settings, log: (line) => log.info({ runtime: name }, line) }),
  };
}
