import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { formatDeviceBanner, formatHostBanner, parseBanner } from "./banner.ts";

const device = { product: "sim", model: "Pixel 9", device: "tokay", features: new Set(["shell_v2", "cmd"]) };

describe("banner", () => {
  it("is written as adbd does", () =>
    assert.equal(
      formatDeviceBanner(device),
      "device::ro.product.name=sim;ro.product.model=Pixel 9;ro.product.device=tokay;features=shell_v2,cmd",
    ));

  it("is read back", () => assert.deepEqual(parseBanner(formatDeviceBanner(device)), { kind: "device", ...device }));

  it("lets no name add a field", () => {
    const banner = parseBanner(formatDeviceBanner({ ...device, model: "x;features=root\0\n$(id)" }));
    assert.deepEqual([banner.model, banner.features], ["x_features_root__$(id)", device.features]);
  });

  it("tells host from device", () => {
    assert.equal(parseBanner(formatHostBanner(["shell_v2"])).kind, "host");
    assert.ok(parseBanner("host::features=a,b\0").features.has("b"));
  });

  it("reads what old and broken peers send", () => {
    for (const text of ["device::", "device", "", "::;;==;", "device:serial:ro.product.model=a:b;"])
      assert.equal(typeof parseBanner(text).model, "string");
    assert.equal(parseBanner("device:serial:ro.product.model=a:b;").model, "a:b");
  });
});
