import { describe, expect, it } from "vitest";
import { CreateHardwareProfile } from "./hardware-profiles.ts";

const display = { width: 1080, height: 2400, density: 420 };
/** Where a profile with this is broken, if it is. */
function broken(fields: object): string[] {
  const profile = { name: "Fern", display_settings: { displays: [display] }, data_disk_size: 16_384, ...fields };
  return CreateHardwareProfile.safeParse(profile).error?.issues.map(({ path }) => path.join(".")) ?? [];
}
const displays = (...changes: object[]) => ({
  display_settings: { displays: changes.map((change) => ({ ...display, ...change })) },
});
const property = (name: string, value: string) => ({ device_properties: { [name]: value } });

describe("a hardware profile at its bounds", () => {
  it.each([
    displays({ width: 1, height: 1 }),
    displays({ width: 8192, height: 8192 }),
    displays({ density: 72 }),
    displays({ density: 960 }),
    displays({ physical_size: 0.5 }),
    displays({ physical_size: 120 }),
    { data_disk_size: 1024 },
    { data_disk_size: 262_144 },
    { display_mode: "MULTI_DISPLAY", ...displays({}, {}) },
    { display_mode: "MULTI_DISPLAY", ...displays({}, {}, {}, {}) },
    property("product_board", "x".repeat(91)),
    property("product_model", "x".repeat(91)),
    property("build_tags", "x".repeat(91)),
    property("build_type", "user"),
    property("build_type", "userdebug"),
    property("build_type", "eng"),
    property("vm_heap_size", "10"),
    property("vm_heap_size", "9999m"),
    property("serialno", ""),
  ])("may have %j", (fields) => expect(broken(fields)).toEqual([]));

  it.each([
    ["product_board", "x".repeat(92)],
    ["product_model", "x".repeat(92)],
    ["build_tags", "x".repeat(92)],
    ["product_model", "tab\t"],
    ["product_device", " a"],
    ["product_device", "a "],
    ["build_type", "xuser"],
    ["build_type", "userx"],
    ["build_tags", ",a"],
    ["build_tags", "a,"],
    ["vm_heap_size", "0100"],
    ["vm_heap_size", "9m"],
    ["vm_heap_size", "12345"],
    ["vm_heap_size", "x512"],
    ["vm_heap_size", "512mm"],
  ])("has no %s like %j", (name, value) =>
    expect(broken(property(name, value))).toEqual([`device_properties.${name}`]),
  );
});
