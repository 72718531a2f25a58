import { describe, expect, it } from "vitest";
import type { ByteStream } from "../byte-stream.ts";
import { AdbConnection } from "../connection/adb-connection.ts";
import { syncId } from "../sync/constants.ts";
import { encodeEntry2 } from "../sync/entry.ts";
import { encodeFrame } from "../sync/sync-frame.ts";
import { encodeStat2 } from "../sync/stat.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { connectAdb } from "./connect-adb.ts";
import { readAll } from "./read-all.ts";

const text = (value: string) => new TextEncoder().encode(value);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** A device that answers the first bytes of any stream with these, and as often as they are taken. */
async function linkTo(answer: Uint8Array, { repeat = false, features = "shell_v2,stat_v2,ls_v2" } = {}) {
  const [host, peer] = MemoryDuplex.pair();
  const accept = async (stream: ByteStream) => {
    if (!repeat) {
      await stream.read();
      await stream.write(answer);
      return await stream.end();
    }
    void stream.read().catch(() => {});
    for (;;) await stream.write(answer);
  };
  const device = new AdbConnection(peer, {
    role: "device",
    banner: `device::features=${features}`,
    onOpen: () => accept,
  });
  return { link: await connectAdb(host), device };
}

describe("a hostile device", () => {
  const answers: [string, Uint8Array, { code: string }][] = [
    ["data longer than a frame may be", encodeFrame(syncId.DATA, 65_537), { code: "PROTOCOL" }],
    ["a failure of 2 GB", encodeFrame(syncId.FAIL, 0x7fffffff), { code: "PROTOCOL" }],
    ["an answer to another question", encodeFrame(syncId.OKAY), { code: "PROTOCOL" }],
    ["half of a file", join(encodeFrame(syncId.DATA, 10), text("half")), { code: "STREAM_CLOSED" }],
    ["half of an id", text("DA"), { code: "STREAM_CLOSED" }],
    ["nothing", new Uint8Array(0), { code: "STREAM_CLOSED" }],
  ];
  for (const [what, answer, error] of answers)
    it(`fails a pull with ${what}`, async () => {
      const { link } = await linkTo(answer);
      await expect(readAll(link.pull("/f"), 1000)).rejects.toMatchObject(error);
      expect(link.gone.aborted).toBe(false);
    });

  const stat = { mode: 0o100644, size: 1, mtime: 1 };
  for (const name of ["../../etc/passwd", "a/b", "", "nul\0", "x".repeat(1025)])
    it(`fails a list with the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const { link } = await linkTo(encodeEntry2({ ...stat, name }));
      await expect(link.list("/")).rejects.toMatchObject({ code: "PROTOCOL" });
    });

  it("fails a list that never ends", async () => {
    const entries = join(...Array.from({ length: 5000 }, () => encodeEntry2({ ...stat, name: "same" })));
    const { link } = await linkTo(entries, { repeat: true });
    await expect(link.list("/")).rejects.toMatchObject({ code: "TOO_LARGE" });
  });

  it("fails a shell with a frame of 4 GB, or without an exit code", async () => {
    const { link } = await linkTo(new Uint8Array([1, 0xff, 0xff, 0xff, 0xff]));
    await expect(link.shell("ls")).rejects.toMatchObject({ code: "PROTOCOL" });
    const { link: other } = await linkTo(new Uint8Array([1, 2, 0, 0, 0, 0x68, 0x69]));
    await expect(other.shell("ls")).rejects.toMatchObject({ code: "STREAM_CLOSED" });
  });

  it("fails answers without end", async () => {
    const { link } = await linkTo(text("OKAY".repeat(1000)), { repeat: true });
    await expect(link.reverse("tcp:1", () => {})).rejects.toMatchObject({ code: "TOO_LARGE" });
    await expect(link.install({ size: 1, source: [text("x")] })).rejects.toMatchObject({ code: "TOO_LARGE" });
  });

  it("is told a size that JavaScript can hold, whatever it says", async () => {
    const answer = join(encodeFrame(syncId.STA2).subarray(0, 4), encodeStat2(stat).fill(0xff, 36, 44));
    const { link } = await linkTo(answer);
    expect((await link.stat("/f"))?.size).toBe(2 ** 64);
  });

  it("cannot open what was not registered", async () => {
    const { device } = await linkTo(text(""));
    for (const service of ["tcp:22", "localabstract:terrarium-1", "shell:id"])
      await expect(device.open(service)).rejects.toMatchObject({ code: "REFUSED" });
  });
});
