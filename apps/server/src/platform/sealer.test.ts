import { describe, expect, it } from "vitest";
import { Sealer } from "./sealer.ts";

const secret = Buffer.alloc(32, 7);
const sealer = new Sealer(secret, "test");
const plain = Buffer.from("correct horse");

describe("Sealer", () => {
  it.each(["", "correct horse", "𝄞".repeat(1000)])("opens what it has sealed", (text) => {
    expect(sealer.open(sealer.seal(Buffer.from(text), "robin"), "robin").toString()).toBe(text);
  });

  it("seals the same text differently each time, and shows none of it", () => {
    const [one, other] = [sealer.seal(plain, "robin"), sealer.seal(plain, "robin")];
    expect(one.equals(other)).toBe(false);
    expect(one.includes("horse")).toBe(false);
  });

  it("opens after a restart, with the same secret", () => {
    expect(new Sealer(secret, "test").open(sealer.seal(plain, "robin"), "robin")).toEqual(plain);
  });

  it.each([
    ["for another owner", sealer, "kim"],
    ["for another purpose", new Sealer(secret, "other"), "robin"],
    ["in another installation", new Sealer(Buffer.alloc(32, 8), "test"), "robin"],
  ])("does not open %s", (_, other, owner) => {
    expect(() => other.open(sealer.seal(plain, "robin"), owner)).toThrow(/./);
  });

  it("does not open what was changed in any byte, or cut off", () => {
    const sealed = sealer.seal(plain, "robin");
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => sealer.open(changed, "robin"), `byte ${at}`).toThrow(/./);
      expect(() => sealer.open(sealed.subarray(0, at), "robin"), `${at} bytes`).toThrow(/./);
    }
  });
});
