import { TestClock } from "@terrarium/clock";
import { defineRuntime } from "@terrarium/runtime";
import { fakeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createLog } from "./platform/log.ts";
import { loadRuntimes, runtimePackages } from "./runtimes.ts";

const deps = {
  dataDir: "/data",
  keepMs: 60_000,
  layers: new MemoryLayers(),
  clock: new TestClock(),
  log: createLog("silent", "test"),
};

/** A runtime package that records its loads and what the runtime was created with. */
function aPackage() {
  const created: unknown[] = [];
  let loads = 0;
  const runtime = defineRuntime({
    name: "fake",
    settings: z.object({ TERRARIUM_FAKE_SLOTS: z.coerce.number().int().default(4).describe("how many fit") }),
    create: ({ settings, dataDir }) => {
      created.push([settings, dataDir]);
      return fakeRuntime({ slots: settings.TERRARIUM_FAKE_SLOTS });
    },
  });
  const packages = { fake: async () => (loads++, { runtime }) };
  return { packages, created, loads: () => loads };
}

describe("loadRuntimes", () => {
  it("passes a runtime its own settings, and does not create it yet", async () => {
    const { packages, created } = aPackage();
    const [configured] = await loadRuntimes(["fake"], { TERRARIUM_FAKE_SLOTS: "2", OTHER: "x" }, packages);
    expect(created).toEqual([]);
    expect(configured!.create(deps).name).toBe("fake");
    expect(created).toEqual([[{ TERRARIUM_FAKE_SLOTS: 2 }, "/data"]]);
  });

  it("ignores empty variables", async () => {
    const { packages, created } = aPackage();
    (await loadRuntimes(["fake"], { TERRARIUM_FAKE_SLOTS: "" }, packages))[0]!.create(deps);
    expect(created).toEqual([[{ TERRARIUM_FAKE_SLOTS: 4 }, "/data"]]);
  });

  it("names the invalid variable", async () => {
    const { packages } = aPackage();
    await expect(loadRuntimes(["fake"], { TERRARIUM_FAKE_SLOTS: "many" }, packages)).rejects.toThrow(
      "TERRARIUM_FAKE_SLOTS",
    );
  });

  it("loads only the named runtimes", async () => {
    const { packages, loads } = aPackage();
    expect(await loadRuntimes([], {}, packages)).toEqual([]);
    expect(loads()).toBe(0);
  });

  it("reports an unknown runtime", async () => {
    for (const name of ["qemu", "toString"])
      await expect(loadRuntimes([name], {}, aPackage().packages)).rejects.toThrow(
        `TERRARIUM_RUNTIMES names "${name}", which is not a runtime. Available: fake.`,
      );
  });

  it("reports a runtime that is not installed", async () => {
    const name = "@terrarium/runtime-that-is-not-there";
    await expect(loadRuntimes(["away"], {}, { away: () => import(/* @vite-ignore */ name) })).rejects.toThrow(
      /^TERRARIUM_RUNTIMES names "away", but some of its packages are not installed: .*that-is-not-there/,
    );
  });

  it("does not report other errors while loading as a missing package", async () => {
    const broken = async () => Promise.reject(new TypeError("a defect"));
    await expect(loadRuntimes(["broken"], {}, { broken })).rejects.toThrow(new TypeError("a defect"));
  });
});

describe.each(Object.entries(runtimePackages))("the runtime %s", (name, load) => {
  it("has the name in the table, and prefixed settings with descriptions", async () => {
    const { runtime } = await load();
    expect(runtime.name).toBe(name);
    for (const [variable, schema] of Object.entries(runtime.settings.shape)) {
      // What the tools of others read has their names.
      expect(variable).toMatch(new RegExp(`^(TERRARIUM_${name.toUpperCase().replace("-", "_")}_|ANDROID_)`));
      expect((schema as z.ZodType).description).toBeTruthy();
    }
  });

  it("needs no setting", async () => {
    expect((await loadRuntimes([name], {})).map((configured) => configured.name)).toEqual([name]);
  });
});
