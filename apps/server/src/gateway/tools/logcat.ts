import type { AdbProcess } from "@terrarium/adb";
import { type OpenTool, runTool, type ToolDeps, ToolError } from "./tool.ts";

/** How many lines a page gets at first; a device may hold a hundred times as many. */
const HISTORY = "5000";

/** The device's log as it is written, for as long as somebody watches. A slow page holds back `logcat`, not the gateway. */
export const openLogcat: OpenTool = async (deps) => {
  const { link, signal } = deps;
  const process = await link.spawn(["logcat", "-v", "threadtime", "-T", HISTORY], { signal });
  return {
    over: passOn(process, deps),
    async answer({ what }) {
      if (what !== "clear") throw new ToolError("invalid");
      const { exitCode, stdout, stderr } = await runTool(deps, ["logcat", "-c"]);
      if (exitCode !== 0) throw new ToolError("refused", `${stdout}${stderr}`.trim());
      return {};
    },
  };
};

/** Sends what a program prints until it ends. */
export async function passOn(process: AdbProcess, { send }: Pick<ToolDeps, "send">): Promise<object> {
  const pass = async (output: AsyncIterable<Uint8Array>) => {
    for await (const bytes of output) await send(bytes);
  };
  await Promise.all([pass(process.stdout), pass(process.stderr)]);
  return { exitCode: await process.exit };
}
