import { describe, expect, it } from "vitest";
import { run, startChild } from "./child.mjs";

const script = (code: string) => ["--import", "./dev/commands/end-with-parent.mjs", "--eval", code];

describe("run", () => {
  it("returns the exit code", async () => expect(await run(process.execPath, ["--eval", "process.exit(3)"])).toBe(3));
  it("returns 128 plus the signal's number after a signal", async () =>
    expect(await run(process.execPath, ["--eval", "process.kill(process.pid, 'SIGTERM')"])).toBe(143));
  it("rejects when the program does not exist", async () =>
    expect(run("/no/such/program", [])).rejects.toThrow("ENOENT"));
});

describe("startChild", () => {
  it("returns the exit code", async () =>
    expect(await startChild(process.execPath, script("process.exit(3)")).ended).toBe(3));
  it("stops the program and waits for its end", async () => {
    const child = startChild(process.execPath, script("setInterval(() => {}, 1e6)"));
    child.stop();
    expect(await child.ended).toBe(143);
  });
  it("leaves no signal handler behind", async () => {
    const before = process.listenerCount("SIGINT");
    await startChild(process.execPath, script("")).ended;
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
