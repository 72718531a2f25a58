import { connectAdb, serveAdb } from "@terrarium/adb";
import { MemoryDuplex } from "@terrarium/adb/testing";
import { TestClock } from "@terrarium/clock";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ScrcpyLessDevice } from "../testing/scrcpy-less-device.ts";
import { pushServer, readScrcpyServer, type ScrcpyServer } from "./push-server.ts";

const PATH = "/data/local/tmp/scrcpy-server.jar";
const bytes = randomBytes(100_000);
const server: ScrcpyServer = { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };

async function create() {
  const device = new ScrcpyLessDevice();
  const [host, peer] = MemoryDuplex.pair();
  serveAdb(peer, { banner: device.banner, services: device });
  const link = await connectAdb(host);
  const stop = new AbortController();
  const deps = { server, clock: new TestClock(1_700_000_000_500), signal: stop.signal };
  /** The files on the device, and whether each is the server. */
  const files = () => [...device.files.files].map(([path, file]) => [path, Buffer.compare(file.bytes, bytes) === 0]);
  return { device, link, stop, deps, files };
}

describe("pushServer", () => {
  it("puts the server on a device that lacks it, under its own name only when it is whole", async () => {
    const { device, link, deps, files } = await create();
    await pushServer(link, deps);
    expect(files()).toEqual([[PATH, true]]);
    expect(device.files.files.get(PATH)).toMatchObject({ mode: 0o100644, mtime: 1_700_000_000 });
    expect(device.commands.at(-1)).toMatch(new RegExp(`^mv -f ${PATH}\\.[0-9a-f-]{36} ${PATH}$`));
  });

  it("does not push again what is there", async () => {
    const { device, link, deps, files } = await create();
    await pushServer(link, deps);
    const before = device.commands.length;
    await pushServer(link, deps);
    expect(device.commands.slice(before)).toEqual([`sha256sum ${PATH}`]);
    expect(files()).toEqual([[PATH, true]]);
  });

  it("replaces another server", async () => {
    const { device, link, deps, files } = await create();
    device.files.files.set(PATH, { mode: 0o100644, mtime: 0, bytes: randomBytes(10) });
    await pushServer(link, deps);
    expect(files()).toEqual([[PATH, true]]);
  });

  it("pushes each time to a device that cannot say what it has", async () => {
    const { device, link, deps, files } = await create();
    const { shell } = device;
    device.shell = async (request) =>
      request.command.startsWith("sha256sum") ? 127 : await shell.call(device, request);
    for (let each = 0; each < 2; each++) await pushServer(link, deps);
    expect(device.commands.filter((command) => command.startsWith("mv"))).toHaveLength(2);
    expect(files()).toEqual([[PATH, true]]);
  });

  it("says what to do when there is none, here or there", async () => {
    const { link, deps } = await create();
    await expect(pushServer(link, { ...deps, server: undefined })).rejects.toThrow(
      "name the file scrcpy-server-v4.1 of its release in TERRARIUM_SCRCPY_SERVER",
    );
  });

  it("leaves nothing behind when the file cannot be put in its place", async () => {
    const { link, deps, files } = await create();
    // The toy's /readonly takes no file; what is pushed beside it is found by the rename only.
    await expect(pushServer(renaming(link, "/readonly/server"), deps)).rejects.toThrow(
      "could not be put in its place: mv: /readonly/server: Read-only file system",
    );
    expect(files()).toEqual([]);
  });

  it("leaves nothing in the server's place when the link breaks in the middle", async () => {
    const { device, link, deps } = await create();
    const { create: createFile } = device.files;
    device.files.create = async (path, mode) => {
      queueMicrotask(() => link.close());
      return await createFile.call(device.files, path, mode);
    };
    await expect(pushServer(link, deps)).rejects.toMatchObject({ code: "CLOSED" });
    expect(device.files.files.has(PATH)).toBe(false);
  });

  it("leaves nothing behind when it is called off", async () => {
    const { device, link, stop, deps, files } = await create();
    const { shell } = device;
    device.shell = (request) => {
      if (!request.command.startsWith("mv")) return shell.call(device, request);
      stop.abort(new Error("not any more"));
      return new Promise(() => undefined);
    };
    await expect(pushServer(link, deps)).rejects.toThrow("not any more");
    expect(files()).toEqual([]);
  });

  it("does not wait for a device that has frozen", async () => {
    const { device, link, stop, deps } = await create();
    const { shell } = device;
    const frozen = Promise.withResolvers<void>();
    device.shell = (request) => {
      if (request.command.startsWith("sha256sum")) return shell.call(device, request);
      frozen.resolve();
      return new Promise(() => undefined);
    };
    const pushing = pushServer(link, deps).catch((error: unknown) => error);
    await frozen.promise;
    stop.abort(new Error("not any more"));
    await new Promise((resolve) => setImmediate(resolve));
    await deps.clock.advance(1000);
    expect(await pushing).toMatchObject({ message: "not any more" });
  });

  it("ends with the signal's reason", async () => {
    const { link, stop, deps } = await create();
    stop.abort(new Error("not any more"));
    await expect(pushServer(link, deps)).rejects.toThrow("not any more");
  });
});

type Link = Awaited<ReturnType<typeof connectAdb>>;

/** A link on which what is renamed goes elsewhere. */
const renaming = (link: Link, to: string): Pick<Link, "push" | "shell"> => ({
  push: (options) => link.push(options),
  shell: (command, options) =>
    link.shell(Array.isArray(command) && command[0] === "mv" ? [...command.slice(0, -1), to] : command, options),
});

describe("readScrcpyServer", () => {
  async function aFile() {
    const folder = await mkdtemp(join(tmpdir(), "scrcpy-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "scrcpy-server");
    await writeFile(path, bytes);
    return path;
  }

  it("reads the file when it is what is expected", async () => {
    expect(await readScrcpyServer(await aFile(), server.sha256)).toMatchObject({ sha256: server.sha256 });
  });

  it("refuses any file that is not the release", async () => {
    await expect(readScrcpyServer(await aFile())).rejects.toThrow(
      /^TERRARIUM_SCRCPY_SERVER is not the scrcpy-server of release 4\.1: .* should be deacb991/,
    );
  });

  it("names the setting when there is no such file", async () => {
    await expect(readScrcpyServer("/nosuch")).rejects.toThrow(/^TERRARIUM_SCRCPY_SERVER cannot be read: ENOENT/);
  });
});
