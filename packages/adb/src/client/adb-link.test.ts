import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { AdbDaemonOptions } from "../daemon/adb-daemon.ts";
import { serveAdb } from "../daemon/serve-adb.ts";
import { MemoryDuplex, type MemoryDuplexOptions } from "../testing/memory-duplex.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { connectAdb } from "./connect-adb.ts";
import { readAll } from "./read-all.ts";

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const text = (value: string) => new TextEncoder().encode(value);

/** A link to a toy device over a pair of queues. */
async function linkToToy(duplex: MemoryDuplexOptions = {}, options: Partial<AdbDaemonOptions> = {}) {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  const [host, peer] = MemoryDuplex.pair(duplex);
  const report = (error: unknown) => void reports.push(error);
  const daemon = serveAdb(peer, {
    banner: device.banner,
    services: device,
    reverses: device.reverses,
    report,
    ...options,
  });
  const link = await connectAdb(host, { report });
  return { link, device, daemon, host, reports };
}

async function* parts(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("connectAdb", () => {
  it("tells who the device is", async () => {
    const { link } = await linkToToy();
    expect([link.banner.product, link.banner.model, link.banner.device]).toEqual(["toy", "Toy-1", "toy"]);
    expect([...link.banner.features]).toEqual(expect.arrayContaining(["shell_v2", "delayed_ack"]));
  });

  it("rejects with the reason of its signal when nobody answers", async () => {
    const [host] = MemoryDuplex.pair();
    const abort = new AbortController();
    const connecting = connectAdb(host, { signal: abort.signal });
    abort.abort(new Error("too slow"));
    await expect(connecting).rejects.toThrow(/too slow/);
  });

  it("works when every chunk is one byte", async () => {
    const { link } = await linkToToy({ chunkBytes: 1 });
    expect(await link.shell("complain 3")).toEqual({ stdout: "out\n", stderr: "err\n", exitCode: 3 });
    await link.push({ path: "/sdcard/a", mtime: 5, source: [text("hello")] });
    expect(await readAll(link.pull("/sdcard/a"), 100)).toEqual(text("hello"));
  });
});

describe("link.shell", () => {
  it("quotes words, each an argument", async () => {
    const { link, device } = await linkToToy();
    const { stdout } = await link.shell(["echo", "$(id)", ";reboot", "it's", "a\nb"]);
    expect(stdout).toBe("$(id) ;reboot it's a\nb\n");
    expect(device.reboots).toEqual([]);
  });

  it("sends input, and does not wait for input a command does not read", async () => {
    const { link } = await linkToToy();
    const bytes = text("line\n".repeat(100_000));
    expect((await link.shell("cat", { stdin: parts(bytes, 7000) })).stdout.length).toBe(bytes.length);
    const endless = (async function* () {
      for (;;) yield bytes;
    })();
    expect((await link.shell("echo done", { stdin: endless })).stdout).toBe("done\n");
  });

  it("rejects when the input's source fails", async () => {
    const { link } = await linkToToy();
    const source = (async function* () {
      yield text("begin");
      throw new Error("disk on fire");
    })();
    await expect(link.shell("cat", { stdin: source })).rejects.toThrow(/disk on fire/);
  });

  it("holds no more output than asked for", async () => {
    const { link } = await linkToToy();
    await expect(link.shell("flood 1000000000", { maxBytes: 100_000 })).rejects.toMatchObject({ code: "TOO_LARGE" });
    expect((await link.shell("echo alive")).stdout).toBe("alive\n");
  });

  it("ends the command when its signal aborts", async () => {
    const { link, device } = await linkToToy();
    const abort = new AbortController();
    const process = await link.spawn("hang");
    for await (const _ of process.stdout) break;
    const running = link.shell("hang", { signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow(/enough/);
    const aborted = new Promise((_, reject) => (device.onAborted = reject));
    process.kill();
    await expect(aborted).rejects.toMatchObject({ code: "STREAM_CLOSED" });
  });

  it("finds the exit code without shell_v2", async () => {
    const { link } = await linkToToy({}, { features: ["cmd"], services: new RealShell() });
    const result = await link.shell("echo out; echo err >&2; exit 42");
    expect(result).toEqual({ stdout: "out\nerr\n", stderr: "", exitCode: 42 });
    expect(await link.shell(["printf", "%s", "no $end"])).toEqual({ stdout: "no $end", stderr: "", exitCode: 0 });
    await expect(link.spawn("ls")).rejects.toMatchObject({ code: "REFUSED" });
  });
});

/** The commands of the machine's own shell. */
class RealShell extends ToyDevice {
  override shell({ command, stdout }: Parameters<ToyDevice["shell"]>[0]): Promise<number> {
    return new Promise((resolve, reject) => {
      execFile(
        "/bin/sh",
        ["-c", command],
        (_error, output) => void stdout.write(output).then(() => resolve(0), reject),
      );
    });
  }
}

describe("link.spawn", () => {
  it("hands on input, sizes and output as they come", async () => {
    const { link } = await linkToToy();
    const process = await link.spawn("cat", { pty: true });
    await process.resize({ rows: 24, columns: 80 });
    await process.write(text("hello"));
    for await (const bytes of process.stdout) {
      expect(new Uint8Array(bytes)).toEqual(text("hello"));
      break;
    }
    await process.closeStdin();
    expect(await process.exit).toBe(0);
  });

  it("tells a command its terminal's size", async () => {
    const { link } = await linkToToy();
    const process = await link.spawn("size", { pty: true });
    await process.resize({ rows: 24, columns: 80 });
    await process.closeStdin();
    expect(new TextDecoder().decode(await readAll(process.stdout, 100))).toBe("24x80\n");
  });

  it("refuses a terminal's name that would be more than that", async () => {
    const { link } = await linkToToy();
    await expect(link.spawn("ls", { pty: true, term: "x,raw:reboot" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("files", () => {
  it("go there and back byte for byte, whatever the chunks", async () => {
    const { link, device } = await linkToToy({ chunkBytes: 10_007 });
    const bytes = randomBytes(3_000_000);
    await link.push({ path: "/sdcard/f", mode: 0o600, mtime: 1_700_000_000, source: parts(bytes, 100_003) });
    expect(await link.stat("/sdcard/f")).toEqual({ mode: 0o100600, size: bytes.length, mtime: 1_700_000_000 });
    expect(hash(await readAll(link.pull("/sdcard/f"), 4_000_000))).toBe(hash(bytes));
    expect(await link.list("/sdcard")).toEqual([
      { name: "f", mode: 0o100600, size: bytes.length, mtime: 1_700_000_000 },
    ]);
    expect(device.files.discarded).toBe(0);
  });

  it("are told apart from nothing", async () => {
    for (const features of [undefined, []]) {
      const { link } = await linkToToy({}, { features });
      await link.push({ path: "/sdcard/f", mtime: 7, source: [] });
      expect(await link.stat("/sdcard/f")).toEqual({ mode: 0o100644, size: 0, mtime: 7 });
      expect((await link.list("/sdcard")).length).toBe(1);
      expect(await link.stat("/nosuch")).toBeUndefined();
      expect(await link.list("/nosuch")).toEqual([]);
    }
  });

  it("fail with the device's words", async () => {
    const { link } = await linkToToy();
    await expect(readAll(link.pull("/nosuch"), 100)).rejects.toMatchObject({
      code: "FAILED",
      message: "open failed: No such file or directory",
    });
    const source = parts(randomBytes(500_000), 64_000);
    const failure = { code: "FAILED", message: "couldn't create file: Read-only file system" };
    await expect(link.push({ path: "/readonly/f", mtime: 0, source })).rejects.toMatchObject(failure);
  });

  it("refuse a path that cannot be said", async () => {
    const { link } = await linkToToy();
    await expect(link.stat("/a\0b")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(link.stat("/".padEnd(1025, "x"))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("are discarded on the device when the link drops in the middle of a push", async () => {
    const { link, device, host } = await linkToToy();
    const source = (async function* () {
      // The device has begun with it when it takes the next part.
      for (let part = 0; part < 3; part++) yield randomBytes(100_000);
      host.close();
      yield randomBytes(100_000);
    })();
    await expect(link.push({ path: "/sdcard/half", mtime: 0, source })).rejects.toMatchObject({ code: "CLOSED" });
    await expect.poll(() => device.files.discarded).toBe(1);
    expect(device.files.files.has("/sdcard/half")).toBe(false);
  });

  it("reject a pull whose link drops in the middle, rather than end it", async () => {
    const { link, device, host } = await linkToToy();
    device.files.files.set("/big", { mode: 0o100644, mtime: 0, bytes: randomBytes(500_000) });
    const pulling = async () => {
      for await (const _ of link.pull("/big")) host.close();
    };
    await expect(pulling()).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("link.install", () => {
  it("streams the APK", async () => {
    const { link, device } = await linkToToy();
    const apk = Buffer.concat([Buffer.from("PK"), randomBytes(300_000)]);
    await link.install({ size: apk.length, source: parts(apk, 50_000), args: ["-r"] });
    expect(hash(device.installed[0]!)).toBe(hash(apk));
    expect(device.commands).toEqual([`cmd package 'install' -r -S ${apk.length}`]);
  });

  it("rejects with the package manager's words", async () => {
    const { link } = await linkToToy();
    await expect(link.install({ size: 4, source: [text("junk")] })).rejects.toMatchObject({
      code: "FAILED",
      message: expect.stringMatching(/INSTALL_PARSE_FAILED_NOT_APK/),
    });
  });

  it("refuses a source of another size", async () => {
    const { link } = await linkToToy();
    for (const size of [3, 5])
      await expect(link.install({ size, source: [text("junk")] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("sockets", () => {
  it("are opened on the device by name", async () => {
    const { link } = await linkToToy();
    const stream = await link.openLocalAbstract("echo");
    await stream.write(text("hello"));
    expect(await stream.read()).toEqual(text("hello"));
    await expect(link.openLocalAbstract("nosuch")).rejects.toMatchObject({ code: "REFUSED" });
    for (const service of ["jdwp:1", "track-jdwp", "track-app", "tcp:8", "tcp:80:example.org", "abb:package", ""])
      await expect(link.open(service)).rejects.toMatchObject({ code: "REFUSED" });
  });

  it("are connected back through a reverse until it is removed", async () => {
    const { link, device, daemon } = await linkToToy();
    const heard: string[] = [];
    const reverse = await link.reverse("localabstract:demo", async (stream) => {
      const bytes = await stream.read();
      heard.push(new TextDecoder().decode(bytes));
      await stream.write(text("welcome"));
    });
    expect((await link.shell("connect localabstract:demo hi")).stdout).toBe("welcome");
    expect(heard).toEqual(["hi"]);
    await reverse.remove();
    expect((await link.shell("connect localabstract:demo hi")).exitCode).toBe(1);
    await expect(reverse.remove()).rejects.toMatchObject({
      code: "FAILED",
      message: expect.stringMatching(/not found/),
    });
    expect((await link.reverse("tcp:0", () => {})).address).toMatch(/^tcp:\d+$/);
    await expect(link.reverse("nonsense", () => {})).rejects.toMatchObject({ code: "FAILED" });
    link.close();
    await once(daemon.gone, "abort");
    expect(device.reverses.format()).toBe("");
  });
});
