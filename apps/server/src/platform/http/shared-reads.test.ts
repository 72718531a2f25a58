import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SharedReads } from "./shared-reads.ts";

function aRead() {
  const begun: PromiseWithResolvers<string>[] = [];
  const make = () => {
    const answer = Promise.withResolvers<string>();
    begun.push(answer);
    return answer.promise;
  };
  return { begun, make };
}

describe("SharedReads", () => {
  it("gives all callers who arrive during a read the result of the next one", async () => {
    const reads = new SharedReads<string>();
    const { begun, make } = aRead();
    const first = reads.read("list", make);
    const later = [reads.read("list", make), reads.read("list", make)];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve("before they asked");
    expect(await first).toBe("before they asked");
    await settled();
    expect(begun).toHaveLength(2);
    begun[1]?.resolve("after they asked");
    expect(await Promise.all(later)).toEqual(["after they asked", "after they asked"]);
  });

  it("reads again once nobody waits", async () => {
    const reads = new SharedReads<string>();
    expect(await reads.read("list", async () => "old")).toBe("old");
    expect(await reads.read("list", async () => "new")).toBe("new");
  });

  it("does not share between keys", async () => {
    const reads = new SharedReads<string>();
    const mine = reads.read("mine", async () => "mine");
    expect(await reads.read("yours", async () => "yours")).toBe("yours");
    expect(await mine).toBe("mine");
  });

  it("rejects only the callers of the read that failed", async () => {
    const reads = new SharedReads<string>();
    const { begun, make } = aRead();
    const first = reads.read("list", make);
    const second = reads.read("list", make);
    begun[0]?.reject(new Error("broken"));
    await expect(first).rejects.toThrow("broken");
    await settled();
    begun[1]?.resolve("well");
    expect(await second).toBe("well");
  });
});
