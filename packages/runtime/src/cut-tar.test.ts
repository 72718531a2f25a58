import { expect, it } from "vitest";
import { cutTar } from "./cut-tar.ts";

it("cuts a tar into parts that make it again, however its bytes arrive and whatever they are", async () => {
  const header = (size: number, sum: number) => {
    const block = Buffer.alloc(512, "n");
    block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
    block.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
    return block;
  };
  const large = Buffer.alloc(200_000, "L");
  const tar = Buffer.concat([
    header(5, 2),
    Buffer.alloc(512, "s"),
    header(large.length, 65),
    large,
    Buffer.alloc(192),
    header(0, 3),
    Buffer.alloc(1024),
  ]);
  const cut = async (bytes: Buffer, size: number) => {
    const found: Buffer[] = [];
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    for await (const part of cutTar(chunks())) {
      const read: Uint8Array[] = [];
      for await (const chunk of part.bytes) read.push(chunk);
      found.push(Buffer.concat(read));
    }
    return found;
  };
  for (const size of [7, 512, 5_000, 1 << 20]) {
    const found = await cut(tar, size);
    expect(Buffer.concat(found).equals(tar)).toBe(true);
    expect(found.filter((part) => part.equals(large))).toHaveLength(1);
    expect(found).toHaveLength(4);
  }
  await expect(cut(tar.subarray(0, -1024), 512)).rejects.toThrow("not all of the user data");
  const noise = Buffer.concat([Buffer.alloc(5_000, "x8"), Buffer.alloc(1024)]);
  expect(Buffer.concat(await cut(noise, 100)).equals(noise)).toBe(true);
});
