import { FakeMachines, fakeRuntime } from "@terrarium/runtime/testing";
import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { addOfficialImage, listOfficialImages, removeOfficialImage, verifyOfficialImages } from "./official-images.ts";

const given = {
  name: "Redroid 14",
  runtime: "fake",
  artefact: "redroid/redroid:14.0.0_64only-latest",
  arch: "x86_64",
  osVersion: "14.0",
  sdkVersion: 34,
  formFactors: ["PHONE"],
  checksum: "sha256:abc",
};

const withImage = async () => {
  const { operator, as } = await createTestApp();
  const { by, ...deps } = operator;
  const uuid = await addOfficialImage(deps, given, by);
  const remove = (called: string, shipped: string[] = []) =>
    removeOfficialImage(deps, called, new Set(shipped), by).then(
      () => "removed",
      ({ message }: Error) => message,
    );
  return { deps, by, uuid, remove, as };
};

it("adds an image that everybody can make recipes of, and changes it when it is added again", async () => {
  const { deps, by, uuid, as } = await withImage();
  const robin = await as();
  const shown = async () => (await robin.get(`/v1/os-images/${uuid}`)).json();
  expect(await shown()).toMatchObject({
    name: "Redroid 14",
    is_official: true,
    arch: "x86_64",
    os_version: { os_version: "14.0", sdk_version: 34 },
    form_factors: ["PHONE"],
    runtime: "fake",
    is_runtime_configured: false,
    boot_ms: null,
  });
  expect(await addOfficialImage(deps, { ...given, name: "Redroid", checksum: undefined }, by)).toBe(uuid);
  expect((await shown()).name).toBe("Redroid");
  await expect(addOfficialImage(deps, { ...given, arch: "riscv" }, by)).rejects.toThrow(/^arch: /);
});

it("starts only in the zones that have what it runs, whatever is made of that", async () => {
  const { operator, as } = await createTestApp();
  const robin = await as();
  await robin.start();
  const { snapshot } = await operator.db.selectFrom("instances").select("snapshot").executeTakeFirstOrThrow();
  const { runtime, artefact } = snapshot.osImage;
  const startedWith = async (...zones: string[]) => {
    const more = { runtime, artefact, zones: zones.length > 0 ? zones : undefined };
    await addOfficialImage(operator, { ...given, ...more }, operator.by);
    return outcomeOf(await robin.start());
  };
  expect(await startedWith("southeast asia")).toBe("503 ZONE_NOT_AVAILABLE");
  expect(await startedWith("southeast asia", "europe")).toBe("201");
  expect(await startedWith()).toBe("201");
  await expect(startedWith("mars")).rejects.toThrow("There is no zone mars");
});

it("verifies by the runtime that an image is there, and is what it was", async () => {
  const { deps, by, uuid } = await withImage();
  const runtime = fakeRuntime({ machines: new FakeMachines(), clock: new TestClock() });
  const look = async (verify?: () => Promise<string | undefined>) => {
    const runtimes = new Map(verify ? [["fake", Object.assign(runtime, { verify })]] : []);
    const { checksum, problem } = (await verifyOfficialImages(deps.db, runtimes)).find((image) => image.uuid === uuid)!;
    return [checksum, problem];
  };
  expect(await look()).toEqual(["sha256:abc", "its runtime is not set up here"]);
  expect(await look(async () => "sha256:abc")).toEqual(["sha256:abc", null]);
  expect(await look(async () => "sha256:def")).toEqual(["sha256:def", "its checksum is sha256:def, not sha256:abc"]);
  const none = [`sha256:abc`, "its checksum is not known to the runtime, not sha256:abc"];
  expect(await look(async () => undefined)).toEqual(none);
  expect(await look(() => Promise.reject(new Error("no such image")))).toEqual(["sha256:abc", "no such image"]);
  await addOfficialImage(deps, { ...given, checksum: undefined }, by);
  expect(await look(async () => "sha256:def")).toEqual(["sha256:def", null]);
});

it("removes an image by its name or uuid, unless a recipe uses it or the catalogue would bring it back", async () => {
  const { deps, by, uuid, remove, as } = await withImage();
  expect(await remove("Redroid")).toBe("OS image not found.");
  expect(await remove(uuid, [uuid])).toBe("Redroid 14 is of the catalogue: the next start would bring it back.");
  const other = await addOfficialImage(deps, { ...given, arch: "arm64" }, by);
  expect(await remove("Redroid 14")).toContain("Several images are called Redroid 14: ");
  const robin = await as();
  const [profile] = (await robin.get("/v1/hardware-profiles?page_size=1")).json().results;
  const body = { name: "Mine", hardware_profile_uuid: profile.uuid, os_image_uuid: uuid };
  expect((await robin.post("/v1/recipes", body)).statusCode).toBe(201);
  const used = "1 recipes are made of Redroid 14, or can go back to it.";
  expect(await remove(uuid)).toBe(used);
  await sql`UPDATE recipes SET previous_os_image_uuid = os_image_uuid, os_image_uuid = ${other}
    WHERE os_image_uuid = ${uuid}`.execute(deps.db);
  expect(await remove(uuid)).toBe(used);
  await sql`UPDATE recipes SET previous_os_image_uuid = NULL, os_image_uuid = ${uuid} WHERE os_image_uuid = ${other}`.execute(
    deps.db,
  );
  expect(await remove(other.toUpperCase())).toBe("removed");
  expect((await listOfficialImages(deps.db)).filter(({ runtime }) => runtime === "fake")).toHaveLength(1);
});
