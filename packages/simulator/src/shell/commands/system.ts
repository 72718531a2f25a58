import { nameOfId } from "../../files/identity.ts";
import { androidVersion } from "../../device/android-version.ts";
import { memoryOf } from "../../device/proc-files.ts";
import { type Commands, options, UsageError } from "../invocation.ts";
import { dateText } from "./date-text.ts";

const abiMachine = { arm64: "aarch64", x86: "i686", x86_64: "x86_64" } as const;

export const system: Commands = {
  date: async (call) => {
    const { flags, values, rest } = options(call, "uR:d:D:r:s:");
    const format = rest[0];
    if (values.has("s") || (format !== undefined && !format.startsWith("+"))) {
      await call.stderr.write("date: cannot set date: Operation not permitted\n");
      return 1;
    }
    const given = values.get("d");
    const time =
      given === undefined
        ? call.device.clock.now()
        : /^@\d+$/.test(given)
          ? Number(given.slice(1)) * 1000
          : Date.parse(given);
    if (Number.isNaN(time)) throw new UsageError(`bad date '${given}'`);
    const zone = flags.has("u") ? "UTC" : call.device.state.values.timeZone;
    await call.stdout.write(`${dateText(time, zone, format?.slice(1) ?? "%a %b %e %H:%M:%S %Z %Y")}\n`);
    return 0;
  },

  id: async (call) => {
    const { flags } = options(call, "unGg");
    const { uid, gids } = call.shell.files.who;
    const gid = gids[0] ?? uid;
    const shown = (id: number) => (flags.has("n") ? nameOfId(id) : String(id));
    if (flags.has("u")) await call.stdout.write(`${shown(uid)}\n`);
    else if (flags.has("g")) await call.stdout.write(`${shown(gid)}\n`);
    else if (flags.has("G")) await call.stdout.write(`${gids.map(shown).join(" ")}\n`);
    else {
      const both = (id: number) => `${id}(${nameOfId(id)})`;
      await call.stdout.write(
        `uid=${both(uid)} gid=${both(gid)} groups=${gids.map(both).join(",")} context=u:r:${uid === 0 ? "su" : "shell"}:s0\n`,
      );
    }
    return 0;
  },

  whoami: async (call) => {
    await call.stdout.write(`${nameOfId(call.shell.files.who.uid)}\n`);
    return 0;
  },

  uname: async (call) => {
    const { flags } = options(call, "asnrvmo");
    const { image } = call.device.spec;
    const all = {
      s: "Linux",
      n: "localhost",
      r: call.device.kernelRelease,
      v: `#1 SMP PREEMPT ${androidVersion(image.sdkVersion).buildId}`,
      m: abiMachine[image.arch],
      o: "Toybox",
    };
    const chosen = Object.entries(all).filter(
      ([letter]) => flags.has("a") || flags.has(letter) || (flags.size === 0 && letter === "s"),
    );
    await call.stdout.write(`${chosen.map(([, value]) => value).join(" ")}\n`);
    return 0;
  },

  uptime: async (call) => {
    const seconds = Math.floor(call.device.uptimeMs / 1000);
    const [days, hours, minutes] = [
      Math.floor(seconds / 86_400),
      Math.floor(seconds / 3600) % 24,
      Math.floor(seconds / 60) % 60,
    ];
    const up = `${days > 0 ? `${days} day${days > 1 ? "s" : ""}, ` : ""}${hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}` : `${minutes} min`}`;
    await call.stdout.write(
      ` ${new Date(call.device.clock.now()).toISOString().slice(11, 19)} up ${up},  0 users,  load average: 0.00, 0.00, 0.00\n`,
    );
    return 0;
  },

  ps: async (call) => {
    const { flags, values } = options(call, "AeflTwo:p:u:Z");
    const all = call.device.processes(call.shell.pid);
    const shown = all.filter(
      (one) =>
        (values.has("p") ? values.get("p")!.split(",").includes(String(one.pid)) : true) &&
        (flags.has("A") ||
          flags.has("e") ||
          values.size > 0 ||
          one.uid === call.shell.files.who.uid ||
          call.device.spec.image.sdkVersion < 26),
    );
    if (values.has("o")) {
      const columns = values
        .get("o")!
        .split(",")
        .map((name) => name.toUpperCase());
      const field = (one: (typeof all)[number], name: string) =>
        ({
          PID: String(one.pid),
          PPID: String(one.ppid),
          USER: nameOfId(one.uid),
          UID: String(one.uid),
          NAME: one.name,
          CMD: one.name,
          ARGS: one.name,
          COMM: one.name,
          S: "S",
          STAT: "S",
          RSS: String(one.rssKib),
        })[name];
      for (const name of columns) if (field(all[0]!, name) === undefined) throw new UsageError(`bad -o ${name}`);
      await call.stdout.write(
        `${columns.join(" ")}\n${shown.map((one) => columns.map((name) => field(one, name)).join(" ")).join("\n")}\n`,
      );
      return 0;
    }
    const row = (user: string, pid: string, ppid: string, rss: string, name: string) =>
      `${user.padEnd(12)} ${pid.padStart(6)} ${ppid.padStart(6)} ${rss.padStart(8)} 0 S ${name}\n`;
    await call.stdout.write(`USER            PID   PPID      RSS WCHAN S NAME\n`);
    for (const one of shown)
      await call.stdout.write(row(nameOfId(one.uid), String(one.pid), String(one.ppid), String(one.rssKib), one.name));
    return 0;
  },

  pidof: async (call) => {
    const found = call.device.processes(call.shell.pid).filter((one) => call.args.includes(one.name));
    if (found.length === 0) return 1;
    await call.stdout.write(`${found.map((one) => one.pid).join(" ")}\n`);
    return 0;
  },

  top: async (call) => {
    const { values } = options(call, "bn:d:m:s:o:Hq");
    if (values.get("n") !== "1") throw new UsageError("only one screenful (-n 1) is shown on this device");
    const processes = call.device.processes(call.shell.pid);
    const memory = memoryOf(call.device);
    const lines = [
      `Tasks: ${processes.length} total,   1 running, ${processes.length - 1} sleeping,   0 stopped,   0 zombie`,
      `  Mem:  ${memory.totalKib}K total,  ${memory.totalKib - memory.freeKib}K used,  ${memory.freeKib}K free,  0K buffers`,
      " Swap:        0K total,        0K used,        0K free,        0K cached",
      "  PID USER         RES S %CPU ARGS",
      ...processes.map(
        (one) =>
          `${String(one.pid).padStart(5)} ${nameOfId(one.uid).padEnd(8)} ${`${one.rssKib}K`.padStart(8)} S  0.0 ${one.name}`,
      ),
    ];
    await call.stdout.write(`${lines.join("\n")}\n`);
    return 0;
  },

  free: async (call) => {
    const { flags } = options(call, "bkmgh");
    const unit = flags.has("b")
      ? 1 / 1024
      : flags.has("m")
        ? 1024
        : flags.has("g")
          ? 1024 ** 2
          : flags.has("k")
            ? 1
            : 1 / 1024;
    const memory = memoryOf(call.device);
    const cells = (...values: number[]) =>
      values.map((value) => String(Math.floor(value / unit)).padStart(15)).join("");
    await call.stdout.write(
      `${"".padEnd(8)}${["total", "used", "free", "shared", "buffers"].map((name) => name.padStart(15)).join("")}\n` +
        `Mem:    ${cells(memory.totalKib, memory.totalKib - memory.freeKib, memory.freeKib, 0, 0)}\n` +
        `Swap:   ${cells(0, 0, 0)}\n`,
    );
    return 0;
  },

  kill: async (call) => {
    const pids = call.args.filter((arg) => !arg.startsWith("-"));
    if (pids.length === 0) throw new UsageError("Needs 1 argument");
    let code = 0;
    for (const pid of pids) {
      const one = call.device.processes(call.shell.pid).find((process) => String(process.pid) === pid);
      const mine = call.shell.files.who.uid === 0 || one?.uid === call.shell.files.who.uid;
      if (one && mine && one.packageName) call.device.stopApp(one.packageName);
      else {
        await call.stderr.write(
          `/system/bin/sh: kill: ${pid}: ${one ? "Operation not permitted" : "No such process"}\n`,
        );
        code = 1;
      }
    }
    return code;
  },

  which: async (call) => {
    const { rest } = options(call, "a");
    let code = 0;
    for (const name of rest) {
      if (call.has(name) && call.shell.files.exists(`/system/bin/${name}`))
        await call.stdout.write(`/system/bin/${name}\n`);
      else code = 1;
    }
    return code;
  },

  type: async (call) => {
    let code = 0;
    for (const name of call.args) {
      if (call.has(name)) await call.stdout.write(`${name} is /system/bin/${name}\n`);
      else {
        await call.stderr.write(`${name} not found\n`);
        code = 1;
      }
    }
    return code;
  },

  hostname: async (call) => {
    await call.stdout.write("localhost\n");
    return 0;
  },

  nproc: async (call) => {
    await call.stdout.write(`${call.device.spec.hardware.cpuCount}\n`);
    return 0;
  },

  reboot: async (call) => {
    if (call.args.length > 1) throw new UsageError("usage: reboot [mode]");
    call.device.reboot(call.args[0] ?? "");
    return 0;
  },
};
