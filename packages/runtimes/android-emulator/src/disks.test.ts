import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cutFiles, saveUserData } from "@terrarium/runtime";
import { MemoryLayers } from "@terrarium/runtime/testing";
import { expect, it, onTestFinished } from "vitest";
import { restoreDisks } from "./disks.ts";

const { signal } = new AbortController();

it.each(["../../elsewhere", "userdata.img", "vda"])(
  "takes no saved file for a disk that is called %s",
  async (base) => {
    const avd = mkdtempSync(join(tmpdir(), "disks-"));
    onTestFinished(() => rmSync(avd, { recursive: true }));
    const path = join(avd, "file");
    writeFileSync(path, "content");
    const layers = new MemoryLayers();
    const save = { maxMb: 1, signal, onProgress: () => undefined };
    const saved = await saveUserData(() => cutFiles([{ path, base }]), layers, save);
    await expect(restoreDisks({ avd, qemuImg: "qemu-img", signal }, saved, layers)).rejects.toThrow("no saved disks");
    expect(readdirSync(avd)).toEqual(["file"]);
  },
);
