import { describe, expect, it } from "vitest";
import { createPreference } from "./preferences.ts";

function memory(items: Record<string, string> = {}): Storage {
  const kept = new Map(Object.entries(items));
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  } as Storage;
}

const pageSize = (storage: Storage, version = 1) =>
  createPreference({
    name: "page-size",
    version,
    byDefault: 10,
    accepts: (value): value is number => typeof value === "number",
    storage,
  });

describe("a preference", () => {
  it("is kept with its version under our prefix, and found again", () => {
    const storage = memory();
    pageSize(storage).write(25);
    expect(storage.getItem("vd.pref.page-size")).toBe('{"version":1,"value":25}');
    expect(pageSize(storage).read()).toBe(25);
  });

  it("is the default when an older version, another kind of value or nonsense is kept", () => {
    expect(pageSize(memory({ "vd.pref.page-size": '{"version":1,"value":25}' }), 2).read()).toBe(10);
    expect(pageSize(memory({ "vd.pref.page-size": '{"version":1,"value":"25"}' })).read()).toBe(10);
    expect(pageSize(memory({ "vd.pref.page-size": "{" })).read()).toBe(10);
  });

  it("tells who listens, until they stop", () => {
    const preference = pageSize(memory());
    let told = 0;
    const stop = preference.subscribe(() => told++);
    preference.write(5);
    stop();
    preference.write(25);
    expect([told, preference.read()]).toEqual([1, 25]);
  });

  it("counts for this page when the storage is full", () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error("full");
      },
    } as unknown as Storage;
    const preference = pageSize(full);
    preference.write(5);
    expect(preference.read()).toBe(5);
  });
});
