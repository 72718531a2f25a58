import type { DisplaySpec } from "@terrarium/runtime";
import { type Command, type Commands, UsageError } from "../invocation.ts";
import { displayDump } from "./display-dump.ts";
import { gadgetDumps } from "./gadget-dumps.ts";
import { canTurn } from "../../device/can-turn.ts";
import { initialState } from "../../device/device-state.ts";

/** BatteryManager.BATTERY_STATUS_*: 2 charging, 3 discharging, 5 full. */
const statusNumber = { charging: 2, discharging: 3, full: 5 } as const;

const battery: Command = async (call) => {
  const [verb, name, value] = call.args.filter((arg) => arg !== "-f");
  const { state } = call.device;
  const now = state.values.battery;
  if (verb === undefined) {
    const powered = now.status !== "discharging";
    await call.stdout.write(
      `Current Battery Service state:\n  AC powered: ${powered}\n  USB powered: false\n  Wireless powered: false\n  Max charging current: 0\n  Max charging voltage: 0\n` +
        `  Charge counter: ${now.level * 30_000}\n  status: ${statusNumber[now.status]}\n  health: 2\n  present: true\n  level: ${now.level}\n  scale: 100\n  voltage: 4200\n  temperature: 250\n  technology: Li-ion\n`,
    );
    return 0;
  }
  if (verb === "unplug") state.set({ battery: { ...now, status: "discharging" } });
  else if (verb === "reset") state.set({ battery: initialState.battery });
  else if (verb === "set" && name === "level" && /^\d{1,3}$/.test(value ?? "") && Number(value) <= 100)
    state.set({ battery: { ...now, level: Number(value) } });
  else if (verb === "set" && name === "status" && ["2", "3", "5"].includes(value ?? ""))
    state.set({ battery: { ...now, status: value === "2" ? "charging" : value === "5" ? "full" : "discharging" } });
  else if (
    verb === "set" &&
    (name === "ac" || name === "usb" || name === "wireless") &&
    (value === "0" || value === "1")
  )
    state.set({ battery: { ...now, status: value === "0" ? "discharging" : now.level === 100 ? "full" : "charging" } });
  else {
    await call.stderr.write(
      verb === "set" && name !== undefined
        ? `Bad value: ${value ?? ""}\n`
        : "Battery service (battery) commands:\n  set [-f] [ac|usb|wireless|status|level] <value>\n  unplug [-f]\n  reset [-f]\n",
    );
    return 255;
  }
  return 0;
};

/** BatteryManager.BATTERY_PLUGGED_AC. */
const PLUGGED_AC = 1;

const power: Command = async (call) => {
  const { battery, screenOn } = call.device.state.values;
  const powered = battery.status !== "discharging";
  await call.stdout.write(
    `POWER MANAGER (dumpsys power)

Power Manager State:
  mDirty=0x0
  mWakefulness=${screenOn ? "Awake" : "Asleep"}
  mWakefulnessChanging=false
  mIsPowered=${powered}
  mPlugType=${powered ? PLUGGED_AC : 0}
  mBatteryLevel=${battery.level}
  mStayOn=false
  mBootCompleted=true
  mSystemReady=true
  mHoldingWakeLockSuspendBlocker=false
  mHoldingDisplaySuspendBlocker=${screenOn}

Wake Locks: size=0

Display Power: state=${screenOn ? "ON" : "OFF"}
`,
  );
  return 0;
};

/** A display that always stays as it is. */
const windowDisplay = (id: number, { width, height, density }: DisplaySpec): string => {
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  return (
    `  Display: mDisplayId=${id}\n` +
    `    init=${width}x${height} ${density}dpi cur=${width}x${height} app=${width}x${height} rng=${short}x${short}-${long}x${long}\n`
  );
};

const window: Command = async (call) => {
  const { display, state, spec } = call.device;
  const { focused } = display.screen;
  const { density, ...natural } = spec.hardware.displays[0]!;
  const { width, height } = display.size;
  const { rotation, screenOn } = state.values;
  const locked = state.values.locked && canTurn(spec.hardware.formFactor);
  const full = focused.replace(/\/\./, `/${focused.split("/")[0]}.`);
  await call.stdout.write(
    `WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mAwake=${screenOn} mScreenOnEarly=${screenOn} mScreenOnFully=${screenOn}
    screenState=SCREEN_STATE_${screenOn ? "ON" : "OFF"}
    mDreamingLockscreen=${locked} mShowingLockscreen=${locked} isStatusBarKeyguard=${locked}
WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)
  Display: mDisplayId=0
    init=${natural.width}x${natural.height} ${density}dpi cur=${width}x${height} app=${width}x${height} rng=${Math.min(width, height)}x${Math.min(width, height)}-${Math.max(width, height)}x${Math.max(width, height)}
    mCurrentRotation=ROTATION_${rotation * 90}
${spec.hardware.displays
  .slice(1)
  .map((other, index) => windowDisplay(index + 1, other))
  .join("")}  mRotation=${rotation}
  mCurrentFocus=Window{5ca1ab1e u0 ${full}}
  mFocusedApp=ActivityRecord{5ca1ab1e u0 ${focused} t1}
`,
  );
  return 0;
};

const packageDump: Command = async (call) => {
  const wanted = call.args[0];
  const all = call.device.packages.list().filter((one) => wanted === undefined || one.packageName === wanted);
  if (all.length === 0) {
    await call.stdout.write(`Unable to find package: ${wanted}\n`);
    return 0;
  }
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  await call.stdout.write("Packages:\n");
  for (const one of all)
    await call.stdout.write(
      `  Package [${one.packageName}] (5ca1ab1e):\n    userId=${one.uid}\n    codePath=${one.path.slice(0, one.path.lastIndexOf("/"))}\n` +
        `    versionCode=${one.versionCode} minSdk=${one.minSdk} targetSdk=${one.targetSdk}\n    versionName=${one.versionName}\n` +
        `    flags=[ ${one.system ? "SYSTEM " : ""}${one.debuggable ? "DEBUGGABLE " : ""}HAS_CODE ]\n    firstInstallTime=${time(one.installedMs)}\n    lastUpdateTime=${time(one.updatedMs)}\n` +
        (one.permissions.length > 0
          ? `    requested permissions:\n${one.permissions.map((name) => `      ${name}: granted=${one.granted.has(name)}\n`).join("")}`
          : ""),
    );
  return 0;
};

const activities: Command = async (call) => {
  const { focused } = call.device.display.screen;
  await call.stdout.write(
    `ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n  mResumedActivity: ActivityRecord{5ca1ab1e u0 ${focused} t1}\n  topResumedActivity=ActivityRecord{5ca1ab1e u0 ${focused} t1}\n`,
  );
  return 0;
};

const services: Record<string, Command> = {
  activity: activities,
  battery,
  display: displayDump,
  ...gadgetDumps,
  package: packageDump,
  power,
  window,
};

export const dumpsys: Commands = {
  dumpsys: async (call) => {
    const [service, ...args] = call.args;
    if (service === "-l" || service === undefined) {
      await call.stdout.write(
        `Currently running services:\n${Object.keys(services)
          .map((name) => `  ${name}\n`)
          .join("")}`,
      );
      return 0;
    }
    const act = Object.hasOwn(services, service) ? services[service] : undefined;
    if (act) return act({ ...call, args });
    if (service.startsWith("-")) throw new UsageError(`Unknown option '${service}'`);
    await call.stderr.write(`Can't find service: ${service}\n`);
    return 0;
  },
};
