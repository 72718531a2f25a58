import { afterAll, beforeAll, expect, it } from "vitest";
import { testDevice, type TestDevice } from "./test-device.ts";

/** A command line, what it prints, and its exit code if that is not 0. */
export type ShellRow = [command: string, stdout: string, exitCode?: number];
/** A command line that is refused, what it says on stderr, and its exit code. */
export type RefusedRow = [command: string, stderr: string, exitCode: number];

/** A test for each row, all on one device. Rows must not depend on each other. */
export function describeShell(rows: readonly ShellRow[], refusals: readonly RefusedRow[] = []): () => TestDevice {
  let test: TestDevice;
  beforeAll(async () => void (test = await testDevice()));
  afterAll(() => {
    test.stop();
    expect(test.faults).toEqual([]);
  });
  for (const [command, stdout, exitCode = 0] of rows)
    it(`runs ${command}`, async () => expect(await test.adb.shell(command)).toEqual({ stdout, stderr: "", exitCode }));
  for (const [command, stderr, exitCode] of refusals)
    it(`refuses ${command}`, async () => expect(await test.adb.shell(command)).toMatchObject({ stderr, exitCode }));
  return () => test;
}
