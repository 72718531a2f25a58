import { type Command, type Commands, UsageError } from "../invocation.ts";

/** Which app handles an intent that names no component. */
const actions: Record<string, string> = {
  "android.settings.SETTINGS": "com.terrarium.settings",
  "android.intent.action.HOME": "com.terrarium.launcher",
};

interface Intent {
  action?: string;
  data?: string;
  category?: string;
  component?: string;
  packageName?: string;
}

/** Parses the common intent options of `am` (AOSP Intent.parseCommandArgs). */
function intentOf(args: string[]): Intent {
  const intent: Intent = {};
  while (args.length > 0) {
    const arg = args.shift()!;
    const value = () => {
      const next = args.shift();
      if (next === undefined) throw new UsageError(`Argument expected after "${arg}"`, 255);
      return next;
    };
    if (arg === "-a") intent.action = value();
    else if (arg === "-d") intent.data = value();
    else if (arg === "-c") intent.category = value();
    else if (arg === "-n") intent.component = value();
    else if (arg === "-p") intent.packageName = value();
    else if (arg === "-t" || arg === "-f" || arg === "--user" || arg === "--display" || arg === "-R") value();
    else if (/^--e[szilfu]$|^-e$/.test(arg)) {
      value();
      value();
    } else if (arg === "-W" || arg === "-S" || arg === "-D" || arg.startsWith("--activity-")) continue;
    else if (arg.startsWith("-")) throw new UsageError(`Error: Unknown option: ${arg}`, 255);
    else if (arg.includes("://") || arg.includes(":")) intent.data = arg;
    else if (arg.includes("/")) intent.component = arg;
    else intent.packageName = arg;
  }
  return intent;
}

const shown = ({ action, data, category, component, packageName }: Intent): string =>
  [
    action && `act=${action}`,
    category && `cat=[${category}]`,
    data && `dat=${data}`,
    packageName && `pkg=${packageName}`,
    component && `cmp=${component}`,
  ]
    .filter(Boolean)
    .join(" ");

const start: Command = async (call) => {
  const waits = call.args.includes("-W");
  const intent = intentOf([...call.args]);
  await call.stdout.write(`Starting: Intent { ${shown(intent)} }\n`);
  const [named, activity] = intent.component?.split("/") ?? [];
  const home = intent.category === "android.intent.category.HOME";
  const packageName = named ?? intent.packageName ?? (home ? "com.terrarium.launcher" : actions[intent.action ?? ""]);
  const one = packageName === undefined ? undefined : call.device.packages.get(packageName);
  const full = activity?.startsWith(".") ? named + activity : activity;
  if (!one || one.launcherActivity === undefined || (full !== undefined && full !== one.launcherActivity)) {
    await call.stderr.write(
      intent.component === undefined
        ? `Error: Activity not started, unable to resolve Intent { ${shown(intent)} flg=0x10000000 }\n`
        : `Error type 3\nError: Activity class {${named}/${full}} does not exist.\n`,
    );
    return 1;
  }
  if (!call.device.startApp(one.packageName)) {
    await call.stderr.write("Error: Activity not started, you do not have permission to access it.\n");
    return 1;
  }
  if (waits)
    await call.stdout.write(
      `Status: ok\nLaunchState: COLD\nActivity: ${one.packageName}/${one.launcherActivity}\nTotalTime: 0\nWaitTime: 0\nComplete\n`,
    );
  return 0;
};

export const activity: Commands = {
  am: async (call) => {
    const [verb, ...args] = call.args;
    if (verb === "start" || verb === "start-activity") return start({ ...call, args });
    if (verb === "force-stop" || verb === "kill") {
      const name = args.findLast((arg) => !arg.startsWith("-"));
      if (name === undefined) throw new UsageError("Error: Package name expected", 255);
      call.device.stopApp(name);
      return 0;
    }
    if (verb === "broadcast") {
      const intent = intentOf([...args]);
      await call.stdout.write(
        `Broadcasting: Intent { ${shown(intent)} flg=0x400000 }\nBroadcast completed: result=0\n`,
      );
      return 0;
    }
    if (verb === "get-current-user") {
      await call.stdout.write("0\n");
      return 0;
    }
    await call.stderr.write(
      verb === undefined
        ? "Activity manager (activity) commands:\n  start force-stop kill broadcast get-current-user\n"
        : `Unknown command: ${verb}\n`,
    );
    return verb === undefined ? 1 : 255;
  },

  monkey: async (call) => {
    const args = [...call.args];
    let packageName: string | undefined;
    let count: string | undefined;
    while (args.length > 0) {
      const arg = args.shift()!;
      if (arg === "-p") packageName = args.shift();
      else if (arg === "-c" || arg === "-s" || arg === "--throttle" || arg.startsWith("--pct-")) args.shift();
      else if (/^-v+$/.test(arg)) continue;
      else if (/^\d+$/.test(arg)) count = arg;
      else throw new UsageError(`** Error: Unknown option: ${arg}`, 255);
    }
    if (packageName === undefined || count !== "1") {
      await call.stderr.write("** Error: a simulated device launches one package: monkey -p PACKAGE 1\n");
      return 255;
    }
    const hasEntry = call.device.packages.get(packageName)?.launcherActivity !== undefined;
    if (!hasEntry || !call.device.startApp(packageName)) {
      await call.stderr.write("** No activities found to run, monkey aborted.\n");
      return 252;
    }
    await call.stdout.write("Events injected: 1\n");
    return 0;
  },
};
