import { describe, expect, it } from "vitest";
import { keep, run } from "./child.mjs";

const script = (code: string) => ["--import", "./dev/commands/end-with-parent.mjs", "--eval", code];

describe("run", () => {
  it("gives the exit code", async () => expect(await run(process.execPath, ["--eval", "process.exit(3)"])).toBe(3));
  it("gives 128 and the signal's number after a signal", async () =>
    expect(await run(process.execPath, ["--eval", "process.kill(process.pid, 'SIGTERM')"])).toBe(143));
  it("throws when there is no such program", async () => expect(run("/no/such/program", [])).rejects.toThrow("ENOENT"));
});

describe("keep", () => {
  it("gives the exit code", async () => expect(await keep(process.execPath, script("process.exit(3)")).ended).toBe(3));
  it("stops the program and waits for its end", async () => {
    const child = keep(process.execPath, script("setInterval(() => {}, 1e6)"));
    child.stop();
    expect(await child.ended).toBe(143);
  });
  it("leaves no signal handler behind", async () => {
    const before = process.listenerCount("SIGINT");
    await keep(process.execPath, script("")).ended;
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
