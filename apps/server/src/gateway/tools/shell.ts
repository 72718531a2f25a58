import { passOn } from "./logcat.ts";
import { type OpenTool, ToolError } from "./tool.ts";

/** More than the largest screens show in the smallest letters. */
const MAX_CELLS = 1_000;

const cellsOf = (value: unknown): number => {
  if (typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_CELLS) return value;
  throw new ToolError("invalid");
};

/** A shell in a terminal of the device's own. */
export const openShell: OpenTool = async (deps) => {
  // Without a command it is an interactive one.
  const process = await deps.link.spawn("", { pty: true, signal: deps.signal });
  deps.onAct({ action: "instance.open_shell" });
  return {
    over: passOn(process, deps),
    type: (bytes) => process.write(bytes),
    async answer({ what, said }) {
      if (what !== "resize") throw new ToolError("invalid");
      await process.resize({ rows: cellsOf(said["rows"]), columns: cellsOf(said["columns"]) });
      return {};
    },
  };
};
