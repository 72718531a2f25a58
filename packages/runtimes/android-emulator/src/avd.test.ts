import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it } from "vitest";
import { emulatorArguments, type EmulatorParts } from "./arguments.ts";
import { configOf } from "./avd.ts";

const image = {
  name: "system-images;android-34;google_apis;x86_64",
  path: "/sdk/system-images/android-34/google_apis/x86_64",
  abi: "x86_64",
  arch: "x86_64",
  sdkVersion: 34,
  osVersion: "14.0",
  tag: "google_apis",
  revision: "14",
} as const;
const parts: EmulatorParts = {
  place: "android-emulator-place",
  consolePort: 21_000,
  adbPort: 21_001,
  hasAcceleration: true,
  hasInternet: false,
  hasSnapshot: false,
  known: new Set(["network-user-mode-options", "wifi-user-mode-options", "no-metrics"]),
};
const wordsOf = (more: Partial<EmulatorParts> = {}) =>
  emulatorArguments(aMachineSpec({ name: "$(reboot)" }), { ...parts, ...more }).join(" ");

it("makes an AVD of a hardware profile", () => {
  const { hardware } = aMachineSpec();
  const lines = configOf({ ...hardware, hwNavigationKeys: true }, image).split("\n");
  for (const line of [
    "hw.lcd.width=360",
    "hw.lcd.height=640",
    "hw.lcd.density=160",
    "hw.ramSize=2048",
    "hw.cpu.ncore=2",
    "disk.dataPartition.size=4096M",
    "hw.mainKeys=yes",
    "image.sysdir.1=/sdk/system-images/android-34/google_apis/x86_64/",
  ])
    expect(lines).toContain(line);
});

it("gives an emulator its ports and profile, and no word that a customer has chosen", () => {
  const words = wordsOf();
  expect(words).toContain(`-avd ${aMachineSpec().id} -id android-emulator-place -ports 21000,21001 -no-window`);
  expect(words).toContain("-accel on -memory 2048 -cores 2 -no-snapshot-save -no-snapshot-load");
  expect(words).not.toContain("reboot");
  expect(wordsOf({ hasAcceleration: false, hasSnapshot: true })).toContain(
    "-accel off -memory 2048 -cores 2 -no-snapshot-save -snapshot terrarium",
  );
});

it("lets it reach nothing but who connects to it, unless that is asked for", () => {
  expect(wordsOf()).toContain("-network-user-mode-options restrict=on -wifi-user-mode-options restrict=on");
  expect(wordsOf({ hasInternet: true })).not.toContain("restrict");
  expect(() => wordsOf({ known: new Set(["network-user-mode-options"]) })).toThrow("cannot keep devices");
});

it("gives no option that this emulator does not know", () => {
  expect(wordsOf()).toContain("-no-metrics");
  expect(wordsOf({ known: new Set(), hasInternet: true })).not.toContain("-no-metrics");
});
