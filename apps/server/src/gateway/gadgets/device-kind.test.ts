import { describe, expect, it } from "vitest";
import { fakeShell } from "../testing/fake-shell.ts";
import { deviceFactsOf, type DeviceKind } from "./device-kind.ts";

describe("deviceFactsOf", () => {
  const rows: [string, DeviceKind][] = [
    ["default", "handheld"],
    ["tablet,nosdcard", "handheld"],
    ["", "handheld"],
    ["toString", "handheld"],
    ["tv", "tv"],
    ["watch", "watch"],
    ["nosdcard,automotive", "car"],
  ];
  for (const [characteristics, kind] of rows)
    it(`reads ${JSON.stringify(characteristics)} as ${kind}`, async () => {
      const shell = fakeShell();
      shell.characteristics = characteristics;
      const facts = await deviceFactsOf(shell.run, new AbortController().signal);
      expect(facts).toEqual({ kind, sdkVersion: 30, isSimulated: false });
    });
});
