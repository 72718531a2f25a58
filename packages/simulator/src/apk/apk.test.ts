import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeApk } from "../testing/make-apk.ts";
import { readApk } from "./apk.ts";

const access = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: (at: number, length: number) => bytes.subarray(at, at + length),
});
const good = makeApk({ packageName: "org.example.app", label: "Ünïcode 标签", abis: ["x86"], debuggable: true });

describe("readApk", () => {
  it("reads what the manifest says", () =>
    expect(readApk(access(good))).toEqual({
      packageName: "org.example.app",
      versionCode: 1,
      versionName: "1.0",
      minSdk: 21,
      targetSdk: 34,
      label: "Ünïcode 标签",
      abis: ["x86"],
      debuggable: true,
      testOnly: false,
      launcherActivity: undefined,
      permissions: [],
    }));

  it("answers a fault or an app, and never throws, whatever is broken in it", () => {
    const check = () =>
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 20 }),
          fc.nat(good.length),
          (changes, cut) => {
            const bytes = good.slice(0, cut < good.length / 4 ? cut : good.length);
            for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
            const answer = readApk(access(bytes));
            return "fault" in answer || typeof answer.packageName === "string";
          },
        ),
        { numRuns: 2000 },
      );
    expect(check).not.toThrow();
  });

  // The last two are larger than they say: a few megabytes may unpack to gigabytes.
  it.each([0xfffffff0, 1, 100])("does not unpack a manifest that says it has %i bytes", (size) => {
    const bytes = good.slice();
    const view = new DataView(bytes.buffer);
    for (let at = 0; at + 4 < bytes.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, size, true);
    expect(readApk(access(bytes))).toMatchObject({ fault: "INSTALL_PARSE_FAILED_NOT_APK" });
  });
});
