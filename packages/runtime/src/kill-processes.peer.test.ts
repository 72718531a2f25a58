import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { killProcesses } from "./processes-with.ts";

/** The id of a process that has ended, and is not used again so soon. */
async function anEndedProcess(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid!;
}

it("goes on with the rest when one has just ended", async () => {
  const child = spawn("sleep", ["60"]);
  const ended = once(child, "exit");
  killProcesses([await anEndedProcess(), child.pid!]);
  expect(await ended).toEqual([null, "SIGKILL"]);
});
