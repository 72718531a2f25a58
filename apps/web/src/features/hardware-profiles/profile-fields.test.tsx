import { describe, expect, it } from "vitest";
import { aHardwareProfile } from "../../testing/factories.ts";
import { bodyOf, checkProfile, drawnOf, fieldsOf, nextDisplay, type ProfileFields } from "./profile-fields.ts";

const phone = () => fieldsOf(undefined, "Fern");
type Display = ProfileFields["display_settings"]["displays"][number];
const withDisplay = (display: Partial<Display>): ProfileFields => {
  const fields = phone();
  Object.assign(fields.display_settings.displays[0]!, display);
  return fields;
};
const faults = (fields: ProfileFields) =>
  Object.fromEntries(
    [...checkProfile(fields)].flatMap(([path, broken]) => (broken && "says" in broken ? [[path, broken.says]] : [])),
  );

describe("what is sent", () => {
  it("is the profile that the form started with", () => {
    const profile = aHardwareProfile({
      display_settings: {
        displays: [{ width: 1080, height: 2400, density: 420, physical_size: 6.7, show_navigation_bar: false }],
        hw_navigation_keys: true,
      },
      device_properties: { product_model: "Fern" },
    });
    const { name, form_factor, display_mode, cpu_count, ram_size, data_disk_size } = profile;
    expect(bodyOf(fieldsOf(profile))).toEqual({
      name,
      form_factor,
      display_mode,
      cpu_count,
      ram_size,
      data_disk_size,
      display_settings: profile.display_settings,
      device_properties: profile.device_properties,
    });
  });

  it("has no spaces around it, and no property that is empty", () => {
    const fields = withDisplay({ width: " 720 ", physical_size: " " });
    fields.device_properties.serialno = " A1 ";
    fields.device_properties.build_tags = " ";
    const body = bodyOf({ ...fields, name: " Fern " });
    expect(body).toMatchObject({ name: "Fern", device_properties: { serialno: "A1" } });
    expect(body.display_settings.displays[0]).toMatchObject({ width: 720, physical_size: null });
    expect(Object.keys(body.device_properties)).toEqual(["serialno"]);
  });
});

describe("a display", () => {
  it.each([
    [{ width: "" }, "required"],
    [{ width: "0" }, "tooSmall"],
    [{ width: "8193" }, "tooLarge"],
    [{ width: "1.5" }, "notInteger"],
    [{ width: "x" }, "notNumber"],
    [{ height: "8193" }, "tooLarge"],
    [{ density: "71" }, "tooSmall"],
    [{ density: "961" }, "tooLarge"],
    [{ physical_size: "0.4" }, "tooSmall"],
    [{ physical_size: "121" }, "tooLarge"],
    [{ physical_size: "x" }, "notNumber"],
  ])("is not %j", (display, says) => {
    const fields = withDisplay(display);
    expect(faults(fields)).toEqual({ [`display_settings.displays.0.${Object.keys(display)[0]}`]: says });
    expect(drawnOf(fields)).toBe(undefined);
  });

  it.each([{ width: "1", height: "8192" }, { density: "72" }, { density: "960" }, { physical_size: "0.5" }])(
    "may be %j",
    (display) => {
      const fields = withDisplay(display);
      expect(faults(fields)).toEqual({});
      expect(drawnOf(fields)).toBeDefined();
    },
  );

  it.each([
    ["REGULAR", 2, "oneDisplay"],
    ["FOLDABLE", 1, "twoDisplays"],
    ["FOLDABLE", 3, "twoDisplays"],
    ["MULTI_DISPLAY", 1, "manyDisplays"],
    ["MULTI_DISPLAY", 5, "mostDisplays"],
    ["FOLDABLE", 2, undefined],
    ["MULTI_DISPLAY", 4, undefined],
  ] as const)("%s with %i of them: %s", (mode, count, says) => {
    const fields = { ...phone(), display_mode: mode };
    const [first] = fields.display_settings.displays;
    fields.display_settings.displays = Array.from({ length: count }, () => nextDisplay(first));
    expect(faults(fields)).toEqual(says ? { display_mode: says } : {});
  });
});

it("tells which property is wrong", () => {
  const fields = phone();
  Object.assign(fields.device_properties, {
    product_board: "a b",
    product_brand: "a/b",
    product_manufacturer: "Acme & Sons",
    product_model: "é",
    product_device: "x".repeat(92),
    serialno: "A-1_2.3",
    build_type: "release",
    build_tags: "dev-keys,test",
    build_display_id: "AP4A.250105.002",
    vm_heap_size: "9m",
  });
  expect(faults(fields)).toEqual({
    "device_properties.product_board": "word",
    "device_properties.product_brand": "word",
    "device_properties.product_model": "ascii",
    "device_properties.product_device": "maxLength",
    "device_properties.build_type": "buildType",
    "device_properties.vm_heap_size": "heapSize",
  });
});
