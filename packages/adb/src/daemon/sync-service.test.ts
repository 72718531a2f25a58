import { describe, expect, it } from "vitest";
import { AdbConnection } from "../connection/adb-connection.ts";
import { command } from "../packet/constants.ts";
import { PacketReader } from "../packet/packet-reader.ts";
import { syncId } from "../sync/constants.ts";
import { encodeEntry, encodeEntry2, encodeListEnd } from "../sync/entry.ts";
import { encodeStat, encodeStat2 } from "../sync/stat.ts";
import { encodeBlock, encodeFail, encodeFrame } from "../sync/sync-frame.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { readAll } from "../client/read-all.ts";
import { DeviceFileError } from "./device-files.ts";
import { serveAdb } from "./serve-adb.ts";

const text = (value: string) => new TextEncoder().encode(value);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const idOf = (name: keyof typeof syncId) => encodeFrame(syncId[name]).subarray(0, 4);
const ask = (name: keyof typeof syncId, path: string) => encodeBlock(syncId[name], text(path));
const send = (pathAndMode: string, data: string, mtime: number) =>
  join(ask("SEND", pathAndMode), encodeBlock(syncId.DATA, text(data)), encodeFrame(syncId.DONE, mtime));
const quit = encodeFrame(syncId.QUIT);
const okay = encodeFrame(syncId.OKAY);
const done = encodeFrame(syncId.DONE);

function create() {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  const reader = new PacketReader();
  reader.maxPayloadBytes = 1024 * 1024;
  /** How many bytes each WRTE of the device carried. */
  const writes: number[] = [];
  const [host, peer] = MemoryDuplex.pair();
  const daemon = serveAdb(peer, {
    banner: device.banner,
    services: device,
    report: (error) => reports.push(error),
  });
  const write = peer.write.bind(peer);
  peer.write = (bytes) => {
    for (const packet of reader.push(bytes)) if (packet.command === command.WRTE) writes.push(packet.payload.length);
    return write(bytes);
  };
  const connection = new AdbConnection(host, { role: "host", banner: "host::" });
  /** All that is answered to these bytes, until the stream ends. */
  const answerTo = async (...requests: Uint8Array[]) => {
    const stream = await connection.open("sync:");
    const answer = readAll(stream, 10_000_000);
    await stream.write(join(...requests)).catch(() => {});
    return await answer;
  };
  const put = (path: string, bytes: Uint8Array) => device.files.files.set(path, { mode: 0o100640, mtime: 7, bytes });
  return { device, daemon, connection, reports, writes, answerTo, put };
}

describe("sync RECV", () => {
  it("sends a small file and its end in one write", async () => {
    const { put, answerTo, writes } = create();
    put("/f", text("hello"));
    expect(await answerTo(ask("RECV", "/f"), quit)).toEqual(join(encodeBlock(syncId.DATA, text("hello")), done));
    expect(writes).toEqual([8 + 5 + 8]);
  });

  it("cuts a large file into 64 KiB, and joins the last part and its end", async () => {
    const { put, answerTo, writes } = create();
    const bytes = new Uint8Array(150_000).fill(7);
    put("/f", bytes);
    const parts = [0, 65_536, 131_072].map((at) => encodeBlock(syncId.DATA, bytes.subarray(at, at + 65_536)));
    expect(await answerTo(ask("RECV", "/f"), quit)).toEqual(join(...parts, done));
    expect(writes).toEqual([65_544, 65_544, 18_928 + 16]);
  });

  it("sends the end alone for an empty file", async () => {
    const { put, answerTo } = create();
    put("/f", text(""));
    expect(await answerTo(ask("RECV", "/f"), quit)).toEqual(done);
  });

  it("says why a file cannot be read, at once or in the middle, and takes the next request", async () => {
    const { device, put, answerTo, reports } = create();
    put("/f", text("hello"));
    device.files.read = async function* (path) {
      if (path === "/half") yield text("half");
      throw new DeviceFileError("EIO", "I/O error");
    };
    const failure = encodeFail("open failed: I/O error");
    expect(await answerTo(ask("RECV", "/f"), ask("RECV", "/half"), ask("STAT", "/none"), quit)).toEqual(
      join(failure, encodeBlock(syncId.DATA, text("half")), failure, idOf("STAT"), encodeStat(undefined)),
    );
    expect(reports).toEqual([]);
  });
});

