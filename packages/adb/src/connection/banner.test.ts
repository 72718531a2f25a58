import { describe, expect, it } from "vitest";
import { formatDeviceBanner, formatHostBanner, parseBanner } from "./banner.ts";

const device = { product: "sim", model: "Pixel 9", device: "tokay", features: new Set(["shell_v2", "cmd"]) };

describe("banner", () => {
  it("is written as adbd does", () =>
    expect(formatDeviceBanner(device)).toBe(
      "device::ro.product.name=sim;ro.product.model=Pixel 9;ro.product.device=tokay;features=shell_v2,cmd",
    ));

  it("is read back", () => expect(parseBanner(formatDeviceBanner(device))).toEqual({ kind: "device", ...device }));

  it("lets no name add a field", () => {
    const banner = parseBanner(formatDeviceBanner({ ...device, model: "x;features=root\0\n$(id)" }));
    expect([banner.model, banner.features]).toEqual(["x_features_root__$(id)", device.features]);
  });

  it("tells host from device", () => {
    expect(parseBanner(formatHostBanner(["shell_v2"])).kind).toBe("host");
    expect(parseBanner("host::features=a,b\0").features.has("b")).toBe(true);
  });

  it("reads what old and broken peers send", () => {
    for (const text of ["device::", "device", "", "::;;==;", "device:serial:ro.product.model=a:b;"])
      expect(typeof parseBanner(text).model).toBe("string");
    expect(parseBanner("device:serial:ro.product.model=a:b;").model).toBe("a:b");
  });
});
