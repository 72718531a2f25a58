import { describe, expect, it } from "vitest";
import { Cleanup } from "./clean-up.ts";

describe("Cleanup", () => {
  it("runs the steps in reverse order, one after the other, and only once", async () => {
    const cleanup = new Cleanup();
    const undone: string[] = [];
    cleanup.add(() => undone.push("machine stopped"));
    cleanup.add(async () => {
      await Promise.resolve();
      undone.push("link closed");
    });
    await Promise.all([cleanup.run(), cleanup.run()]);
    await cleanup.run();
    expect(undone).toEqual(["link closed", "machine stopped"]);
  });

  it("continues after an error and throws all errors at the end", async () => {
    const cleanup = new Cleanup();
    const undone: string[] = [];
    cleanup.add(() => {
      throw new Error("first");
    });
    cleanup.add(() => undone.push("middle"));
    cleanup.add(() => Promise.reject(new Error("last")));
    const error = await cleanup.run().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual(["Error: last", "Error: first"]);
    expect(undone).toEqual(["middle"]);
  });

  it("runs a step at once that is added after the run", async () => {
    const cleanup = new Cleanup();
    await cleanup.run();
    let undone = false;
    cleanup.add(() => {
      undone = true;
    });
    await cleanup.run();
    expect(undone).toBe(true);
  });

  it("runs a step that another step adds", async () => {
    const cleanup = new Cleanup();
    const undone: string[] = [];
    cleanup.add(() => undone.push("outer"));
    cleanup.add(() => cleanup.add(() => undone.push("late")));
    await cleanup.run();
    expect(undone).toEqual(["late", "outer"]);
  });
});
