import type { DeviceServices, ReverseTable, ShellRequest } from "@terrarium/adb";
import type { SimulatedDevice } from "../device/simulated-device.ts";
import type { CommandTable } from "../shell/command-table.ts";
import { Interpreter } from "../shell/interpreter.ts";
import { Exit } from "../shell/jumps.ts";
import { sourceOf } from "../shell/pipe.ts";
import { createShellState } from "../shell/shell-state.ts";
import { Terminal } from "../shell/terminal.ts";
import { adbFiles } from "./device-files.ts";
import { serveFramebuffer } from "./framebuffer.ts";
import { rootService } from "./root-services.ts";

const FIRST_SHELL_PID = 4000;
const PID_RANGE = 28_000;

export interface AdbdOptions {
  device: SimulatedDevice;
  commands: CommandTable;
  /** Shared by all connections of the device. */
  reverses: ReverseTable;
  /** Closes every connection, as adbd does when it restarts as another user. */
  restart: () => void;
}

/** What adb can ask of a simulated device. */
export function deviceServices({ device, commands, reverses, restart }: AdbdOptions): DeviceServices {
  let shells = 0;
  device.connectReverse = (address, signal) => reverses.connect(address, signal);
  return {
    files: adbFiles(() => device.shellFiles()),
    shell: (request) => runShell(device, commands, request, FIRST_SHELL_PID + (shells++ % PID_RANGE)),
    localSocket: (name, kind) => (kind === "abstract" ? device.sockets.find(name) : undefined),
    service: (name) =>
      name === "framebuffer:" ? (stream) => serveFramebuffer(stream, device) : rootService(name, device, restart),
    reboot: (mode) => device.reboot(mode),
  };
}

async function runShell(
  device: SimulatedDevice,
  commands: CommandTable,
  request: ShellRequest,
  pid: number,
): Promise<number> {
  const signal = AbortSignal.any([request.signal, device.ended]);
  const user = device.adbdIsRoot ? "root" : "shell";
  const state = createShellState(
    device.shellFiles(),
    {
      ANDROID_DATA: "/data",
      ANDROID_ROOT: "/system",
      EXTERNAL_STORAGE: "/sdcard",
      HOME: "/",
      HOSTNAME: device.properties.get("ro.product.device"),
      LOGNAME: user,
      PATH: "/product/bin:/apex/com.android.runtime/bin:/system/bin:/system/xbin:/odm/bin:/vendor/bin",
      SHELL: "/bin/sh",
      TMPDIR: "/data/local/tmp",
      USER: user,
      ...(request.pty ? { TERM: request.term ?? "dumb" } : {}),
    },
    pid,
  );
  if (request.pty) return new Terminal({ device, commands }, state, request, signal).run();
  const interpreter = new Interpreter(device, commands, signal);
  const stdin = sourceOf(request.stdin);
  const streams = { stdin, stdout: request.stdout, stderr: request.stderr };
  try {
    if (request.command !== "") return await interpreter.runSource(request.command, state, streams);
    // Without a terminal or a command the input is the script.
    return await interpreter.runInput(state, streams);
  } catch (error) {
    if (error instanceof Exit) return error.exitCode;
    throw error;
  }
}
