import type { DeviceServices, ReverseTable, ShellRequest } from "@terrarium/adb";
import { Interpreter, type InterpreterOptions } from "../shell/interpreter.ts";
import { Exit } from "../shell/jumps.ts";
import { sourceOf } from "../shell/pipe.ts";
import { createShellState } from "../shell/shell-state.ts";
import { KILLED_STATUS } from "../shell/work-budget.ts";
import { Terminal } from "../shell/terminal.ts";
import { adbFiles } from "./device-files.ts";
import { serveFramebuffer } from "./framebuffer.ts";
import { reversedPort } from "./reversed-port.ts";
import { rootService } from "./root-services.ts";

const FIRST_SHELL_PID = 4000;
const PID_RANGE = 28_000;

type ShellDeps = Omit<InterpreterOptions, "signal">;

export interface AdbdOptions extends ShellDeps {
  /** Shared by all connections of the device. */
  reverses: ReverseTable;
  /** Closes every connection, as adbd does when it restarts as another user. */
  restart: () => void;
}

/** What adb can ask of a simulated device. */
export function deviceServices({ reverses, restart, ...deps }: AdbdOptions): DeviceServices {
  const { device } = deps;
  let shells = 0;
  device.connectReverse = (address, signal) => reverses.connect(address, signal);
  return {
    files: adbFiles(
      () => device.shellFiles(),
      (bytes, reader) => device.diskRead(bytes, reader),
    ),
    shell: (request) => runShell(deps, request, FIRST_SHELL_PID + (shells++ % PID_RANGE)),
    localSocket: (name, kind) => (kind === "abstract" ? device.sockets.find(name) : undefined),
    tcp: (port, signal) => reversedPort(reverses, port, signal),
    service: (name) =>
      name === "framebuffer:" ? (stream) => serveFramebuffer(stream, device) : rootService(name, device, restart),
    reboot: (mode) => device.reboot(mode),
  };
}

async function runShell(deps: ShellDeps, request: ShellRequest, pid: number): Promise<number> {
  const { device } = deps;
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
  if (request.pty) return new Terminal(deps, state, request, signal).run();
  const interpreter = new Interpreter({ ...deps, signal });
  const stdin = sourceOf(request.stdin);
  const streams = { stdin, stdout: request.stdout, stderr: request.stderr };
  try {
    // Without a terminal or a command the input is the script.
    return await interpreter.run(request.command === "" ? undefined : request.command, state, streams);
  } catch (error) {
    if (error instanceof Exit) return error.exitCode;
    if (device.ended.aborted) return KILLED_STATUS;
    throw error;
  }
}
