import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { describeOwnedRows, ownedSources } from "../../testing/owned-rows.ts";
import { listOsImages } from "./os-images.store.ts";

const path = "/v1/os-images";

interface Named {
  name: string;
}

describeOwnedRows({
  table: "os_images",
  list: path,
  get: (uuid) => `${path}/${uuid}`,
  notFound: "OS_IMAGE_NOT_FOUND",
  sources: ownedSources,
});

describe("GET /v1/os-images", () => {
  it.each([
    ["arch=arm64", { arm64: 27 }],
    ["arch=x86_64", { x86_64: 27 }],
    ["arch=x86", { x86: 13 }],
    ["arch=arm64,x86_64", { arm64: 27, x86_64: 27 }],
    ["arch=arm64&arch=x86", { arm64: 27, x86: 13 }],
    ["arch=all", { arm64: 27, x86: 13, x86_64: 27 }],
    ["arch=x86&arch=all", { arm64: 27, x86: 13, x86_64: 27 }],
  ])("shows by %s", async (query, expected) => {
    const { as } = await createTestApp();
    const { count, results } = (await (await as()).get(`${path}?page_size=-1&${query}`)).json<{
      count: number;
      results: { arch: string }[];
    }>();
    const found: Record<string, number> = {};
    for (const { arch } of results) found[arch] = (found[arch] ?? 0) + 1;
    expect([found, count]).toEqual([expected, results.length]);
  });

  it.each([
    [["simulator"], true],
    [[], false],
  ])("says whether the runtime of an image is one of %j", async (runtimes, isConfigured) => {
    const { as } = await createTestApp({ runtimes });
    const [image] = (await (await as()).get(`${path}?search=Android%2016&arch=arm64`)).json().results;
    expect(image).toEqual({
      uuid: expect.any(String),
      name: "Android 16",
      os_type: "ANDROID",
      status: "READY",
      revision: expect.any(Number),
      is_official: true,
      is_beta: false,
      owner: null,
      recipe_count: expect.any(Number),
      arch: "arm64",
      os_version: { os_version: "16.0", sdk_version: 36 },
      image_version: "36.1",
      form_factors: ["PHONE", "TABLET"],
      supported_form_factors: ["PHONE", "TABLET"],
      runtime: "simulator",
      is_runtime_configured: isConfigured,
      saved_size: 0,
      boot_ms: null,
    });
  });

  it("orders one's own by when they were changed", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    for (const [name, at] of [
      ["older", "2026-01-01T00:00:00Z"],
      ["newer", "2026-01-02T00:00:00Z"],
    ] as const)
      await aCustom(db, "os_images", robin.user, { name, updated_at: new Date(at) });
    const names = async (ordering: string) =>
      (await robin.get(`${path}?source=owner&ordering=${ordering}`)).json().results.map(({ name }: Named) => name);
    expect(await names("-updated_at")).toEqual(["newer", "older"]);
    expect(await names("updated_at")).toEqual(["older", "newer"]);
    expect(await names("-name")).toEqual(["older", "newer"]);
  });

  it("reads no layers", async () => {
    const { as, db } = await createTestApp();
    const { user } = await as();
    const layers = JSON.stringify([{ sha256: "a".repeat(64), size: 1 }]);
    const uuid = await aCustom(db, "os_images", user, { layers, previous_layers: layers });
    const reader = { uuid: user.uuid, organization: user.organization_uuid };
    const { results } = await listOsImages(db, reader, { source: "owner", ordering: [] }, { limit: 1, offset: 0 });
    expect(results).toMatchObject([{ uuid, has_previous_layers: true, saved_size: 1 }]);
    expect(JSON.stringify(results)).not.toContain("sha256");
  });

  it("is closed to guests", async () => {
    const { as } = await createTestApp();
    expect((await (await as({ role: "guest" })).get(path)).json().code).toBe("FORBIDDEN");
  });
});
