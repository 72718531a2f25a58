import type { AdbLink } from "@terrarium/adb";
import { testDevice, type TestDevice } from "@terrarium/simulator/testing";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pullTree, pushTree } from "./transfer.ts";

const { signal } = new AbortController();
const THEN = 1_700_000_000;
const HOME = "/sdcard/Download";

let folder: string;
let device: TestDevice;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "terrarium-cli-"));
  device = await testDevice();
});
afterEach(async () => {
  device.stop();
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (...names: string[]) => join(folder, ...names);
const shell = async (command: string) => (await device.adb.shell(command)).stdout.trim();

/** `notes`, with a file that can be run, a hidden one, one below, an empty folder, and links. */
async function aFolder() {
  const path = inFolder("notes");
  await mkdir(join(path, "deep", "er"), { recursive: true });
  await mkdir(join(path, "empty"));
  for (const [name, text] of [
    ["run.sh", "echo it runs"],
    [".hidden", "h"],
    ["deep/er/two words", "two"],
  ] as const) {
    await writeFile(join(path, name), text);
    await utimes(join(path, name), THEN, THEN);
  }
  await chmod(join(path, "run.sh"), 0o750);
  await utimes(join(path, "empty"), THEN, THEN);
  return path;
}

describe("folders", () => {
  it("come back as they went: hidden files, empty folders, times and permissions", async () => {
    const path = await aFolder();
    const copied = { files: 3, folders: 4, bytes: 16 };
    // On a part of the device that has permissions: shared storage has the same for all.
    expect(await pushTree(device.adb, path, "/data/local/tmp/", { signal })).toEqual({
      path: "/data/local/tmp/notes",
      ...copied,
    });
    // Every adbd lets the group do what the owner may.
    expect(await shell("stat -c %Y:%a /data/local/tmp/notes/run.sh")).toBe(`${THEN}:770`);
    const changed = Number(
      await shell("chmod 500 /data/local/tmp/notes/deep && stat -c %Y /data/local/tmp/notes/deep"),
    );
    const back = inFolder("back");
    expect(await pullTree(device.adb, "/data/local/tmp/notes", back, { signal })).toEqual({ path: back, ...copied });
    expect((await readdir(back, { recursive: true })).toSorted()).toEqual(
      [".hidden", "deep", "deep/er", "deep/er/two words", "empty", "run.sh"].toSorted(),
    );
    expect(await readFile(join(back, "deep/er/two words"), "utf8")).toBe("two");
    const { mode, mtimeMs } = await stat(join(back, "run.sh"));
    expect([mode & 0o777, mtimeMs / 1000]).toEqual([0o770, THEN]);
    const deep = await stat(join(back, "deep"));
    expect([deep.mode & 0o777, deep.mtimeMs / 1000]).toEqual([0o500, changed]);
    // For whoever tidies up.
    await chmod(join(back, "deep"), 0o700);
  });

  it("go into folders that are there, and otherwise get the name that was given", async () => {
    const path = await aFolder();
    const targets = [];
    for (const given of [`${HOME}/other`, `${HOME}/other`, HOME])
      targets.push((await pushTree(device.adb, path, given, { signal })).path);
    expect(targets).toEqual([`${HOME}/other`, `${HOME}/other/notes`, `${HOME}/notes`]);
    const pulled = [];
    for (const given of [inFolder("new"), inFolder("new")])
      pulled.push((await pullTree(device.adb, `${HOME}/notes/`, given, { signal })).path);
    expect(pulled).toEqual([inFolder("new"), inFolder("new", "notes")]);
  });

  it("have links to files followed, and say what is left out", async () => {
    const path = await aFolder();
    await symlink("run.sh", join(path, "link"));
    await symlink("..", join(path, "round"));
    await symlink("nowhere", join(path, "broken"));
    const skipped: string[] = [];
    const onSkip = (name: string) => void skipped.push(name);
    expect((await pushTree(device.adb, path, "/data/local/tmp/n", { signal, onSkip })).files).toBe(4);
    expect(skipped.toSorted()).toEqual([join(path, "broken"), join(path, "round")]);
    skipped.length = 0;
    await shell("cd /data/local/tmp/n; ln -s run.sh l; ln -s .. up; ln -s nowhere gone");
    expect((await pullTree(device.adb, "/data/local/tmp/n", inFolder("n"), { signal, onSkip })).files).toBe(5);
    expect(skipped.toSorted()).toEqual(["/data/local/tmp/n/gone", "/data/local/tmp/n/up"]);
    expect(await readFile(inFolder("n", "l"), "utf8")).toBe("echo it runs");
  });
});

describe("what a device names", () => {
  it.each(["../outside", "/outside", "deep/outside", "..", ".", ""])(
    "is nowhere but in the folder: %j",
    async (name) => {
      const { adb } = device;
      await shell(`mkdir -p ${HOME}/a/in && echo x > ${HOME}/outside`);
      const link = {
        stat: (path, signal) => adb.stat(path, signal),
        pull: (path, signal) => adb.pull(path, signal),
        list: async (path, signal) =>
          (await adb.list(path, signal)).map((entry) => ({ ...entry, name, mode: 0o100644 })),
      } as Partial<AdbLink> as AdbLink;
      const skipped: string[] = [];
      const onSkip = (path: string) => void skipped.push(path);
      expect(await pullTree(link, `${HOME}/a`, inFolder("in"), { signal, onSkip })).toMatchObject({ files: 0 });
      expect([skipped.length, await readdir(folder, { recursive: true })]).toEqual([1, ["in"]]);
    },
  );
});

describe("what cannot be copied", () => {
  it("is named", async () => {
    const path = await aFolder();
    const failing = async (copying: Promise<unknown>) =>
      copying.then(
        () => "copied",
        ({ exit, message, details }: Record<string, string>) => [exit, message, details],
      );
    expect(await failing(pushTree(device.adb, inFolder("none"), HOME, { signal }))).toEqual([
      "USAGE_ERROR",
      `${inFolder("none")} is not there.`,
      "ENOENT",
    ]);
    expect(await failing(pullTree(device.adb, "/nosuch", folder, { signal }))).toEqual([
      "DEFAULT_ERROR",
      "/nosuch: No such file or folder on the device.",
      "",
    ]);
    expect(await failing(pushTree(device.adb, path, "/proc/notes", { signal }))).toEqual([
      "INSTANCE_ERROR",
      "The device could not make a folder.",
      expect.stringMatching(/\/proc\/notes/),
    ]);
    expect(await failing(pushTree(device.adb, join(path, "run.sh"), "/proc/notes", { signal }))).toEqual([
      "DEFAULT_ERROR",
      `${join(path, "run.sh")} could not be copied to /proc/notes.`,
      expect.any(String),
    ]);
    await pushTree(device.adb, join(path, "run.sh"), `${HOME}/`, { signal });
    expect(await failing(pullTree(device.adb, `${HOME}/run.sh`, inFolder("nowhere", "x"), { signal }))).toEqual([
      "DEFAULT_ERROR",
      `${HOME}/run.sh could not be copied to ${inFolder("nowhere", "x")}.`,
      expect.stringContaining("ENOENT"),
    ]);
  });
});
