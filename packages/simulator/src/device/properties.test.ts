import { describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { initialProperties } from "./properties.ts";

describe("initialProperties", () => {
  const releases: [sdk: number, release: string][] = [
    [21, "5.0.2"],
    [22, "5.1.1"],
    [23, "6.0.1"],
    [24, "7.0"],
    [25, "7.1.2"],
    [26, "8.0.0"],
    [27, "8.1.0"],
    [28, "9"],
    [29, "10"],
    [30, "11"],
    [31, "12"],
    [32, "12"],
    [33, "13"],
    [34, "14"],
    [35, "15"],
    [36, "16"],
  ];
  for (const [sdkVersion, release] of releases)
    it(`says ${release} for API ${sdkVersion}`, () => {
      const properties = initialProperties(aSpec({ image: { sdkVersion } }), 0);
      expect(properties["ro.build.version.release"]).toBe(release);
      expect(properties["ro.build.version.sdk"]).toBe(String(sdkVersion));
      expect(properties["ro.build.fingerprint"]).toBe(
        `Terrarium/custom_phone/custom_phone:${release}/${properties["ro.build.id"]}/1.2.0:userdebug/test-keys`,
      );
    });

  it("knows no other API level", () =>
    expect(() => initialProperties(aSpec({ image: { sdkVersion: 20 } }), 0)).toThrow("API level 20"));

  it("gives a heap that is a number of megabytes its unit", () => {
    const heap = (vm_heap_size: string) =>
      initialProperties(aSpec({ hardware: { properties: { vm_heap_size } } }), 0)["dalvik.vm.heapsize"];
    expect([heap("384"), heap("384m")]).toEqual(["384m", "384m"]);
  });

  it.each([
    [false, undefined, "0"],
    [true, undefined, "1"],
    [false, false, "1"],
    [true, true, "0"],
  ])("with keys %s and a navigation bar %s, hides the bar: %s", (hwNavigationKeys, showNavigationBar, hidden) => {
    const displays = [{ width: 360, height: 640, density: 160, showNavigationBar }];
    const properties = initialProperties(aSpec({ hardware: { hwNavigationKeys, displays } }), 0);
    expect(properties["qemu.hw.mainkeys"]).toBe(hidden);
  });

  it("takes each override of the hardware profile", () => {
    const properties = initialProperties(
      aSpec({
        image: { arch: "arm64" },
        hardware: {
          properties: {
            product_board: "b",
            product_brand: "Br",
            product_manufacturer: "Ma",
            product_model: "Mo 1",
            product_device: "dev",
            serialno: "S1",
            build_type: "user",
            build_tags: "release-keys",
            build_display_id: "D.1",
            vm_heap_size: "256m",
            "ro.custom": "x",
          },
        },
      }),
      0,
    );
    expect(properties).toMatchObject({
      "ro.product.board": "b",
      "ro.product.brand": "Br",
      "ro.product.manufacturer": "Ma",
      "ro.product.model": "Mo 1",
      "ro.product.device": "dev",
      "ro.serialno": "S1",
      "ro.boot.serialno": "S1",
      "ro.build.type": "user",
      "ro.build.tags": "release-keys",
      "ro.build.display.id": "D.1",
      "ro.debuggable": "0",
      "ro.custom": "x",
      "ro.product.cpu.abi": "arm64-v8a",
      "ro.product.cpu.abilist": "arm64-v8a,armeabi-v7a,armeabi",
      "dalvik.vm.heapsize": "256m",
    });
    expect(properties["ro.build.fingerprint"]).toMatch(/^Br\/custom_phone\/dev:14\/\S+:user\/release-keys$/);
  });
});
