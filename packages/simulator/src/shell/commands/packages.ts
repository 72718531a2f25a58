import { gadgetCommand } from "./gadget-dumps.ts";
import { type Command, type Commands, type Invocation, UsageError } from "../invocation.ts";
import { installVerbs, splitOptions } from "./install.ts";

const pm: Command = async (call) => {
  const [verb, ...args] = call.args;
  const act = verb === undefined ? undefined : verbs[verb];
  if (!act) {
    await call.stderr.write(
      verb === undefined
        ? "Package manager (package) commands:\n  list path install install-create install-write install-commit install-abandon uninstall clear grant revoke dump resolve-activity\n"
        : `Unknown command: ${verb}\n`,
    );
    return verb === undefined ? 1 : 255;
  }
  return act({ ...call, args });
};

const verbs: Record<string, Command> = {
  ...installVerbs,

  list: async (call) => {
    const [what, ...args] = call.args;
    const { flags, rest } = splitOptions(args, ["--user", "--uid"]);
    if (what === "users") {
      await call.stdout.write("Users:\n\tUserInfo{0:Owner:c13} running\n");
      return 0;
    }
    if (what === "features") {
      await call.stdout.write(
        `feature:reqGlEsVersion=0x20000\nfeature:android.hardware.touchscreen\nfeature:android.software.terrarium_simulated\n`,
      );
      return 0;
    }
    if (what !== "packages" && what !== "package") throw new UsageError(`Error: unknown list type '${what ?? ""}'`);
    for (const one of call.device.packages.list()) {
      if ((flags.has("-3") && one.system) || (flags.has("-s") && !one.system) || flags.has("-d")) continue;
      if (rest[0] !== undefined && !one.packageName.includes(rest[0])) continue;
      const path = flags.has("-f") ? `${one.path}=` : "";
      const version = flags.has("--show-versioncode") ? ` versionCode:${one.versionCode}` : "";
      await call.stdout.write(
        `package:${path}${one.packageName}${version}${flags.has("-U") ? ` uid:${one.uid}` : ""}\n`,
      );
    }
    return 0;
  },

  path: async (call) => {
    const one = call.device.packages.get(splitOptions(call.args, ["--user"]).rest[0] ?? "");
    if (!one) return 1;
    for (const path of [one.path, ...one.splits]) await call.stdout.write(`package:${path}\n`);
    return 0;
  },

  uninstall: async (call) => {
    const { flags, rest } = splitOptions(call.args, ["--user", "--versionCode"]);
    const name = rest[0];
    if (name === undefined) throw new UsageError("Error: package name not specified");
    if (call.device.packages.get(name) && !call.device.packages.get(name)!.system) call.device.stopApp(name);
    const done = call.device.packages.uninstall(name, flags.has("-k"));
    await call.stdout.write(
      done
        ? "Success\n"
        : `Failure [${call.device.packages.get(name) ? "DELETE_FAILED_INTERNAL_ERROR" : "not installed for 0"}]\n`,
    );
    return done ? 0 : 1;
  },

  clear: async (call) => {
    const name = splitOptions(call.args, ["--user"]).rest[0];
    if (name === undefined) throw new UsageError("Error: no package specified");
    if (call.device.packages.get(name)) call.device.stopApp(name);
    const done = call.device.packages.clear(name);
    await call.stdout.write(done ? "Success\n" : "Failed\n");
    return done ? 0 : 1;
  },

  grant: (call) => grant(call, true),
  revoke: (call) => grant(call, false),

  "resolve-activity": async (call) => {
    const one = call.device.packages.get(splitOptions(call.args, ["-a", "-c", "--user"]).rest[0] ?? "");
    if (!one?.launcherActivity) {
      await call.stdout.write("No activity found\n");
      return 0;
    }
    const activity = one.launcherActivity.startsWith(`${one.packageName}.`)
      ? one.launcherActivity.slice(one.packageName.length)
      : one.launcherActivity;
    await call.stdout.write(
      `priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n${one.packageName}/${activity}\n`,
    );
    return 0;
  },

  dump: (call) => call.run(["dumpsys", "package", ...call.args]),
};

async function grant(call: Invocation, give: boolean): Promise<number> {
  const [name = "", permission] = splitOptions(call.args, ["--user"]).rest;
  const one = call.device.packages.get(name);
  const why = !one
    ? `Unknown package: ${name}`
    : permission === undefined
      ? "Error: no permission specified"
      : !one.permissions.includes(permission)
        ? `Package ${name} has not requested permission ${permission}`
        : undefined;
  if (why !== undefined || !one || permission === undefined) {
    await call.stderr.write(
      `\nException occurred while executing '${give ? "grant" : "revoke"}':\njava.lang.IllegalArgumentException: ${why}\n`,
    );
    return 255;
  }
  if (give) one.granted.add(permission);
  else one.granted.delete(permission);
  return 0;
}

/** `cmd SERVICE ...` for the services that have commands. */
const cmd: Command = async (call) => {
  const [service, ...args] = call.args;
  if (service === "package") return pm({ ...call, args });
  if (service === "activity") return call.run(["am", ...args]);
  if (service === "input") return call.run(["input", ...args]);
  if (service === "window") return call.run(["wm", ...args]);
  if (service === "settings") return call.run(["settings", ...args]);
  if (service === "battery") return call.run(["dumpsys", "battery", ...args]);
  if (service === "phone" || service === "location" || service === "media_session")
    return (await gadgetCommand({ ...call, args }, service)) ?? unknown(call);
  const on = args.at(-1) === "enable" || args.at(-1) === "enabled" || args.at(-1) === "yes";
  const off = args.at(-1) === "disable" || args.at(-1) === "disabled" || args.at(-1) === "no";
  if (on || off) {
    if (service === "wifi" && args[0] === "set-wifi-enabled") return set(call, { wifi: on });
    if (service === "connectivity" && args[0] === "airplane-mode") return set(call, { airplaneMode: on });
    if (service === "uimode" && args[0] === "night") return set(call, { darkTheme: on });
  }
  if (service === "-l" || service === undefined) {
    await call.stdout.write(
      "Currently running services:\n  activity\n  battery\n  connectivity\n  input\n  location\n  media_session\n  package\n  phone\n  settings\n  uimode\n  wifi\n  window\n",
    );
    return service === undefined ? 20 : 0;
  }
  if (["wifi", "connectivity", "uimode"].includes(service)) return unknown(call);
  await call.stderr.write(`cmd: Can't find service: ${service}\n`);
  return 20;
};

const unknown = async ({ args, stderr }: Invocation): Promise<number> => {
  await stderr.write(`Unknown command: ${args.slice(1).join(" ")}\n`);
  return 255;
};

const set = (call: Invocation, change: Parameters<Invocation["device"]["state"]["set"]>[0]): number => {
  call.device.state.set(change);
  return 0;
};

export const packageCommands: Commands = { pm, cmd };
