import { ScrcpyError } from "@terrarium/scrcpy";
import type { Commands } from "../shell/invocation.ts";
import { runServer } from "./server.ts";

const MAIN_CLASS = "com.genymobile.scrcpy.Server";

export const appProcess: Commands = {
  /** Starts a Java program on a real device. A simulated one has only scrcpy's server. */
  app_process: async (call) => {
    const args = call.args.filter((arg) => !arg.startsWith("-X") && !arg.startsWith("-D"));
    const [, main = "", ...rest] = args;
    const classPath = call.shell.variables.get("CLASSPATH") ?? "";
    if (main !== MAIN_CLASS || !classPath.endsWith("scrcpy-server.jar")) {
      await call.stderr.write(`Error: could not find class '${main}': a simulated device runs no code of its own\n`);
      return 1;
    }
    try {
      return await runServer(call, rest);
    } catch (error) {
      if (!(error instanceof ScrcpyError)) throw error;
      await call.stderr.write(`[server] ERROR: ${error.message}\n`);
      return 1;
    }
  },
};