describe("sync STAT and LIST", () => {
  it("answers each request on one stream until it is told to quit", async () => {
    const { put, answerTo } = create();
    put("/f", text("hello"));
    const stat = { mode: 0o100640, size: 5, mtime: 7 };
    expect(await answerTo(ask("STAT", "/f"), ask("STA2", "/f"), ask("LST2", "/none"), quit, ask("STAT", "/f"))).toEqual(
      join(idOf("STAT"), encodeStat(stat), idOf("STA2"), encodeStat2(stat), idOf("LST2"), encodeStat2("ENOENT")),
    );
  });

  it("follows links for STA2 and for nothing else", async () => {
    const { device, answerTo } = create();
    const asked: [string, boolean][] = [];
    device.files.stat = async (path: string, followLinks?: boolean) => {
      asked.push([path, followLinks ?? false]);
      return { mode: 0o100644, size: 0, mtime: 0 };
    };
    await answerTo(ask("STAT", "/1"), ask("STA2", "/2"), ask("LST2", "/3"), quit);
    expect(asked).toEqual([
      ["/1", false],
      ["/2", true],
      ["/3", false],
    ]);
  });

  it("lists a folder in the version that was asked for, and one that cannot be read as empty", async () => {
    const { put, answerTo } = create();
    put("/d/f", text("hello"));
    const entry = { name: "f", mode: 0o100640, size: 5, mtime: 7 };
    expect(await answerTo(ask("LIST", "/d"), ask("LIS2", "/d"), ask("LIST", "/none"), quit)).toEqual(
      join(encodeEntry(entry), encodeListEnd(false), encodeEntry2(entry), encodeListEnd(true), encodeListEnd(false)),
    );
  });

  it("ends the stream when the device has a defect, reports it, and goes on with others", async () => {
    const { device, daemon, answerTo, reports } = create();
    const defect = new TypeError("a defect");
    device.files.stat = async () => Promise.reject(defect);
    expect(await answerTo(ask("STAT", "/f"), quit)).toEqual(text(""));
    expect([reports, daemon.gone.aborted]).toEqual([[defect], false]);
    expect(await answerTo(ask("LIST", "/none"), quit)).toEqual(encodeListEnd(false));
  });
});

describe("sync SEND", () => {
  it("keeps files with their mode and time, one after another", async () => {
    const { device, answerTo } = create();
    expect(await answerTo(send("/a,33188", "one", 5), send("/b,c,420", "two", 6), quit)).toEqual(join(okay, okay));
    expect([...device.files.files]).toEqual([
      ["/a", { mode: 0o100644, mtime: 5, bytes: text("one") }],
      // Only the last comma parts path and mode, and a mode without a type is a plain file's.
      ["/b,c", { mode: 0o100644, mtime: 6, bytes: text("two") }],
    ]);
  });

  it("tells the device of a link by its mode", async () => {
    const { device, answerTo } = create();
    await answerTo(send("/l,41471", "/target", 0), quit);
    expect(device.files.files.get("/l")).toMatchObject({ mode: 0o120777, bytes: text("/target") });
  });

  it("reads a file that it cannot keep to its end, says why, and takes the next", async () => {
    const { device, answerTo, reports } = create();
    expect(await answerTo(send("/readonly/a,33188", "one", 5), send("/b,33188", "two", 6), quit)).toEqual(
      join(encodeFail("couldn't create file: Read-only file system"), okay),
    );
    expect([[...device.files.files.keys()], reports]).toEqual([["/b"], []]);
  });

  for (const step of ["write", "commit"] as const)
    it(`discards a file once when the ${step} fails`, async () => {
      const { device, answerTo, reports } = create();
      const { create: createFile } = device.files;
      device.files.create = async (path, mode) => ({
        ...(await createFile.call(device.files, path, mode)),
        [step]: async () => Promise.reject(new DeviceFileError("ENOSPC", "No space left on device")),
      });
      const big = join(
        ask("SEND", "/f,33188"),
        ...Array.from({ length: 3 }, () => encodeBlock(syncId.DATA, text("x"))),
      );
      expect(await answerTo(big, encodeFrame(syncId.DONE, 1), quit)).toEqual(
        encodeFail("write failed: No space left on device"),
      );
      expect([device.files.files.size, device.files.discarded, reports]).toEqual([0, 1, []]);
    });

  it("does not tell the host of a defect, and reports it", async () => {
    const { device, answerTo, reports } = create();
    const defect = new TypeError("secret path");
    device.files.create = async () => Promise.reject(defect);
    expect(await answerTo(send("/f,33188", "x", 1), quit)).toEqual(encodeFail("couldn't create file: I/O error"));
    expect(reports).toEqual([defect]);
  });
});
