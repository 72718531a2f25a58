import type { InstallRules } from "../../device/packages.ts";
import { type Commands, type Command, type Invocation, pathOf, UsageError } from "../invocation.ts";

/** Android replaces by default since 9; before, `-r` had to say so. */
const REPLACES_SINCE = 28;

const pm: Command = async (call) => {
  const [verb, ...args] = call.args;
  const act = verb === undefined ? undefined : verbs[verb];
  if (!act) {
    await call.stderr.write(
      verb === undefined
        ? "Package manager (package) commands:\n  list path install uninstall clear grant revoke dump resolve-activity\n"
        : `Unknown command: ${verb}\n`,
    );
    return verb === undefined ? 1 : 255;
  }
  return act({ ...call, args });
};

/** Words that start with a dash, and the rest. Those in `valued` take the next word. */
function split(args: readonly string[], valued: readonly string[]): { flags: Map<string, string>; rest: string[] } {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  const words = [...args];
  while (words.length > 0) {
    const word = words.shift()!;
    if (!word.startsWith("-") || word === "-") rest.push(word);
    else if (word.includes("=")) flags.set(word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1));
    else flags.set(word, valued.includes(word) ? (words.shift() ?? "") : "");
  }
  return { flags, rest };
}

const known = new Set([
  "-r",
  "-R",
  "-d",
  "-t",
  "-g",
  "-S",
  "-i",
  "--user",
  "-f",
  "-s",
  "--dexopt-compiler-filter",
  "--bypass-low-target-sdk-block",
  "--full",
  "--instant",
  "--no-streaming",
  "--streaming",
  "-l",
  "--install-location",
  "--package",
  "--abi",
  "--force-uuid",
  "--no-incremental",
  "--fastdeploy",
  "--restrict-permissions",
]);

function rulesOf(call: Invocation, flags: Map<string, string>): InstallRules {
  return {
    replace: flags.has("-r") || (call.device.spec.image.sdkVersion >= REPLACES_SINCE && !flags.has("-R")),
    allowDowngrade: flags.has("-d"),
    allowTestOnly: flags.has("-t"),
    grantAll: flags.has("-g"),
    bypassLowTargetSdk: flags.has("--bypass-low-target-sdk-block"),
  };
}

/** `install [options] PATH` and `install -S BYTES [-]`, where the APK comes as input. */
const install: Command = async (call) => {
  const { flags, rest } = split(call.args, [
    "-S",
    "-i",
    "--user",
    "--dexopt-compiler-filter",
    "--install-location",
    "--package",
    "--abi",
    "--force-uuid",
  ]);
  const unknown = [...flags.keys()].find((flag) => !known.has(flag));
  if (unknown) {
    await call.stderr.write(`Error: Unknown option ${unknown}\n`);
    return 1;
  }
  const size = flags.has("-S") ? Number(flags.get("-S")) : undefined;
  if (size !== undefined && (!Number.isSafeInteger(size) || size < 0))
    throw new UsageError("Error: must specify a APK size");
  const path = rest.find((word) => word !== "-");
  if (path === undefined && size === undefined) {
    await call.stderr.write("Error: must either specify a package size or an APK file\n");
    return 1;
  }
  let failure: string | undefined;
  if (path === undefined) {
    const staged = call.device.packages.stage();
    try {
      failure = (await receive(call, staged, size!)) ?? call.device.packages.install(staged, rulesOf(call, flags));
    } finally {
      if (call.device.files.exists(staged)) call.device.files.remove(staged);
    }
  } else failure = call.device.packages.install(pathOf(call, path), rulesOf(call, flags));
  if (failure === undefined) {
    call.device.log("I", "PackageManager", "Installed a package; its code is not run on a simulated device");
    await call.stdout.write("Success\n");
    return 0;
  }
  await call.stdout.write(`Failure [${failure}]\n`);
  return 1;
};

/** Takes exactly `size` bytes of input into a file; answers a failure when they do not come or do not fit. */
async function receive(call: Invocation, path: string, size: number): Promise<string | undefined> {
  if (size > call.device.volume.availableBytes) return "INSTALL_FAILED_INSUFFICIENT_STORAGE: Not enough space";
  const writer = call.device.files.create(path, 0o644);
  let left = size;
  try {
    while (left > 0) {
      const chunk = await call.stdin.read();
      if (!chunk) return "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: unexpected end of file";
      writer.write(chunk.subarray(0, left));
      left -= Math.min(left, chunk.length);
    }
  } finally {
    writer.close();
  }
  return undefined;
}

const verbs: Record<string, Command> = {
  install,
  "install-streaming": install,

  list: async (call) => {
    const [what, ...args] = call.args;
    const { flags, rest } = split(args, ["--user", "--uid"]);
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
    const one = call.device.packages.get(split(call.args, ["--user"]).rest[0] ?? "");
    if (!one) return 1;
    await call.stdout.write(`package:${one.path}\n`);
    return 0;
  },

  uninstall: async (call) => {
    const { flags, rest } = split(call.args, ["--user", "--versionCode"]);
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
    const name = split(call.args, ["--user"]).rest[0];
    if (name === undefined) throw new UsageError("Error: no package specified");
    if (call.device.packages.get(name)) call.device.stopApp(name);
    const done = call.device.packages.clear(name);
    await call.stdout.write(done ? "Success\n" : "Failed\n");
    return done ? 0 : 1;
  },

  grant: (call) => grant(call, true),
  revoke: (call) => grant(call, false),

  "resolve-activity": async (call) => {
    const one = call.device.packages.get(split(call.args, ["-a", "-c", "--user"]).rest[0] ?? "");
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
  const [name = "", permission] = split(call.args, ["--user"]).rest;
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

/** `cmd SERVICE ...`: those services that have commands of their own here. */
const cmd: Command = async (call) => {
  const [service, ...args] = call.args;
  if (service === "package") return pm({ ...call, args });
  if (service === "activity") return call.run(["am", ...args]);
  if (service === "input") return call.run(["input", ...args]);
  if (service === "window") return call.run(["wm", ...args]);
  if (service === "settings") return call.run(["settings", ...args]);
  if (service === "battery") return call.run(["dumpsys", "battery", ...args]);
  const on = args.at(-1) === "enable" || args.at(-1) === "enabled" || args.at(-1) === "yes";
  const off = args.at(-1) === "disable" || args.at(-1) === "disabled" || args.at(-1) === "no";
  if (on || off) {
    if (service === "wifi" && args[0] === "set-wifi-enabled") return set(call, { wifi: on });
    if (service === "connectivity" && args[0] === "airplane-mode") return set(call, { airplaneMode: on });
    if (service === "uimode" && args[0] === "night") return set(call, { darkTheme: on });
  }
  if (service === "-l" || service === undefined) {
    await call.stdout.write(
      "Currently running services:\n  activity\n  battery\n  connectivity\n  input\n  package\n  settings\n  uimode\n  wifi\n  window\n",
    );
    return service === undefined ? 20 : 0;
  }
  const has = ["wifi", "connectivity", "uimode"].includes(service);
  await call.stderr.write(has ? `Unknown command: ${args.join(" ")}\n` : `cmd: Can't find service: ${service}\n`);
  return has ? 255 : 20;
};

const set = (call: Invocation, change: Parameters<Invocation["device"]["state"]["set"]>[0]): number => {
  call.device.state.set(change);
  return 0;
};

export const packageCommands: Commands = { pm, cmd };
