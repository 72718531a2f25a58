import { describe, expect, it } from "vitest";
import { factsOf } from "./facts.ts";

/** What a phone with stock Android prints. */
const phone = {
  properties: `[ro.build.characteristics]: [nosdcard]
[ro.build.id]: [UQ1A.240205.002]
[ro.build.version.release]: [14]
[ro.build.version.sdk]: [34]
[ro.product.brand]: [google]
[ro.product.cpu.abilist]: [arm64-v8a,armeabi-v7a,armeabi]
[ro.product.manufacturer]: [Google]
[ro.product.model]: [Pixel 7]
[persist.sys.note]: [two
lines]`,
  size: "Physical size: 1080x2400\n",
  density: "Physical density: 420\n",
  features: "feature:android.hardware.touchscreen\n",
  memory: "MemTotal:        7761972 kB\nMemFree: 1 kB\n",
  processors: "8\n",
  disk: "Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/block/dm-9 114687980 24004540  90552368  21% /data\n",
};
const with_ = (property: string, value: string) => ({
  ...phone,
  properties: `${phone.properties.replaceAll(new RegExp(`^\\[${property}\\].*$`, "gm"), "")}\n[${property}]: [${value}]`,
});

describe("factsOf", () => {
  it("makes a hardware profile and an image of what a phone says", () => {
    expect(factsOf(phone)).toEqual({
      name: "Google Pixel 7",
      model: "Pixel 7",
      image: {
        artefact: "model:Pixel 7",
        osVersion: "14.0",
        sdkVersion: 34,
        arch: "arm64",
        imageVersion: "UQ1A.240205.002",
      },
      hardware: {
        name: "Google Pixel 7",
        formFactor: "PHONE",
        displays: [{ width: 1080, height: 2400, density: 420 }],
        hwNavigationKeys: false,
        cpuCount: 8,
        ramMb: 7580,
        dataDiskMb: 112_000,
        properties: { product_model: "Pixel 7", product_manufacturer: "Google", product_brand: "google" },
      },
      bringsScrcpy: false,
    });
  });

  it("takes the size that somebody has set, and does not say a maker twice", () => {
    const resized = { ...with_("ro.product.model", "google Tab"), size: `${phone.size}Override size: 720x1600\n` };
    const facts = factsOf(resized);
    expect([facts.hardware.displays[0]!.width, facts.name]).toEqual([720, "google Tab"]);
  });

  it.each([
    ["android.hardware.type.watch", "WATCH"],
    ["android.hardware.type.automotive", "CAR"],
    ["android.software.leanback", "TV"],
  ])("knows a device with %s", (feature, formFactor) => {
    expect(factsOf({ ...phone, features: `feature:${feature}\n` }).hardware.formFactor).toBe(formFactor);
    expect(factsOf(with_("ro.build.characteristics", "tablet,nosdcard")).hardware.formFactor).toBe("TABLET");
  });

  it.each([
    ["no Android", with_("ro.build.version.sdk", ""), "no Android 5"],
    ["an older one", with_("ro.build.version.sdk", "19"), "no Android 5"],
    ["a preview", with_("ro.build.version.release", "VanillaIceCream"), "a preview of Android"],
    ["another processor", with_("ro.product.cpu.abilist", "riscv64"), "riscv64"],
    ["no screen", { ...phone, size: "" }, "no screen"],
  ])("refuses %s", (_, said, message) => {
    expect(() => factsOf(said)).toThrow(message);
  });
});
