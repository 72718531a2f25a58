import type { HardwareProfile } from "@terrarium/contract";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { describeOwnedRows, ownedSources } from "../../testing/owned-rows.ts";

const path = "/v1/hardware-profiles";
const aPhone = { name: "Fern", display_settings: { displays: [{ width: 1080, height: 2400, density: 420 }] } };

describeOwnedRows({
  table: "hardware_profiles",
  list: path,
  get: (uuid) => `${path}/${uuid}`,
  notFound: "HARDWARE_PROFILE_NOT_FOUND",
  sources: ownedSources,
});

it("answers a hardware profile as clients read it", async () => {
  const { as } = await createTestApp();
  const [profile] = (await (await as()).get(`${path}?search=Phone%206.7`)).json().results;
  expect(profile).toEqual({
    uuid: expect.any(String),
    name: "Phone 6.7 in",
    is_official: true,
    owner: null,
    recipe_count: expect.any(Number),
    status: "READY",
    revision: expect.any(Number),
    form_factor: "PHONE",
    display_mode: "REGULAR",
    display_settings: {
      displays: [{ width: 1440, height: 3120, density: 560, physical_size: null, show_navigation_bar: true }],
      hw_navigation_keys: false,
    },
    device_properties: expect.objectContaining({ product_model: "Fern 67" }),
    cpu_count: 8,
    ram_size: 8192,
    data_disk_size: 65536,
  });
});

it("is closed to guests", async () => {
  const { as } = await createTestApp();
  expect((await (await as({ role: "guest" })).get(path)).json().code).toBe("FORBIDDEN");
});

it("lists the last changed first, if asked for it", async () => {
  const { as, clock } = await createTestApp();
  const robin = await as();
  const uuids: string[] = [];
  for (const name of ["a", "b", "c"]) {
    uuids.push((await robin.post(path, { ...aPhone, name })).json().uuid);
    await clock.advance(1000);
  }
  await robin.put(`${path}/${uuids[1]}`, { cpu_count: 8 });
  const names = async (query: string) =>
    (await robin.get(`${path}?source=owner&${query}`))
      .json<{ results: HardwareProfile[] }>()
      .results.map(({ name }) => name);
  expect(await names("ordering=-updated_at&page_size=2")).toEqual(["b", "c"]);
  expect(await names("")).toEqual(["a", "b", "c"]);
});
