import { createHash, randomBytes } from "node:crypto";
import { readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeSocketDuplex } from "../connection/node-socket.ts";
import { fetchAdbd, type Adbd } from "../testing/fetch-adbd.ts";
import { startGenuineAdbd, type GenuineAdbd } from "../testing/genuine-adbd.ts";
import type { AdbLink } from "./adb-link.ts";
import { connectAdb } from "./connect-adb.ts";
import { readAll } from "./read-all.ts";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const text = (value: string) => new TextEncoder().encode(value);

async function* parts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A daemon that runs, or why there is none. */
async function tryToStart(): Promise<GenuineAdbd | string> {
  const adbd: Adbd | { missing: string } = await fetchAdbd();
  if ("missing" in adbd) return adbd.missing;
  return await startGenuineAdbd(adbd).catch((error: Error) => error.message);
}

const adbd = await tryToStart();
if (typeof adbd === "string") console.warn(`skipped: the client against the genuine adbd, since ${adbd}`);

describe.skipIf(typeof adbd === "string")("connectAdb with the genuine adbd", () => {
  const daemon = adbd as GenuineAdbd;
  let link: AdbLink;

  beforeAll(async () => {
    link = await connectAdb(nodeSocketDuplex(await daemon.connect()), { signal: AbortSignal.timeout(5000) });
  });

  afterAll(async () => {
    link?.close();
    await daemon.stop();
  });

  it("reads its features", () => {
    expect([...link.banner.features]).toEqual(
      expect.arrayContaining(["shell_v2", "cmd", "stat_v2", "ls_v2", "delayed_ack"]),
    );
  });

  it("gets output, errors and the exit code apart", async () => {
    const result = await link.shell("echo out; echo err >&2; exit 42");
    expect(result).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 42 });
  });

  it("sends words that a shell would read something into", async () => {
    const words = ["$(id)", ";reboot", "a\nb", "it's", "", "日本"];
    expect((await link.shell(["printf", "%s|", ...words])).stdout).toBe(words.map((word) => `${word}|`).join(""));
  });

  it("sends input and its end", async () => {
    const bytes = randomBytes(2_000_000);
    const { stdout } = await link.shell("sha256sum", { stdin: parts(bytes, 100_000) });
    expect(stdout).toBe(`${hash(bytes)}  -\n`);
  });

  it("tells a terminal its size", async () => {
    const process = await link.spawn("read line; stty size", { pty: true });
    await process.resize({ rows: 33, columns: 77 });
    await process.write(text("go\n"));
    expect(new TextDecoder().decode(await readAll(process.stdout, 1000))).toMatch(/33 77/);
    expect(await process.exit).toBe(0);
  });

  it("ends a command when its signal aborts", async () => {
    const abort = new AbortController();
    const running = link.shell("cat /dev/zero | head -c 1000000000000", {
      signal: abort.signal,
      maxBytes: Infinity,
      stdin: endless(abort),
    });
    await expect(running).rejects.toThrow(/enough/);
    expect((await link.shell("echo alive")).stdout).toBe("alive\n");
  });

  it("pushes and pulls 20 MB byte for byte, with mode and time", async () => {
    const bytes = randomBytes(20_000_000);
    const path = join(daemon.folder, "new", "f.bin");
    await link.push({ path, mode: 0o640, mtime: 1_700_000_000, source: parts(bytes, 1_000_000) });
    expect(hash(await readFile(path))).toBe(hash(bytes));
    expect((await stat(path)).mtimeMs).toBe(1_700_000_000_000);
    expect((await link.stat(path))?.size).toBe(bytes.length);
    expect(hash(await readAll(link.pull(path), bytes.length))).toBe(hash(bytes));
  });

  it("lists a folder and tells what is not there", async () => {
    await symlink("nowhere", join(daemon.folder, "link"));
    const names = (await link.list(daemon.folder)).map((entry) => entry.name);
    expect(names.sort()).toEqual(["adbd.sock", "link", "new"]);
    expect(await link.stat(join(daemon.folder, "nosuch"))).toBeUndefined();
    expect(await link.list(join(daemon.folder, "nosuch"))).toEqual([]);
  });

  it("hears why a file cannot be read or written", async () => {
    await expect(readAll(link.pull("/nosuch"), 100)).rejects.toMatchObject({
      code: "FAILED",
      message: expect.stringMatching(/No such file or directory/),
    });
    const source = parts(randomBytes(1_000_000), 65_536);
    await expect(link.push({ path: "/proc/nosuch", mtime: 0, source })).rejects.toMatchObject({ code: "FAILED" });
  });

  it("leaves a pull in the middle and goes on", async () => {
    for await (const _ of link.pull("/dev/zero")) break;
    expect((await link.shell("echo alive")).stdout).toBe("alive\n");
  });

  it("opens a local socket of the device", async () => {
    const stream = await link.openLocalAbstract("terrarium-echo");
    const bytes = randomBytes(500_000);
    void stream.write(bytes);
    let length = 0;
    for await (const part of stream) {
      length += part.length;
      if (length === bytes.length) break;
    }
    await expect(link.openLocalAbstract("nosuch")).rejects.toMatchObject({ code: "REFUSED" });
  });

  it("is connected back through reverses of both kinds", async () => {
    for (const address of ["tcp:0", "localabstract:terrarium-back"]) {
      const reverse = await link.reverse(address, async (stream) => {
        await stream.write((await stream.read()) ?? text("nothing"));
        await stream.end();
      });
      const stream = await link.open(reverse.address);
      await stream.write(text("round trip"));
      expect(await readAll(stream, 100)).toEqual(text("round trip"));
      await reverse.remove();
      await expect(link.open(reverse.address)).rejects.toMatchObject({ code: "REFUSED" });
    }
  });

  it("stalls only the stream whose reader does not read", async () => {
    const stalled = await link.open("exec:cat /dev/zero");
    await stalled.read();
    expect((await link.shell("echo alive")).stdout).toBe("alive\n");
    stalled.close();
  });

  it("hears that the device is gone", async () => {
    const socket = await daemon.connect();
    const other = await connectAdb(nodeSocketDuplex(socket));
    const waiting = other.shell("sleep 1000");
    socket.destroy();
    await expect(waiting).rejects.toMatchObject({ code: "CLOSED" });
    expect(other.gone.aborted).toBe(true);
  });
});

/** Input that aborts after some of it was taken. */
async function* endless(abort: AbortController) {
  for (let count = 0; ; count++) {
    if (count === 3) abort.abort(new Error("enough"));
    yield text("x".repeat(1000));
  }
}
